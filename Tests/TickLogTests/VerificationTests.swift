import Simulation
import Testing
import Wire

@testable import TickLog

/// Whatever differs from what was there is found.
@Suite struct VerificationTests {
  @Test func aLogAgreesWithItself() throws {
    let (folder, _) = try TestFolder.party(seconds: 5)
    try folder.with { journal in
      let report = try Verification(journal).run()
      #expect(report.ticks == 300 && report.mismatches == 0)
      // Two in each second's records, and five snapshots at the ends of stretches.
      #expect(report.hashes == 15)
    }
  }

  @Test func aRecordThatWasAnotherIsFound() throws {
    var party = try LogParty()
    let folder = TestFolder()
    try folder.with { journal in
      try journal.append(party.beginning())
      try party.write(seconds: 2, to: journal)
      // A tick of another world, with a link that fits.
      var other = party
      var entry = party.entry(ticks: 3)
      _ = other.entry(ticks: 3)
      var coder = RecordCoder(tick: 120, gravity: QuantizedGravity(x: 0, y: 0))
      var records: [UInt8] = []
      for tick in UInt32(121)...123 { coder.encode(TickRecord(tick: tick), into: &records) }
      entry.groups[0].records = records
      try journal.append(entry)
      for _ in 0..<19 { try journal.append(party.entry(ticks: 3)) }
      let report = try Verification(journal).run()
      let found = try #require(report.firstMismatch)
      #expect(report.mismatches == 1 && (121...150).contains(found))
      #expect(throws: JournalError.diverged(folder.path, position: found)) {
        try journal.recover()
      }
    }
  }

  @Test(arguments: [
    ("DELETE FROM records WHERE last = 90", UInt64(88)),
    ("UPDATE records SET bytes = x'90' WHERE last = 90", 88),
    ("UPDATE snapshot SET bytes = x'00' WHERE position = 60", 60),
  ])
  func damageIsFound(sql: String, at position: UInt64) throws {
    let (folder, _) = try TestFolder.party(seconds: 3)
    try folder.change(sql)
    try folder.with { journal in
      let report = try Verification(journal).run()
      #expect(report.mismatches == 1 && report.firstMismatch == position)
    }
  }

  @Test func aSnapshotOfAnotherWorldIsFound() throws {
    let (folder, _) = try TestFolder.party(seconds: 3)
    var other = try LogParty(seed: 9)
    _ = other.entry(ticks: 120, snapshot: true)
    try folder.with { journal in
      var entry = LogEntry()
      entry.snapshot = other.snapshot()
      try journal.execute("DELETE FROM snapshot WHERE position = 180")
      try journal.execute("DELETE FROM records WHERE last > 120")
      try journal.readEnd()
      try journal.append(entry)
      let report = try Verification(journal).run()
      #expect(report.mismatches == 1 && report.firstMismatch == 120)
    }
  }
}
