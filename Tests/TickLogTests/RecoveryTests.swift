import Foundation
import Simulation
import Testing
import Wire

@testable import TickLog

/// The world that comes back is the one that was there.
@Suite struct RecoveryTests {
  @Test func aNewJournalHasNoWorld() throws {
    let folder = TestFolder()
    try folder.with { journal in
      let isNew = journal.isNew
      let recovery = try journal.recover()
      #expect(isNew && recovery == nil)
    }
  }

  /// What the host did is in the log like everything else: other worlds too, between snapshots.
  @Test func whatTheHostDidIsDoneAgain() throws {
    let folder = TestFolder()
    var party = try LogParty()
    party.acts = [
      70: .gravity(percent: 150), 80: .mostBodies(11), 100: .freeze, 110: .unfreeze,
      130: .begin(scene: Scene.rain.rawValue, bodies: 0, maxBodies: 400, seed: 4), 150: .freeze,
      200: .begin(scene: Scene.pit.rawValue, bodies: 25, maxBodies: 60, seed: 5), 201: .clear,
    ]
    let journal = try folder.open()
    try journal.append(party.beginning())
    try party.write(seconds: 3, to: journal)
    for _ in 0..<10 { try journal.append(party.entry(ticks: 3)) }
    let recovery = try #require(try journal.recover())
    #expect(recovery.position == 210 && recovery.replica.pit.stateHash() == party.hashes[210])
    #expect(recovery.replica.pit.scene == .pit)
    let report = try Verification(journal).run()
    #expect(report.ticks == 210 && report.mismatches == 0)
  }

  @Test func theWorldGoesOnWhereItWas() throws {
    var (folder, party) = try TestFolder.party(seconds: 3)
    let journal = try folder.open()
    let recovery = try #require(try journal.recover())
    #expect(recovery.position == 180)
    #expect(recovery.snapshot == 180)
    #expect(recovery.replica.pit.stateHash() == party.hashes[180])
    #expect(recovery.notes.isEmpty)
    try journal.append(party.goingOn())
    for _ in 0..<10 { try journal.append(party.entry(ticks: 3)) }
    try journal.close()
    try folder.with { journal in
      let later = try #require(try journal.recover())
      #expect(later.position == 210 && later.snapshot == 180)
      #expect(later.replica.pit.stateHash() == party.hashes[210])
      #expect(try journal.origins().map(\.beginning) == [.world, .continued])
    }
  }

  @Test func peopleComeBackWithWhatTheyHadCommanded() throws {
    var (folder, party) = try TestFolder.party(seconds: 1)
    let here = LoggedPerson(number: 3, token: SessionToken(low: 1 << 63, high: 7), commands: 2)
    let gone = LoggedPerson(
      number: 4, token: SessionToken(low: 9, high: 8), commands: 5, leftAt: LogParty.began)
    try folder.with { journal in
      var entry = party.entry(ticks: 30)
      entry.people = [here, gone]
      try journal.append(entry)
      let recovery = try #require(try journal.recover())
      // Ticks 63, 70, 77 and 84 had commands of number 3: its 9th to 12th.
      #expect(recovery.people.map(\.commands) == [12, 5])
      #expect(recovery.people.map(\.token) == [here.token, gone.token])
      #expect(recovery.people.map(\.leftAt) == [nil, LogParty.began])
      try journal.keepPeople([3])
      #expect(try journal.people().map(\.number) == [3])
    }
  }

  @Test func aDamagedSnapshotIsPassedOver() throws {
    let (folder, party) = try TestFolder.party(seconds: 3)
    try folder.change("UPDATE snapshot SET bytes = zeroblob(100) WHERE position = 180")
    try folder.with { journal in
      let recovery = try #require(try journal.recover())
      #expect(recovery.snapshot == 120 && recovery.position == 180)
      #expect(recovery.replica.pit.stateHash() == party.hashes[180])
      #expect(recovery.notes.count == 1)
    }
  }

  @Test func withoutAnySnapshotNothingIsMadeUp() throws {
    let (folder, _) = try TestFolder.party(seconds: 1)
    try folder.change("UPDATE snapshot SET bytes = x'00'")
    try folder.with { journal in
      #expect(throws: JournalError.noSnapshot(folder.path)) { try journal.recover() }
    }
  }

  @Test func aDamagedTailIsCutOffAndTold() throws {
    var (folder, party) = try TestFolder.party(seconds: 1)
    try folder.with { journal in
      for _ in 0..<10 { try journal.append(party.entry(ticks: 3)) }
    }
    try folder.change("UPDATE records SET bytes = x'0001' WHERE last > 81")
    try folder.with { journal in
      let recovery = try #require(try journal.recover())
      #expect(recovery.position == 81 && journal.last == 81)
      #expect(recovery.replica.pit.stateHash() == party.hashes[81])
      #expect(recovery.notes == ["ticks 82 to 90 at the end are damaged and cut off"])
      #expect(try journal.groups(after: 81, limit: 1).isEmpty)
    }
  }

  @Test(arguments: [
    "UPDATE records SET bytes = x'0001' WHERE last = 72",
    "DELETE FROM records WHERE last = 72",
    "UPDATE records SET count = 70000 WHERE last = 72",
  ])
  func aDamagedMiddleIsForSomebodyToDecide(damage: String) throws {
    var (folder, party) = try TestFolder.party(seconds: 1)
    try folder.with { journal in
      for _ in 0..<10 { try journal.append(party.entry(ticks: 3)) }
    }
    try folder.change(damage)
    try folder.with { journal in
      #expect(
        throws: JournalError.damagedMiddle(folder.path, first: 70, resumes: 73)
      ) { try journal.recover() }
      #expect(try !journal.check().problems.isEmpty)
      try journal.prune(after: 69)
      let recovery = try #require(try journal.recover())
      #expect(recovery.position == 69)
      #expect(recovery.replica.pit.stateHash() == party.hashes[69])
      #expect(try journal.check().problems.isEmpty)
    }
  }

  @Test func aCutStretchGoesOnFromItsSnapshot() throws {
    var (folder, party) = try TestFolder.party(seconds: 1)
    _ = party.entry(ticks: 90)
    try folder.with { journal in
      var entry = party.goingOn()
      entry.origin!.beginning = .snapshot
      entry.snapshot = party.snapshot()
      try journal.append(entry)
      try journal.append(party.entry(ticks: 3))
      let recovery = try #require(try journal.recover())
      #expect(recovery.position == 153 && recovery.snapshot == 150)
      #expect(recovery.replica.pit.stateHash() == party.hashes[153])
      #expect(try journal.check().problems.isEmpty)
      #expect(try Verification(journal).run().mismatches == 0)
    }
    // What was before the cut doesn't lead over it.
    try folder.change("UPDATE snapshot SET bytes = x'00' WHERE position = 150")
    try folder.with { journal in
      #expect(throws: JournalError.noSnapshot(folder.path)) { try journal.recover() }
    }
  }

  /// Behind a cut the snapshot has no group that ends where it stands.
  @Test func theSnapshotBehindACutSurvivesPruning() throws {
    var (folder, party) = try TestFolder.party(seconds: 1)
    _ = party.entry(ticks: 90)
    try folder.with { journal in
      var entry = party.goingOn()
      entry.origin!.beginning = .snapshot
      entry.snapshot = party.snapshot()
      try journal.append(entry)
      try journal.append(party.entry(ticks: 3))
      try journal.prune(after: 151)
      let recovery = try #require(try journal.recover())
      #expect(recovery.position == 150)
      #expect(recovery.replica.pit.stateHash() == party.hashes[150])
    }
  }

  @Test func whatNobodyCouldGoOnFromIsNotPrunedTo() throws {
    let (folder, party) = try TestFolder.party(seconds: 3)
    try folder.with { journal in
      try journal.prune(before: 120)
      #expect(throws: JournalError.tooEarly(folder.path, first: 120)) {
        try journal.prune(after: 100)
      }
      let recovery = try #require(try journal.recover())
      #expect(recovery.replica.pit.stateHash() == party.hashes[180])
    }
  }

  @Test func aGroupOfAnotherHistoryIsNoPartOfThisOne() throws {
    var (folder, party) = try TestFolder.party(seconds: 1)
    try folder.with { journal in
      for _ in 0..<2 { try journal.append(party.entry(ticks: 3)) }
      let group = try journal.groups(after: 60, limit: 2)[1]
      var strange = group
      strange.links = nil
      let link = LogLink.after(99, strange)
      // Sound by itself, but what it names as the group before it is another one.
      try journal.execute(
        "UPDATE records SET before = 99, link = \(Int64(bitPattern: link)) WHERE last = 66")
      #expect(try journal.groups(after: 63, limit: 1)[0].isSound)
      #expect(try Verification(journal).run().firstMismatch == 64)
      #expect(throws: JournalError.self) { try journal.recover() }
    }
  }

  @Test func anotherCoresLogIsGoneOnWithAfterAnUpgradeOnly() throws {
    var (folder, party) = try TestFolder.party(seconds: 2)
    try folder.with { try $0.append(party.entry(ticks: 5)) }
    try folder.change("UPDATE origin SET core = 5, version = '0.9'")
    try folder.with { journal in
      #expect(throws: JournalError.otherCore(folder.path, version: "0.9")) {
        try journal.recover()
      }
      #expect(try !journal.isOurs())
      let result = try journal.upgrade(version: "2", at: 0)
      #expect(result.position == 120 && result.lost == 5)
      let recovery = try #require(try journal.recover())
      #expect(recovery.position == 120)
      #expect(recovery.replica.pit.stateHash() == party.hashes[120])
      let report = try Verification(journal).run()
      #expect(report.mismatches == 0 && report.foreignTicks == 120)
    }
  }
}
