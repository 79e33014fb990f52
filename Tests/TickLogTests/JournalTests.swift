import Foundation
import GRDB
import Simulation
import Testing
import Wire

@testable import TickLog

extension Journal {
  /// Does something to the database as nobody should.
  func execute(_ sql: String) throws {
    try database.write { try $0.execute(sql: sql) }
  }
}

/// What a journal takes and refuses.
@Suite struct JournalTests {
  @Test func entriesMustFollowOneAnother() throws {
    let folder = TestFolder()
    var party = try LogParty()
    let journal = try folder.open()
    try journal.append(party.beginning())
    let first = party.entry(ticks: 3)
    let second = party.entry(ticks: 3)
    #expect(throws: JournalError.outOfOrder(expected: 1, given: 4)) { try journal.append(second) }
    try journal.append(first)
    #expect(throws: JournalError.outOfOrder(expected: 4, given: 1)) { try journal.append(first) }
    var early = second
    early.snapshot = party.snapshot()
    early.snapshot!.position = 5
    #expect(throws: JournalError.outOfOrder(expected: 6, given: 5)) { try journal.append(early) }
    try journal.append(second)
    #expect(journal.last == 6)
  }

  @Test func aFolderHasOneOwner() throws {
    let folder = TestFolder()
    let first = try JournalFolder(folder.path, creates: true)
    #expect(throws: JournalError.inUse(folder.path, process: "\(getpid())")) {
      try JournalFolder(folder.path, creates: true)
    }
    withExtendedLifetime(first) {}
  }

  @Test func otherFilesAreLeftAlone() throws {
    let folder = TestFolder()
    #expect(throws: JournalError.missing(folder.path)) {
      try JournalFolder(folder.path, creates: false)
    }
    _ = try JournalFolder(folder.path, creates: true)
    try Data("not a database, but long enough to be read as one".utf8)
      .write(to: URL(fileURLWithPath: folder.database))
    #expect(throws: JournalError.foreign(folder.path)) { try folder.open() }
    try FileManager.default.removeItem(atPath: folder.database)
    try folder.change("PRAGMA application_id = 77")
    #expect(throws: JournalError.foreign(folder.path)) { try folder.open() }
    try FileManager.default.removeItem(atPath: folder.database)
    try folder.change("PRAGMA user_version = 9")
    #expect(throws: JournalError.newer(folder.path, format: 9)) { try folder.open() }
    #expect(throws: JournalError.unreachable("/dev/null", reason: "it is no folder")) {
      try JournalFolder("/dev/null", creates: true)
    }
  }

  @Test func aDamagedDatabaseIsToldAsSuch() throws {
    let (folder, _) = try TestFolder.party(seconds: 8)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 40 * 4096))
    try file.close()
    #expect {
      try folder.with { _ = try $0.recover() }
    } throws: { error in
      if case .damaged = error as? JournalError { return true }
      return false
    }
  }

  @Test func theOldestGoesByAgeAndSizeAndTheRoomIsGivenBack() throws {
    let (folder, party) = try TestFolder.party(seconds: 40)
    let journal = try folder.open()
    let all = try journal.byteCount()
    let now = LogParty.began + 40_000
    let day: UInt64 = 86_400_000
    #expect(try !journal.prune(to: JournalLimits(age: day, bytes: 1 << 30), at: now))
    #expect(try journal.snapshotPositions().count == 41)
    try journal.prune(to: JournalLimits(age: 20_000, bytes: 1 << 30), at: now)
    #expect(try journal.snapshotPositions().first == 1140)
    #expect(try journal.check().problems.isEmpty)
    #expect(try journal.byteCount() < all * 2 / 3)
    while try journal.prune(to: JournalLimits(age: day, bytes: 1), at: now),
      try journal.snapshotPositions().count > 2
    {}
    #expect(try journal.snapshotPositions() == [2340, 2400])
    let pages = try journal.read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") }
    #expect(pages == 0)
    #expect(try journal.recover()?.replica.pit.stateHash() == party.hashes[2400])
    try journal.close()
    let size = try FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int
    #expect(try #require(size) < all / 4)
  }

  @Test func anExportHasAllThatAReplayNeedsAndNobodysToken() throws {
    var (folder, party) = try TestFolder.party(seconds: 5)
    let file = folder.path + "-export"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try folder.with { journal in
      var entry = party.goingOn()
      entry.people = [LoggedPerson(number: 1, token: SessionToken(low: 1, high: 2), commands: 0)]
      try journal.append(entry)
      for _ in 0..<9 { try journal.append(party.entry(ticks: 3)) }
      let written = try journal.export(to: file, from: 130, through: 310)
      #expect(written.first == 120 && written.last == 312)
      #expect(throws: JournalError.self) { try journal.export(to: file, from: 130, through: 310) }
    }
    let copy = try Journal(exported: file)
    let report = try Verification(copy).run()
    #expect(report.mismatches == 0 && report.ticks == 192)
    #expect(try copy.people().isEmpty)
    #expect(try copy.recover()?.replica.pit.stateHash() == party.hashes[312])
    #expect(try copy.origins().map(\.beginning) == [.snapshot, .continued])
  }
}
