import Testing
import Wire

@testable import Simulation

/// The past is shown as it was, in whatever order its ticks are asked for.
@Suite struct RecordedPlaybackTests {
  /// A world with drops in it, what a page recorded of it, and what there was to see in each tick.
  private struct Party {
    var pit: Pit
    var coder: RecordCoder
    var replica: Replica
    var recording = Recording()
    var seen: [UInt32: [StreamBody]] = [:]
    /// What the host does, by ticks after the first.
    let acts: [Int: HostAct]

    init(start: UInt32 = 0, ticks: Int, acts: [Int: HostAct] = [:]) throws {
      self.acts = acts
      pit = try Pit(PitConfiguration(bodies: 12, maxBodies: 60, seed: 4), tick: start)
      coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
      replica = Replica(pit, coder)
      recording.begin(replica)
      note()
      for index in 0..<ticks { try tick(index) }
    }

    private mutating func tick(_ index: Int) throws {
      let swing = Int16(index % 200) * 100 - 10_000
      var inputs = TickInputs(gravity: QuantizedGravity(x: swing, y: 9000))
      if let act = acts[index] { inputs.acts = [act] }
      if index % 40 == 20 {
        let command = Command.drop(kind: UInt8(index / 40 % 16), x: 2000, y: 600)
        inputs.commands = [
          StampedCommand(person: 2, sequence: UInt32(index / 40 + 1), command: command)
        ]
      }
      var record: [UInt8] = []
      coder.encode(pit.tick(inputs).record, into: &record)
      try record.withUnsafeBytes {
        try replica.receive($0)
        recording.append($0, leadingTo: replica)
      }
      note()
    }

    private mutating func note() {
      var bodies: [StreamBody] = []
      pit.bodies(into: &bodies)
      seen[pit.tick] = bodies
    }
  }

  /// The host's other worlds are shown as they were, each in its size, and nothing flies from one
  /// to the next.
  @Test func otherWorldsAreShownAsTheyWere() throws {
    let party = try Party(
      ticks: 200,
      acts: [
        60: .begin(scene: Scene.gallery.rawValue, bodies: 4, maxBodies: 4, seed: 1), 100: .freeze,
        150: .begin(scene: Scene.pit.rawValue, bodies: 5, maxBodies: 60, seed: 2),
      ])
    var past = RecordedPlayback(party.recording.stretches)
    for (tick, scene) in [
      (170, Scene.pit), (60, .pit), (61, .gallery), (130, .gallery), (10, .pit),
    ] {
      let shown = try show(UInt32(tick), in: &past)
      let seen = try #require(party.seen[UInt32(tick)])
      #expect(shown.map { Int($0.slot) } == seen.map { Int($0.slot) })
      #expect(zip(shown, seen).allSatisfy { abs($0.x - $1.x) < 0.01 && abs($0.y - $1.y) < 0.01 })
      #expect(past.scene == scene)
      #expect((past.worldSize.x == 720) == (scene == .pit), "\(past.worldSize)")
    }
    let before = try show(60, in: &past)
    let between = try show(60, share: 0.5, in: &past)
    #expect(between.map(\.x) == before.map(\.x))
    #expect(!past.hasDiverged)
  }

  private func show(_ tick: UInt32, share: Float = 0, in past: inout RecordedPlayback) throws
    -> [StickerInstance]
  {
    for wanted in [tick, tick.nextTick] {
      while past.reach(wanted, most: 7) == .onTheWay {}
    }
    var instances: [StickerInstance] = []
    try #require(past.sample(tick, share: share, into: &instances))
    return instances
  }

  private func expect(_ shown: [StickerInstance], are bodies: [StreamBody]) {
    #expect(shown.count == bodies.count)
    for (one, body) in zip(shown, bodies) {
      #expect(one.x == body.x && one.y == body.y && one.slot == Float(body.slot))
    }
  }

  @Test(arguments: [UInt32(0), UInt32.max - 700]) func anyTickInAnyOrder(start: UInt32) throws {
    let party = try Party(start: start, ticks: 1500)
    var past = RecordedPlayback(party.recording.stretches)
    #expect(past.first == start && party.recording.count == 1500)
    var state: UInt32 = 7
    for _ in 0..<60 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let tick = start &+ (state >> 8) % 1500
      expect(try show(tick, in: &past), are: party.seen[tick]!)
    }
    // The last has no next one.
    expect(try show(start &+ 1500, share: 0.7, in: &past), are: party.seen[start &+ 1500]!)
    #expect(past.reach(start &+ 1501, most: 7) == .missing)
    #expect(past.reach(start &- 1, most: 7) == .missing)
    #expect(!past.hasDiverged)
  }

  @Test func atATickOnlyThatTickIsShown() throws {
    let party = try Party(ticks: 100)
    var past = RecordedPlayback(party.recording.stretches)
    for tick in UInt32(0)...100 { expect(try show(tick, in: &past), are: party.seen[tick]!) }
    #expect(Set(party.seen.values.map(\.count)).count > 2, "some ticks bring stickers")
  }

  @Test func halfWayBetweenTwoTicks() throws {
    let party = try Party(ticks: 50)
    var past = RecordedPlayback(party.recording.stretches)
    let (before, after) = (party.seen[30]!, party.seen[31]!)
    for (index, one) in try show(30, share: 0.5, in: &past).enumerated() {
      let middle = before[index].x + (after[index].x - before[index].x) * 0.5
      #expect((one.x - middle).magnitude < 0.001)
    }
  }

  @Test func goingBackRunsNoMoreThanFromOneKeptWorld() throws {
    let party = try Party(ticks: 1100)
    var past = RecordedPlayback(party.recording.stretches)
    _ = try show(1100, in: &past)
    var steps = 0
    for tick in (0..<UInt32(1100)).reversed() {
      while past.reach(tick, most: 20) == .onTheWay { steps += 1 }
      while past.reach(tick.nextTick, most: 20) == .onTheWay { steps += 1 }
    }
    // At the border the stretch before is run once, from its beginning: thirty times twenty ticks.
    #expect(steps <= 32)
  }

  @Test func aLongStretchGoesBackAsWell() throws {
    let party = try Party(ticks: 2500)
    let records = party.recording.stretches.map(\.records).joined()
    let start = party.recording.stretches[0].start
    var past = RecordedPlayback([try RecordedStretch(start.saved(), Array(records))])
    _ = try show(2500, in: &past)
    var steps = 0
    for tick in (0..<UInt32(2500)).reversed() {
      while past.reach(tick, most: 20) == .onTheWay { steps += 1 }
    }
    // Of the worlds on the way sixty are kept: the beginning is run once more for each 1200 ticks.
    #expect(steps <= 2 * 2500 / 20)
  }

  @Test func aMinuteIsKeptAndNotMore() throws {
    let party = try Party(ticks: 6000)
    #expect(party.recording.stretches.count == 7)
    #expect((3600...4200).contains(party.recording.count))
    for (one, next) in zip(party.recording.stretches, party.recording.stretches.dropFirst()) {
      #expect(one.last == next.first)
    }
  }

  @Test func whatDoesNotFollowBeginsAnew() throws {
    var party = try Party(ticks: 100)
    let other = try Party(start: 90, ticks: 0)
    party.recording.begin(other.replica)
    #expect(party.recording.stretches.count == 1 && party.recording.count == 0)
    // Who goes on with the same world goes on recording.
    party.recording.begin(other.replica)
    #expect(party.recording.stretches.count == 1)
  }

  @Test func stretchesOfAJournalComeAndGo() throws {
    let party = try Party(ticks: 4000)
    let stretches = party.recording.stretches
    var past = RecordedPlayback()
    #expect(past.first == nil && past.reach(0, most: 1) == .missing)
    for stretch in stretches {
      let snapshot = SavedWorld(stretch.start.pit, stretch.start.coder).packed()
      let taken = try RecordedStretch(snapshot: snapshot, records: stretch.records)
      #expect(taken.last == stretch.last)
      past.add(taken)
      past.add(taken)
    }
    let tick = stretches[3].first &+ 17
    expect(try show(tick, in: &past), are: party.seen[tick]!)
    // One too many: the other end goes.
    past.add(try RecordedStretch(Party(start: 9000, ticks: 0).replica.saved(), []))
    past.add(try RecordedStretch(Party(start: 9900, ticks: 0).replica.saved(), []))
    #expect(past.first == stretches[1].first)
  }

  @Test func bytesThatAreNoneAreRefused() throws {
    let saved = try Party(ticks: 0).replica.saved()
    #expect(throws: ReplicaError.malformedSnapshot) { try RecordedStretch(saved.dropLast(), []) }
    #expect(throws: ReplicaError.self) { try RecordedStretch(saved, [0x9F, 0xFF]) }
    #expect(throws: ReplicaError.tooManyRecords) {
      try RecordedStretch(saved, Array(repeating: 0x90, count: RecordedStretch.mostTicks + 1))
    }
  }

  @Test func anotherWorldIsTold() throws {
    let party = try Party(ticks: 100)
    let other = try Party(ticks: 0)
    var wrong = try Pit(PitConfiguration(bodies: 12, maxBodies: 60, seed: 5))
    wrong.tick(TickInputs())
    let right = party.recording.stretches[0]
    #expect(other.replica.pit.tick == right.first)
    let start = Replica(
      try Pit(PitConfiguration(bodies: 12, maxBodies: 60, seed: 5)), other.coder)
    var past = RecordedPlayback([try RecordedStretch(start.saved(), right.records)])
    while past.reach(100, most: 20) == .onTheWay {}
    #expect(past.hasDiverged)
  }
}

extension Replica {
  fileprivate func saved() -> [UInt8] { SavedWorld(pit, coder).packed() }
}

extension RecordedStretch {
  fileprivate init(_ snapshot: some Sequence<UInt8>, _ records: [UInt8]) throws(ReplicaError) {
    try self.init(snapshot: Array(snapshot), records: records)
  }
}
