/// How long a pong takes on a peer's line when nothing stands before it. Pongs show that of the
/// whole line, also through a proxy that acknowledges for its clients.
struct LineTime {
  /// Nanoseconds after which a span of time ends; what was learned counts until the end of the next
  /// one. A phone changes its network, and two spans are about as long as somebody needs to walk
  /// from one radio cell to the next.
  static let span: UInt64 = 5_000_000_000

  /// The fastest pongs of this span and of the one before, in nanoseconds.
  private var fastest = UInt64.max
  private var fastestBefore = UInt64.max
  /// The time of the last pong before whose ping all was read, and when it came. It is the time of
  /// the line as it is now, which may have become longer.
  private var clear: (time: UInt64, heard: UInt64) = (0, 0)

  /// In nanoseconds; nil before a pong came.
  /// - Parameter now: monotonic nanoseconds.
  func time(at now: UInt64) -> UInt64? {
    let fastest = min(fastest, fastestBefore)
    guard fastest != .max else { return nil }
    let isFresh = now - min(now, clear.heard) < 2 * Self.span
    return isFresh ? max(fastest, clear.time) : fastest
  }

  /// Begins to forget: what the span before taught counts no more.
  mutating func beginSpan() { (fastestBefore, fastest) = (fastest, .max) }

  /// Learns from a pong.
  /// - Parameters:
  ///   - time: the nanoseconds that it took.
  ///   - isClear: whether all before its ping had been read when that was sent.
  ///   - now: monotonic nanoseconds.
  mutating func note(_ time: UInt64, isClear: Bool, at now: UInt64) {
    fastest = min(fastest, time)
    if isClear { clear = (time, now) }
  }
}
