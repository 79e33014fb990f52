/// When a session may be given another snapshot: two in four seconds at most. Five bytes ask for
/// some ten thousand, and who needs them more often can't follow; but a world may turn out to be
/// wrong right after one.
struct SnapshotBudget {
  private static let pause: UInt64 = 4_000_000_000
  /// Nanoseconds after which it is tried again when the address's allowance was used up.
  private static let refusalPause: UInt64 = 500_000_000

  /// Monotonic nanoseconds.
  private var next: UInt64 = 0
  private var last: UInt64 = 0

  /// Whether it may be given one.
  /// - Parameter now: monotonic nanoseconds.
  func allows(at now: UInt64) -> Bool { now >= next }

  /// It was given one.
  /// - Parameter now: monotonic nanoseconds.
  mutating func took(at now: UInt64) {
    next = last == 0 ? 0 : last + Self.pause
    last = now
  }

  /// The allowance of its address was used up.
  /// - Parameter now: monotonic nanoseconds.
  mutating func refused(at now: UInt64) { next = now + Self.refusalPause }
}
