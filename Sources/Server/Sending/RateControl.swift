import Wire

/// Which stream a session gets: the one that it asked for, or for a while a slower one, when its
/// link or its reader can't carry that.
struct RateControl {
  /// Who can take nothing for a fifth of the time, and two seconds in all, can't take this rate: it
  /// is lowered. Each second without trouble makes up for a quarter of one with it. The pauses of a
  /// radio link or of a busy computer are a tenth of a second long, and make no difference.
  private static let tolerated: UInt64 = 2_000_000_000
  private static let redemption: UInt64 = 4
  /// Trouble that does not keep a rate from being raised again.
  private static let negligible: UInt64 = 500_000_000
  /// After half a minute without trouble it is raised again, a step at a time. If that was too
  /// early, it takes twice as long the next time, four minutes at most: each attempt costs a slow
  /// link two keyframes.
  private static let shortestRecovery: UInt64 = 30_000_000_000
  private static let longestRecovery: UInt64 = 240_000_000_000

  /// What counts between two attempts at most, in nanoseconds: two of the slowest rate's frames. It
  /// was not the reader's fault if the server had nothing for it for longer.
  private static let longestTry: UInt64 = 200_000_000

  /// What a step changed.
  enum Change {
    case slower, faster
    /// It gets what it asked for again.
    case full
  }

  private var offer: StreamOffer
  /// What its client wants, whether it is offered or not: another world may offer it.
  private var asked = StreamKey(rate: .hz60, profile: .strict)
  /// What is offered of that: what it gets as long as it can take it.
  private var full = StreamKey(rate: .hz60, profile: .strict)
  /// What it gets now.
  private(set) var stream = StreamKey(rate: .hz60, profile: .strict)
  /// Whether the last frame could not be written.
  private var isBlocked = false
  /// For how many nanoseconds that was so, less what was made up for.
  private var trouble: UInt64 = 0
  /// When that was reckoned, in monotonic nanoseconds.
  private var reckoned: UInt64 = 0
  /// Monotonic nanoseconds.
  private var lastTrouble: UInt64 = 0
  private var lastRaise: UInt64?
  private var recovery = RateControl.shortestRecovery

  init(offer: StreamOffer) {
    self.offer = offer
  }

  /// From now on it gets a stream, or the nearest one that is offered.
  /// - Returns: `full` if it got a slower one than it could have until now; nil for no change.
  @discardableResult
  mutating func ask(for wanted: StreamKey) -> Change? {
    let wasSlowed = stream != full
    asked = wanted
    full = offer.nearest(to: wanted)
    stream = full
    return wasSlowed ? .full : nil
  }

  /// The world is another one, which may afford other streams.
  /// - Returns: as `ask`.
  mutating func change(_ offer: StreamOffer) -> Change? {
    self.offer = offer
    return ask(for: asked)
  }

  /// Nothing could be written.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: `slower`, or nil for no change.
  mutating func blocked(at now: UInt64) -> Change? {
    reckon(until: now)
    isBlocked = true
    guard trouble >= Self.tolerated, let slower = offer.slower(than: stream) else { return nil }
    let wasTooEarly = lastRaise.map { now - $0 < Self.shortestRecovery } ?? false
    recovery = wasTooEarly ? min(2 * recovery, Self.longestRecovery) : Self.shortestRecovery
    stream = slower
    trouble = 0
    return .slower
  }

  /// A frame was written.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: `faster` or `full`, or nil for no change.
  mutating func wrote(at now: UInt64) -> Change? {
    reckon(until: now)
    isBlocked = false
    guard stream != full, now - lastTrouble > recovery, let faster = offer.faster(than: stream)
    else { return nil }
    stream = faster
    lastTrouble = now
    lastRaise = now
    return stream == full ? .full : .faster
  }

  private mutating func reckon(until now: UInt64) {
    let passed = now - min(reckoned, now)
    reckoned = now
    if isBlocked {
      trouble += min(passed, Self.longestTry)
    } else {
      trouble -= min(trouble, passed / Self.redemption)
    }
    if trouble >= Self.negligible { lastTrouble = now }
  }
}
