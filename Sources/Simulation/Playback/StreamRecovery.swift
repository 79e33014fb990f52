/// What a client does after a frame that it had to refuse: it keeps its last world, asks for a
/// keyframe, asks again when none comes, and gives the connection up when that doesn't help.
///
///     recovery.refused(now: now)                       // the decoder threw
///     recovery.taken()                                 // it didn't
///     switch recovery.next(now: now) { … }             // after a refusal, and about once a second
///
/// Times are milliseconds of a steady local clock.
public struct StreamRecovery: Sendable {
  /// What there is to do.
  public enum Step: Sendable {
    /// Nothing: all frames fit, or a keyframe is on its way.
    case nothing
    /// Ask for a keyframe now; it counts as asked.
    case ask
    /// No keyframe came that fits: connect anew.
    case giveUp
  }

  /// Milliseconds after which a keyframe is asked for again: longer than a bad line takes for the
  /// first one.
  public static let askAgain = 2000.0
  /// Milliseconds without a frame that fits after which nothing will come of it: somewhat longer
  /// than the four seconds for which a server may put off a page's third snapshot.
  public static let patience = 5000.0

  private var since: Double?
  private var asked: Double?

  public init() {}

  /// Whether a frame was refused and none fitted since.
  public var isWaiting: Bool { since != nil }

  /// Notes a frame that was refused.
  public mutating func refused(now: Double) {
    if since == nil { since = now }
  }

  /// Notes a frame that fitted.
  public mutating func taken() {
    since = nil
    asked = nil
  }

  /// What there is to do at `now`.
  public mutating func next(now: Double) -> Step {
    guard let since else { return .nothing }
    if now - since >= StreamRecovery.patience { return .giveUp }
    if let asked, now - asked < StreamRecovery.askAgain { return .nothing }
    asked = now
    return .ask
  }
}
