import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// Whoever follows the log has the same world.
@Suite struct ReplicaTests {
  /// A world, its log, and somebody who follows it.
  private struct Pair {
    var stage: Stage
    var coder: RecordCoder
    var replica: Replica

    init(_ stage: Stage) throws {
      self.stage = stage
      coder = RecordCoder(tick: stage.pit.tick, gravity: stage.pit.gravity)
      replica = try Replica(snapshot: SavedWorld(stage.pit, coder).packed())
    }

    @discardableResult
    mutating func tick(_ count: Int = 1) throws -> TickOutcome {
      var last: TickOutcome?
      for _ in 0..<count {
        let outcome = stage.tick()
        var bytes: [UInt8] = []
        coder.encode(outcome.record, into: &bytes)
        var told: TickOutcome?
        try bytes.withUnsafeBytes { raw in _ = try replica.receive(raw) { told = $0 } }
        #expect(told == outcome && isSame)
        last = outcome
      }
      return last!
    }

    var isSame: Bool {
      var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
      stage.pit.save(into: &mine)
      replica.pit.save(into: &theirs)
      return mine == theirs
    }
  }

  @Test func aRefusedCommandIsInTheLogAndChangesNothing() throws {
    // Every sticker is held, so there is no room for one more.
    var pair = try Pair(Stage(.pit, bodies: 3, maxBodies: 3))
    for slot in 0..<3 { pair.stage.grab(slot, at: pair.stage.center(slot)) }
    try pair.tick()
    let chance = pair.stage.pit.playground.chance
    pair.stage.give(.drop(kind: 1, x: 800, y: 800), by: 2)
    pair.stage.give(.throwSticker(x: 16, y: 16, velocityX: 9, velocityY: 9), by: 2)
    let refused = try pair.tick()
    #expect(refused.carriedOut.isEmpty && refused.record.commands.count == 2)
    #expect(pair.stage.pit.playground.chance == chance)
    pair.stage.release(0)
    pair.stage.give(.drop(kind: 1, x: 800, y: 800), by: 2)
    #expect(try pair.tick().carriedOut.count == 2)
    try pair.tick(60)
  }

  @Test func aSnapForWhichThereIsNoRoomOpensNoHand() throws {
    var stage = try Stage(.pit, bodies: 300)
    stage.tick(300)
    #expect(stage.pit.bodyCount == 300, "all have rained in")
    var pair = try Pair(stage)
    for slot in 0..<Flight.most {
      pair.stage.snap(slot, to: Vector2(20, 20), by: UInt16(2 + slot))
    }
    pair.stage.grab(280, at: pair.stage.center(280))
    try pair.tick()
    #expect(pair.stage.pit.playground.flights.count == Flight.most)
    pair.stage.snap(280, to: Vector2(100, 100))
    #expect(try pair.tick().carriedOut.isEmpty)
    #expect(pair.stage.pit.isHeld(280, by: 1))
    // One that flies already may be sent elsewhere.
    pair.stage.snap(0, to: Vector2(300, 300), by: 2)
    #expect(try pair.tick().carriedOut.count == 1)
    try pair.tick(30)
  }

  @Test func aCommandsChanceIsItsOwn() throws {
    func dropped(after ticks: Int, others: Int) throws -> Sticker {
      var stage = try Stage(.pit, bodies: 0)
      stage.tick(ticks)
      for index in 0..<others {
        stage.give(.throwSticker(x: Int16(800 + 500 * index), y: 800, velocityX: 0, velocityY: 0))
      }
      stage.give(.throwSticker(x: 4000, y: 4000, velocityX: 0, velocityY: 0), by: 9)
      stage.tick()
      return stage.pit.playground.sticker(of: stage.item(others))
    }
    let sticker = try dropped(after: 0, others: 0)
    #expect(try dropped(after: 5, others: 0) == sticker)
    #expect(try dropped(after: 1, others: 4) == sticker)
    var stage = try Stage(.pit, bodies: 0)
    for index in 0..<40 {
      stage.give(
        .throwSticker(
          x: Int16(400 + 600 * (index % 8)), y: Int16(400 + 600 * (index / 8)), velocityX: 0,
          velocityY: 0))
    }
    stage.tick()
    let kinds = Set((0..<40).map { stage.pit.playground.sticker(of: stage.item($0)).kind })
    #expect(kinds.count > 8, "one command's chance tells nothing about the next one's")
  }

  @Test func forgettingCachesIsInTheLog() throws {
    var pair = try Pair(Stage(.pit, bodies: 60))
    try pair.tick(90)
    var inputs = TickInputs()
    inputs.dropsCaches = true
    let outcome = pair.stage.pit.tick(inputs)
    var bytes: [UInt8] = []
    pair.coder.encode(outcome.record, into: &bytes)
    try bytes.withUnsafeBytes { raw in _ = try pair.replica.receive(raw) }
    #expect(pair.isSame)
    try pair.tick(90)
  }

  @Test func anotherWorldIsFoundOut() throws {
    var pair = try Pair(Stage(.pit, bodies: 20))
    try pair.tick(25)
    pair.stage.pit.playground.chance.state ^= 1
    let outcomes = (0..<5).map { _ in pair.stage.tick() }
    var bytes: [UInt8] = []
    for outcome in outcomes { pair.coder.encode(outcome.record, into: &bytes) }
    #expect(throws: ReplicaError.diverged(tick: 30)) {
      try bytes.withUnsafeBytes { raw in _ = try pair.replica.receive(raw) }
    }
  }

  @Test func forgedRecordsAndSnapshotsAreRefused() throws {
    var pair = try Pair(Stage(.pit, bodies: 5))
    let command = StampedCommand(person: 1, sequence: 1, command: .leave)
    var bytes: [UInt8] = []
    pair.coder.encode(TickRecord(tick: 1, commands: [command, command]), into: &bytes)
    #expect(throws: ReplicaError.unlikelyRecord(tick: 1)) {
      try bytes.withUnsafeBytes { raw in _ = try pair.replica.receive(raw) }
    }
    #expect(throws: ReplicaError.malformedRecord(.unknownType(0))) {
      try [0 as UInt8].withUnsafeBytes { raw in _ = try pair.replica.receive(raw) }
    }
    let endless = [UInt8](repeating: RecordCoder.mark, count: TickRecord.mostInMessage + 1)
    var patient = try Pair(Stage(.toss, bodies: 1))
    #expect(throws: ReplicaError.tooManyRecords) { try patient.replica.receive(endless) }
    // Hashes are missing every 30 ticks, too: all that fits is carried out before it is said.
    patient = try Pair(Stage(.toss, bodies: 1))
    #expect(throws: ReplicaError.diverged(tick: 30)) {
      try patient.replica.receive(endless.dropLast())
    }
    #expect(patient.replica.pit.tick == UInt32(TickRecord.mostInMessage))
    var snapshot = SavedWorld(pair.stage.pit, RecordCoder(tick: 0, gravity: .down)).packed()
    #expect(throws: ReplicaError.malformedRecord(.truncated)) {
      try Replica(snapshot: Array(snapshot[..<8]))
    }
    #expect(throws: ReplicaError.malformedSnapshot) {
      try Replica(snapshot: snapshot.dropLast())
    }
    snapshot[0] ^= 1
    #expect(throws: ReplicaError.malformedSnapshot) { try Replica(snapshot: snapshot) }
  }
}
