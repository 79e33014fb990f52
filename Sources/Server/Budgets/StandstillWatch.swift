import Synchronization

/// Finds out when this whole process stood still, for what the network threads share.
///
/// Every thread's looks count: one that heard nothing for a while while others did has not stood
/// still. And of all threads that look after a standstill, one is told of it.
final class StandstillWatch: Sendable {
  /// Monotonic nanoseconds of the last look.
  private let last: Atomic<UInt64>
  /// Nanoseconds that were stood still in all.
  private let stoodStill = Atomic<UInt64>(0)

  /// - Parameter now: monotonic nanoseconds.
  init(now: UInt64) {
    last = Atomic(now)
  }

  /// Called with every look at a thread's clock.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: nanoseconds of a standstill that ended just now, 0 as a rule.
  func look(at now: UInt64) -> UInt64 {
    let before = last.max(now, ordering: .acquiringAndReleasing).oldValue
    guard now > before, now - before > AwakeClock.longestPause else { return 0 }
    stoodStill.add(now - before, ordering: .acquiringAndReleasing)
    return now - before
  }

  /// Nanoseconds of the clock without the standstills, the same for all threads.
  func awake(at now: UInt64) -> UInt64 {
    now - min(now, stoodStill.load(ordering: .acquiring))
  }
}
