import Foundation
import Testing

@testable import TickLog

/// What SQLite forgets without a word is told.
@Suite struct WriteAheadLogTests {
  /// A journal as a process leaves it that is killed: its files, copied while it is open.
  private func killed() throws -> (TestFolder, LogParty) {
    let (folder, copy) = (TestFolder(), TestFolder())
    var party = try LogParty()
    let journal = try folder.open()
    try journal.append(party.beginning())
    for _ in 0..<20 { try journal.append(party.entry(ticks: 3)) }
    try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
    try journal.close()
    return (copy, party)
  }

  private func log(of folder: TestFolder) -> WriteAheadLog {
    WriteAheadLog(folder.database + "-wal")
  }

  /// Changes a byte, counted from the start or, if it is negative, from the end.
  private func damage(_ folder: TestFolder, at place: Int) throws {
    let path = folder.database + "-wal"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[place < 0 ? bytes.count + place : place] ^= 0x10
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test func aKilledProcessLosesNothing() throws {
    let (folder, party) = try killed()
    // The tables, the beginning, and twenty groups.
    #expect(log(of: folder).transactions == 22 && log(of: folder).lostTransactions == 0)
    let recovery = try #require(try folder.with { try $0.recover() })
    #expect(recovery.position == 60 && recovery.notes.isEmpty)
    #expect(recovery.replica.pit.stateHash() == party.hashes[60])
  }

  @Test func damageInTheMiddleCostsAllThatFollowsAndIsTold() throws {
    let (folder, party) = try killed()
    let size = try Data(contentsOf: URL(fileURLWithPath: folder.database + "-wal")).count
    try damage(folder, at: size / 2)
    let found = log(of: folder)
    #expect(found.lostTransactions > 3 && found.transactions + found.lostTransactions == 22)
    let recovery = try #require(try folder.with { try $0.recover() })
    #expect(recovery.position == UInt64(found.transactions - 2) * 3)
    #expect(recovery.replica.pit.stateHash() == party.hashes[Int(recovery.position)])
    #expect(found.note?.contains("\(found.lostTransactions)") == true)
  }

  @Test func aDamagedFrameHeaderIsNotTheEndOfWhatIsCounted() throws {
    let (folder, _) = try killed()
    // The salt of the third frame.
    try damage(folder, at: 32 + 2 * (24 + 4096) + 9)
    #expect(log(of: folder).lostTransactions > 15)
  }

  @Test func aTornEndIsTold() throws {
    let (folder, _) = try killed()
    try damage(folder, at: -5)
    #expect(log(of: folder).lostTransactions == 1)
    #expect(log(of: folder).note == "an entry that was being written at the end is cut off")
    let recovery = try #require(try folder.with { try $0.recover() })
    #expect(recovery.position == 57)
  }

  @Test(arguments: [0, 9, 17])
  func aDamagedBeginningIsTold(place: Int) throws {
    let (folder, _) = try killed()
    try damage(folder, at: place)
    #expect(log(of: folder).isUnreadable)
    try folder.with { #expect($0.openingNote?.contains("can't be read") == true) }
  }

  @Test func whatIsNoLogIsLeftToSQLite() throws {
    let (folder, _) = try killed()
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.database + "-wal"))
    #expect(log(of: folder).lostTransactions == 0)
    #expect(WriteAheadLog("/nowhere").transactions == 0)
  }
}
