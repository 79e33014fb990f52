/// A page's time: milliseconds of a steady local clock. What no clock shows, a NaN or beyond 30 000
/// years, counts as the last time that one did, so that everything that follows from it is finite.
struct LocalTime: Sendable {
  /// The last time, in milliseconds.
  private(set) var last = 0.0

  /// The time, or the last one in its place.
  mutating func plausible(_ now: Double) -> Double {
    if now >= 0 && now <= 1e15 { last = now }
    return last
  }
}

/// The stamp of a question for the server's clock, by which its echo is known again: a local time
/// in microseconds, the low 32 bits. Times are milliseconds of a steady local clock.
public enum ClockStamp {
  /// The stamp of a moment.
  public static func of(_ now: Double) -> UInt32 {
    guard now >= 0, now < 1e12 else { return 0 }
    return UInt32(truncatingIfNeeded: UInt64(now * 1000))
  }

  /// When the question with a stamp was asked: the latest such moment.
  public static func time(of stamp: UInt32, now: Double) -> Double {
    now - Double(of(now) &- stamp) / 1000
  }
}
