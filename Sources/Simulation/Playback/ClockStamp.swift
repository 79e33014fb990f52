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
