import Synchronization

/// The network thread's time, and how much of it this process stood still.
///
/// A server that is stopped for a while (a suspended machine, SIGSTOP) reads everything that came
/// in meanwhile at once. That is nobody's fault, so deadlines count awake time only, and budgets
/// are forgiven what the standstill held up.
struct AwakeClock {
  /// The longest time without a call that is no standstill, in nanoseconds: the tick thread calls
  /// sixty times a second, so half a second is thirty calls that did not come.
  static let longestPause: UInt64 = 500_000_000

  private let clock: () -> UInt64
  /// Monotonic nanoseconds at the last look.
  private(set) var now: UInt64
  /// Nanoseconds that were stood still in all.
  private var stoodStill: UInt64 = 0
  /// Standstills before this are in the sum already.
  private var accounted: UInt64

  /// - Parameter clock: monotonic nanoseconds.
  init(_ clock: @escaping () -> UInt64) {
    self.clock = clock
    now = clock()
    accounted = now
  }

  /// Nanoseconds of the clock without the standstills: what deadlines count.
  var awake: UInt64 { now - stoodStill }

  /// Looks at the clock; called whenever something calls the network thread's half.
  /// - Returns: nanoseconds of a standstill that ended just now, 0 as a rule.
  mutating func look() -> UInt64 {
    let last = now
    now = max(clock(), last)
    guard now - last > Self.longestPause else { return 0 }
    return account(since: last)
  }

  /// Somebody else noticed a standstill that ended just now.
  /// - Returns: how many nanoseconds of it were not noticed before.
  mutating func noteStandstill(nanoseconds: UInt64) -> UInt64 {
    let last = now
    now = max(clock(), now)
    // What a look has seen pass was no standstill to those who looked: awake time never runs back.
    return account(since: max(now - min(nanoseconds, now), accounted, last))
  }

  private mutating func account(since start: UInt64) -> UInt64 {
    stoodStill += now - start
    accounted = now
    return now - start
  }
}

/// Finds out when this whole process stood still, for what the network threads share.
///
/// Calls from all threads count, so that an idle thread isn't taken for a process that stood still.
/// After a real standstill exactly one caller is told.
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
