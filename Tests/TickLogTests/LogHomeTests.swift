import Simulation
import Testing
import Wire

@testable import TickLog

/// A world comes back from any home of the log, by what all of them can do.
@Suite struct LogHomeTests {
  @Test func anotherHomeGivesTheSameWorld() throws {
    let home = MemoryHome()
    #expect(try home.recover() == nil)
    var party = try LogParty()
    try home.append(party.beginning())
    try party.write(seconds: 2, to: home)
    for _ in 0..<10 { try home.append(party.entry(ticks: 3)) }
    let recovery = try #require(try home.recover())
    #expect(recovery.position == 150 && recovery.snapshot == 120 && recovery.notes.isEmpty)
    #expect(recovery.replica.pit.stateHash() == party.hashes[150])
  }

  @Test func whatIsDamagedAtItsEndIsCutOff() throws {
    let home = MemoryHome()
    var party = try LogParty()
    try home.append(party.beginning())
    try party.write(seconds: 1, to: home)
    for _ in 0..<4 { try home.append(party.entry(ticks: 3)) }
    home.kept[home.kept.count - 1].isSound = false
    let recovery = try #require(try home.recover())
    #expect(recovery.position == 69 && recovery.notes.count == 1 && home.last == 69)
    #expect(recovery.replica.pit.stateHash() == party.hashes[69])
    // Damage that sound records follow is for somebody to decide about.
    try home.append(party.goingOn())
    home.kept[home.kept.count - 2].isSound = false
    #expect(throws: JournalError.damagedMiddle("memory", first: 64, resumes: 67)) {
      try home.recover()
    }
  }
}

/// A home that ends with the process.
private final class MemoryHome: LogHome {
  let path = "memory"
  var kept: [LogGroup] = []
  private var snapshots: [LogSnapshot] = []
  private var written: [LogOrigin] = []

  var last: UInt64 { kept.last?.last ?? 0 }

  func append(_ entry: LogEntry) {
    if let origin = entry.origin { written.append(origin) }
    if let snapshot = entry.snapshot { snapshots.append(snapshot) }
    kept += entry.groups
  }

  func newestSnapshot(upTo position: UInt64) -> LogSnapshot? {
    snapshots.last { $0.position <= position }
  }

  func groups(after position: UInt64, limit: Int) -> [LogGroup] {
    Array(kept.filter { $0.last > position }.prefix(limit))
  }

  func origins() -> [LogOrigin] { written }
  func people() -> [LoggedPerson] { [] }

  func prune(after position: UInt64) {
    kept.removeAll { $0.last > position }
    snapshots.removeAll { $0.position > position }
  }

  func prune(to limits: JournalLimits, at now: UInt64) -> Bool { false }
  func byteCount() -> Int { 0 }
  func close() {}
}
