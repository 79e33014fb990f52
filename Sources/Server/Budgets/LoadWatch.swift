/// Whether a network thread has more to send than it can.
struct LoadWatch {
  /// Ticks that may wait for being sent. A page shows a frame some three ticks after it came, so a
  /// picture whose frame is later than that jerks anyway.
  static let ticksTolerated = 3
  /// Late turns of the loop in a second that are no more than a machine's bad moments. A thread
  /// that takes four ticks for every turn is late in fifteen of them.
  static let turnsTolerated = 8
  /// A second, in nanoseconds.
  private static let span: UInt64 = 1_000_000_000

  private var spanEnd: UInt64 = 0
  private var lateTurns = 0
  private var overloadedUntil: UInt64 = 0

  /// Notes what a turn of the loop found.
  /// - Parameters:
  ///   - ticks: how many wait for being sent.
  ///   - now: monotonic nanoseconds.
  /// - Returns: whether the thread is late with sending them.
  mutating func isThreadBehind(with ticks: Int, at now: UInt64) -> Bool {
    if now >= spanEnd { (spanEnd, lateTurns) = (now + Self.span, 0) }
    guard ticks > Self.ticksTolerated else { return false }
    lateTurns += 1
    if lateTurns > Self.turnsTolerated { overloadedUntil = now + Self.span }
    return true
  }

  /// Whether it was late again and again within the last second.
  /// - Parameter now: monotonic nanoseconds.
  func isOverloaded(at now: UInt64) -> Bool { now < overloadedUntil }
}
