import Physics
import Testing
import Wire

@testable import Simulation

/// What the host does to a world, by known answers; that replicas and copies do the same,
/// `PlayTests` and `FleetTests` see.
@Suite struct HostActTests {
  private func pit(
    _ scene: Scene = .pit, bodies: Int? = 20, maxBodies: Int = 60
  ) throws -> Pit {
    try Pit(PitConfiguration(scene: scene, bodies: bodies, maxBodies: maxBodies, seed: 5))
  }

  /// One tick with acts, and the commands of one person, numbered from `first`.
  @discardableResult
  private func tick(
    _ pit: inout Pit, _ acts: [HostAct] = [], _ commands: [Command] = [], first: UInt32 = 1
  ) -> TickOutcome {
    var inputs = TickInputs(gravity: .down)
    inputs.acts = acts
    inputs.commands = commands.enumerated().map {
      StampedCommand(person: 3, sequence: first + UInt32($0), command: $1)
    }
    return pit.tick(inputs)
  }

  private func places(_ pit: Pit) -> [StreamBody] {
    var bodies: [StreamBody] = []
    pit.bodies(into: &bodies)
    return bodies
  }

  private func saved(_ pit: Pit) -> [UInt8] {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    return bytes
  }

  // MARK: Freezing

  @Test func aFrozenWorldStandsStillAndGoesOnWhereItWas() throws {
    var pit = try pit()
    var other = pit
    for _ in 0..<30 {
      tick(&pit)
      tick(&other)
    }
    tick(&pit, [.freeze])
    let stands = places(pit)
    for _ in 0..<100 { tick(&pit) }
    #expect(pit.isFrozen && pit.tick == 131 && places(pit) == stands)
    tick(&pit, [.unfreeze])
    tick(&other)
    #expect(!pit.isFrozen && places(pit) == places(other))
    for _ in 0..<200 {
      tick(&pit)
      tick(&other)
    }
    #expect(places(pit) == places(other))
    #expect(pit.tick == other.tick + 101)
  }

  @Test func aFrozenWorldRefusesAllButOpenHands() throws {
    var pit = try pit()
    tick(&pit)
    let body = places(pit)[0]
    let (x, y) = (Int16(body.x * 8), Int16(body.y * 8))
    let grab = Command.grab(slot: body.slot, generation: body.generation, x: x, y: y)
    #expect(tick(&pit, [], [grab]).carriedOut.count == 1)
    tick(&pit, [.freeze])
    let refused: [Command] = [
      .drop(kind: 1, x: 100, y: 100), grab, .move(slot: body.slot, x: 0, y: 0),
      .throwSticker(x: x, y: y, velocityX: 1, velocityY: 1),
      .snap(slot: body.slot, generation: body.generation, x: 9, y: 9), .say(keyword: 1),
    ]
    #expect(tick(&pit, [], refused, first: 2).carriedOut.isEmpty)
    #expect(pit.holders == [3])
    let release = Command.release(slot: body.slot, velocityX: 500, velocityY: 0)
    #expect(tick(&pit, [], [release], first: 9).carriedOut.count == 1)
    #expect(pit.holders.isEmpty)
    #expect(tick(&pit, [.freeze]).actsCarriedOut == 0, "it stands still already")
  }

  /// A rain's next sticker comes after the same time of the scene, however long it stood still.
  @Test func theScenesTimeStandsStillToo() throws {
    var pit = try pit(.rain, bodies: nil, maxBodies: 400)
    let arrivals = { (pit: inout Pit, breaks: Bool) -> [Int] in
      var counts: [Int] = []
      self.tick(&pit, [], [.say(keyword: 3)])
      for index in 0..<400 {
        if breaks, index == 50 {
          self.tick(&pit, [.freeze])
          for _ in 0..<500 { self.tick(&pit) }
          self.tick(&pit, [.unfreeze])
        } else {
          self.tick(&pit)
        }
        counts.append(pit.bodyCount)
      }
      return counts
    }
    var other = pit
    #expect(arrivals(&pit, true) == arrivals(&other, false))
    #expect(pit.bodyCount >= 4)
  }

  // MARK: Gravity and limits

  @Test(arguments: [0, 50, 200] as [UInt16]) func gravityPullsAsHardAsTheHostWants(
    percent: UInt16
  ) throws {
    var pit = try pit(bodies: 0)
    tick(&pit, [.gravity(percent: percent)], [.drop(kind: 2, x: 2880, y: 400)])
    let start = places(pit)[0].y
    for _ in 0..<30 { tick(&pit) }
    // ½·g·t² of half a second, g = 1000 pt/s²; sub-steps and the first tick are less than 5 %.
    let fallen = places(pit)[0].y - start
    let expected = 125 * Float(percent) / 100
    #expect(abs(fallen - expected) <= 0.1 * expected, "\(fallen)")
    #expect(pit.gravityPercent == percent)
  }

  @Test func fewerStickersAreAllowedAndTheOldestGo() throws {
    var pit = try pit()
    tick(&pit)
    let oldest = pit.playground.ages
    tick(&pit, [.mostBodies(12)])
    #expect(pit.bodyCount == 12 && pit.bodyCap == 12 && pit.capacity == 60)
    #expect(pit.playground.ages == Array(oldest.dropFirst(8)))
    tick(&pit, [], [.drop(kind: 1, x: 800, y: 800)])
    #expect(pit.bodyCount == 12)
    tick(&pit, [.mostBodies(60)])
    #expect(pit.bodyCap == 60 && pit.host == .none)
    #expect(tick(&pit, [.mostBodies(61)]).actsCarriedOut == 0)
    #expect(pit.bodyCap == 60)
  }

  @Test func whoHoldsKeepsWhatNobodyHoldsGoesFirst() throws {
    var pit = try pit()
    tick(&pit)
    let oldest = pit.playground.ages[0]
    let body = try #require(places(pit).first { $0.slot == oldest.slot })
    let grab = Command.grab(
      slot: body.slot, generation: body.generation, x: Int16(body.x * 8), y: Int16(body.y * 8))
    tick(&pit, [], [grab])
    #expect(pit.holders == [3])
    tick(&pit, [.mostBodies(1)])
    #expect(pit.playground.ages == [oldest] && pit.holders == [3])
  }

  // MARK: Clearing and beginning

  @Test func aClearedPitIsEmptyAndGoesOn() throws {
    var pit = try pit()
    tick(&pit)
    tick(&pit, [.clear])
    #expect(pit.bodyCount == 0)
    tick(&pit, [], [.drop(kind: 1, x: 800, y: 800)])
    #expect(pit.bodyCount == 1)
    for _ in 0..<60 { tick(&pit) }
    #expect(pit.bodyCount == 1)
  }

  @Test(arguments: [Scene.gallery, .drag, .toss]) func whatASceneIsMadeOfStays(
    scene: Scene
  ) throws {
    var pit = try pit(scene, bodies: nil)
    let count = pit.bodyCount
    #expect(tick(&pit, [.clear]).actsCarriedOut == 0)
    #expect(tick(&pit, [.mostBodies(1)]).actsCarriedOut == 0)
    #expect(tick(&pit, [.gravity(percent: 50)]).actsCarriedOut == (scene.tilts ? 1 : 0))
    #expect(pit.bodyCount == count && count > 0)
  }

  @Test(arguments: Scene.allCases) func anotherWorldIsTheOneOfItsConfiguration(
    scene: Scene
  ) throws {
    var pit = try pit()
    for _ in 0..<44 { tick(&pit) }
    tick(&pit, [.freeze, .gravity(percent: 10)])
    let bodies = UInt16(scene.defaultBodies)
    let outcome = tick(
      &pit, [.begin(scene: scene.rawValue, bodies: bodies, maxBodies: 100, seed: 9)])
    #expect(outcome.begins && outcome.record.tick == 46 && pit.tick == 46)
    var other = try Pit(
      PitConfiguration(scene: scene, bodies: Int(bodies), maxBodies: 100, seed: 9), tick: 45)
    tick(&other)
    #expect(pit.stateHash() == other.stateHash() && saved(pit) == saved(other))
    #expect(pit.scene == scene && !pit.isFrozen && pit.gravityPercent == 100)
  }

  @Test func worldsThatThereCannotBeAreRefused() throws {
    var pit = try pit()
    let hash = { (pit: Pit) in pit.stateHash() }
    for act: HostAct in [
      .begin(scene: 5, bodies: 1, maxBodies: 10, seed: 1),
      .begin(scene: 0, bodies: 11, maxBodies: 10, seed: 1),
      .begin(scene: 0, bodies: 0, maxBodies: 0, seed: 1),
      .begin(scene: 4, bodies: 60_000, maxBodies: 65_535, seed: 1),
      .gravity(percent: 301),
    ] {
      var other = pit
      let outcome = tick(&pit, [act])
      tick(&other)
      #expect(outcome.actsCarriedOut == 0 && !outcome.begins && hash(pit) == hash(other))
    }
  }

  // MARK: The log and snapshots

  private static let acts: [HostAct] = [
    .freeze, .gravity(percent: 0), .mostBodies(9),
    .begin(scene: Scene.rain.rawValue, bodies: 0, maxBodies: 400, seed: 77), .freeze, .unfreeze,
    .begin(scene: Scene.pit.rawValue, bodies: 30, maxBodies: 30, seed: 78), .clear, .mostBodies(4),
  ]

  @Test func aReplicaFollowsEverythingThatTheHostDoes() throws {
    var pit = try pit()
    var coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    var replica = Replica(pit, coder)
    for act in Self.acts {
      for index in 0..<40 {
        let outcome = tick(
          &pit, index == 7 ? [act] : [],
          index % 9 == 0 ? [.drop(kind: 1, x: 400, y: 400), .say(keyword: 2)] : [],
          first: pit.tick * 2 + 1)
        var bytes: [UInt8] = []
        coder.encode(outcome.record, into: &bytes)
        try replica.receive(bytes)
      }
      #expect(replica.pit.stateHash() == pit.stateHash())
      // And a snapshot of it, and a copy, are the same world.
      var restored = try Pit.restore(from: saved(pit))
      var copy = Pit()
      copy.assign(pit)
      #expect(saved(restored) == saved(pit) && saved(copy) == saved(pit))
      #expect(restored.bodyCap == pit.bodyCap && restored.tick == pit.tick)
      #expect(restored.stateHash() == pit.stateHash())
      tick(&restored)
      tick(&copy)
      #expect(saved(restored) == saved(copy))
    }
    #expect(replica.hashesMatched == 12)
  }

  @Test func theHashTellsWhatTheHostDecided() throws {
    let pit = try pit()
    var seen: Set<UInt64> = [pit.stateHash()]
    for change: (inout HostRules) -> Void in [
      { $0.isFrozen = true }, { $0.frozenTicks = 1 }, { $0.gravityPercent = 99 },
      { $0.mostBodies = 59 },
    ] {
      var other = pit
      change(&other.host)
      #expect(seen.insert(other.stateHash()).inserted)
      #expect(other.firstDifference(from: pit) != nil)
    }
  }

  @Test func snapshotsThatNoHostCanHaveMadeAreRefused() throws {
    var pit = try pit()
    tick(&pit)
    for change: (inout HostRules) -> Void in [
      { $0.gravityPercent = 301 }, { $0.mostBodies = 0 }, { $0.mostBodies = 60 },
      { $0.mostBodies = 19 },
    ] {
      var forged = pit
      change(&forged.host)
      let bytes = saved(forged)
      #expect(throws: PitError.malformedSnapshot) { try Pit.restore(from: bytes) }
    }
    var toss = try self.pit(.toss, bodies: nil)
    toss.host.mostBodies = 3
    let bytes = saved(toss)
    #expect(throws: PitError.malformedSnapshot) { try Pit.restore(from: bytes) }
  }
}
