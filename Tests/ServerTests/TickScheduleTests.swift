import Testing

@testable import Server

@Suite struct TickScheduleTests {
  @Test func deadlinesNeverDrift() {
    var schedule = TickSchedule(start: 5_000)
    for _ in 1..<216_000 { schedule.advance() }
    // An hour later the 216 000th tick is due to the nanosecond, though a sixtieth is no whole one.
    #expect(schedule.deadline == 5_000 + 3_600_000_000_000)
  }

  @Test func latenessIsCaughtUpTickByTick() {
    var schedule = TickSchedule(start: 0)
    let late = schedule.deadline + 300_000_000
    let skipped = schedule.skipStandstill(now: late)
    #expect(skipped == 0)
    var ran = 0
    while schedule.deadline <= late {
      schedule.advance()
      ran += 1
    }
    #expect(ran == 19)
    #expect(schedule.lost == 0)
  }

  @Test func aStandstillIsSkippedAndCounted() {
    var schedule = TickSchedule(start: 0)
    let due = schedule.deadline
    let skipped = schedule.skipStandstill(now: due + 10_000_000_000)
    #expect(skipped == 600)
    #expect(schedule.lost == 600)
    #expect(schedule.deadline == due + 10_000_000_000)
    #expect(schedule.next == 1)
  }
}
