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
