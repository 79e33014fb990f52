/// Keeps a trouble that each visitor could cause from filling the log: one line in ten seconds,
/// with a count of those left out.
struct LogLimiter {
  static let nanoseconds: UInt64 = 10_000_000_000

  private var last: UInt64?
  private var leftOut = 0

  /// The line to log, if it is time for one.
  mutating func line(_ text: String, at now: UInt64) -> String? {
    if let last, now < last + Self.nanoseconds {
      leftOut += 1
      return nil
    }
    defer { (last, leftOut) = (now, 0) }
    return leftOut == 0 ? text : "\(text) (and \(leftOut) times more before)"
  }
}
