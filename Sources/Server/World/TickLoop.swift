import Foundation
import Glibc
import Synchronization

/// The thread that runs the ticks at their deadlines and does nothing else.
final class TickLoop: Sendable {
  private let stopping = Atomic(false)
  private let stopped = DispatchSemaphore(value: 0)
  private let isStarted = Atomic(false)
  private let body: @Sendable (_ deadline: UInt64, _ lostTicks: UInt64) -> Void

  /// - Parameter body: runs one tick, given the deadline it was due at in monotonic nanoseconds and
  ///   the ticks that a standstill has cost so far.
  init(body: @escaping @Sendable (_ deadline: UInt64, _ lostTicks: UInt64) -> Void) {
    self.body = body
  }

  /// Starts the thread; the first tick is due a sixtieth of a second after `now`.
  func start(now: UInt64) {
    let wasStarted = isStarted.exchange(true, ordering: .acquiringAndReleasing)
    precondition(!wasStarted)
    let thread = Thread { [self] in
      run(from: now)
      stopped.signal()
    }
    thread.qualityOfService = .userInteractive
    thread.start()
  }

  /// Ends the thread after the tick under way and waits for it.
  func stop() {
    stopping.store(true, ordering: .releasing)
    if isStarted.load(ordering: .acquiring) { stopped.wait() }
  }

  private func run(from now: UInt64) {
    ThreadPriority.tick.take(naming: "tick")
    var schedule = TickSchedule(start: now)
    while !stopping.load(ordering: .acquiring) {
      Self.sleep(until: schedule.deadline)
      schedule.skipStandstill(now: Self.now())
      body(schedule.deadline, schedule.lost)
      schedule.advance()
    }
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func sleep(until deadline: UInt64) {
    var time = timespec(
      tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    // A signal may end the sleep early; the deadline is absolute, so sleeping again is exact.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}

/// When each tick is due. Deadlines are computed from the start, never from the last tick, so that
/// rounding and lateness never add up.
struct TickSchedule {
  /// Ticks a second.
  static let rate: UInt64 = 60
  /// Ticks that may run back to back to catch up; a longer standstill (a suspended machine) is
  /// skipped instead, because a world that races for seconds is worse than one that paused.
  static let longestCatchUp: UInt64 = 30

  /// Monotonic nanoseconds at which tick 0 was due.
  private(set) var start: UInt64
  /// The next tick to run, counted from 1.
  private(set) var next: UInt64 = 1
  /// Ticks that a standstill cost.
  private(set) var lost: UInt64 = 0

  init(start: UInt64) {
    self.start = start
  }

  /// Monotonic nanoseconds at which the next tick is due.
  var deadline: UInt64 { Self.due(next, from: start) }

  /// Called when a tick ran: the next one is due a sixtieth of a second after it was.
  mutating func advance() {
    next += 1
  }

  /// Called before a tick: a standstill longer than the catch-up allows moves the schedule.
  /// - Returns: the ticks that were given up, 0 as a rule.
  @discardableResult
  mutating func skipStandstill(now: UInt64) -> UInt64 {
    guard now > deadline else { return 0 }
    let behind = (now - deadline) * Self.rate / 1_000_000_000
    guard behind > Self.longestCatchUp else { return 0 }
    start += (behind * 1_000_000_000) / Self.rate
    lost += behind
    return behind
  }

  private static func due(_ tick: UInt64, from start: UInt64) -> UInt64 {
    start + tick * 1_000_000_000 / rate
  }
}
