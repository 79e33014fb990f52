import Simulation
import Testing

@testable import TickLog

/// A journal is shown stretch by stretch, as far as it is whole.
@Suite struct JournalPastTests {
  @Test func stretchesFollowOnEachOther() throws {
    let (folder, party) = try TestFolder.party(seconds: 4)
    try folder.with { journal in
      let past = try JournalPast(journal)
      let extent = try past.extent()
      #expect(extent.first == 0 && extent.last == 240 && past.world == party.settings)
      #expect(extent.lastTime - extent.firstTime >= 3900)
      var position: UInt64? = 0
      var hashes: [UInt64] = []
      while let start = position {
        let stretch = try #require(try past.stretch(holding: start))
        #expect(stretch.snapshot.position == start)
        var replica = try Replica(snapshot: stretch.snapshot.bytes)
        try replica.receive(stretch.records)
        hashes.append(replica.pit.stateHash())
        position = stretch.next
      }
      #expect(hashes == [60, 120, 180, 240, 240].map { party.hashes[$0] })
    }
  }

  @Test(arguments: [(UInt64(0), UInt64(0)), (59, 0), (60, 60), (119, 60), (240, 240)])
  func theStretchThatHoldsATick(position: UInt64, start: UInt64) throws {
    let (folder, _) = try TestFolder.party(seconds: 4)
    try folder.with { journal in
      let past = try JournalPast(journal)
      let found = try #require(try past.stretch(holding: position))
      #expect(found.snapshot.position == start && found.last >= position)
    }
  }

  @Test func recordsLeadPastADamagedSnapshot() throws {
    let (folder, party) = try TestFolder.party(seconds: 4)
    try folder.change("UPDATE snapshot SET bytes = x'00' WHERE position = 120")
    try folder.with { journal in
      let stretch = try #require(try JournalPast(journal).stretch(holding: 130))
      #expect(stretch.snapshot.position == 60 && stretch.next == 180)
      var replica = try Replica(snapshot: stretch.snapshot.bytes)
      try replica.receive(stretch.records)
      #expect(replica.pit.stateHash() == party.hashes[180])
    }
  }

  @Test(arguments: [
    "DELETE FROM records WHERE last = 90", "UPDATE records SET bytes = x'90' WHERE last = 90",
  ])
  func whatIsMissingIsLeftOut(sql: String) throws {
    let (folder, party) = try TestFolder.party(seconds: 4)
    try folder.change(sql)
    try folder.with { journal in
      let stretch = try #require(try JournalPast(journal).stretch(holding: 100))
      #expect(stretch.snapshot.position == 60 && stretch.next == 120)
      var replica = try Replica(snapshot: stretch.snapshot.bytes)
      try replica.receive(stretch.records)
      #expect(replica.pit.tick == 87 && replica.pit.stateHash() == party.hashes[87])
    }
  }

  @Test func whatAnotherCoreMadeIsNotShown() throws {
    let (folder, _) = try TestFolder.party(seconds: 4)
    try folder.change("UPDATE origin SET core = core + 1")
    try folder.with { journal in
      #expect(throws: JournalError.otherCore(folder.path, version: "1")) { () throws in
        try JournalPast(journal)
      }
    }
  }

  @Test(arguments: [
    ("UPDATE snapshot SET bytes = x'00' WHERE position = 0", UInt64(60), UInt64(240)),
    ("UPDATE records SET bytes = x'90' WHERE last > 200", 0, 240),
    ("DELETE FROM snapshot WHERE position = 240; DELETE FROM records WHERE last = 201", 0, 198),
  ])
  func damageAtTheEndsIsNotShown(sql: String, first: UInt64, last: UInt64) throws {
    let (folder, _) = try TestFolder.party(seconds: 4)
    try folder.change(sql)
    try folder.with { journal in
      let extent = try JournalPast(journal).extent()
      #expect(extent.first == first && extent.last == last)
    }
  }

  @Test func withoutASnapshotNothingIsShown() throws {
    let (folder, _) = try TestFolder.party(seconds: 1)
    try folder.change("DELETE FROM snapshot")
    try folder.with { journal in
      #expect(throws: JournalError.noSnapshot(folder.path)) { () throws in
        try JournalPast(journal).extent()
      }
    }
  }
}
