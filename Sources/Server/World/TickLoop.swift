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
