import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// Whoever joins is sent a packed snapshot: short, exact, and refused when it is damaged.
@Suite struct JoinTests {
  private static func snapshot(_ pit: Pit) -> [UInt8] {
    SavedWorld(pit, RecordCoder(tick: pit.tick, gravity: pit.gravity)).packed()
  }

  private static func saved(_ pit: Pit) -> [UInt8] {
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    return bytes
  }

  /// One tick more, at whose end the caches are dropped: that of a snapshot.
  private static func dropped(_ pit: Pit) -> Pit {
    var (pit, inputs) = (pit, TickInputs())
    inputs.dropsCaches = true
    pit.tick(inputs)
    return pit
  }

  @Test(arguments: Scene.allCases) func aReplicaIsThePitToTheByte(_ scene: Scene) throws {
    for seed in UInt64(1)...6 {
      let busy = try ForgedSnapshotTests.busy(scene, seed: seed)
      for pit in [busy, Self.dropped(busy)] {
        let snapshot = Self.snapshot(pit)
        let replica = try Replica(snapshot: snapshot)
        #expect(Self.saved(replica.pit) == Self.saved(pit))
        #expect(2 * snapshot.count < Self.saved(pit).count + 1000, "\(scene)")
        var twins = [pit, replica.pit]
        for _ in 0..<30 { for index in 0..<2 { twins[index].tick(TickInputs()) } }
        #expect(twins[0].stateHash() == twins[1].stateHash())
      }
    }
  }

  /// Pits of a thousand, at rest and in motion.
  @Test(arguments: [false, true]) func aThousandStickersFit(_ moves: Bool) throws {
    var pit = try Pit(PitConfiguration(bodies: 1000, maxBodies: 1000, seed: 7))
    for tick in 0..<(moves ? 200 : 900) {
      var inputs = TickInputs()
      if moves, tick >= 120 { inputs.gravity = QuantizedGravity(x: 11_000, y: -11_000) }
      pit.tick(inputs)
    }
    #expect(pit.bodyCount == 1000)
    let snapshot = Self.snapshot(Self.dropped(pit))
    #expect(snapshot.count <= 48_000, "\(snapshot.count)")
    // The caches are dropped last: what is saved behind the tick is short.
    #expect(4 * snapshot.count < 3 * Self.snapshot(pit).count)
  }

  /// Pits of a thousand in which people are at work: hands hold stickers, others fly, the host has
  /// decided something. Each of those is a few bytes more.
  @Test(arguments: [(1, false), (2, true), (3, true)] as [(UInt64, Bool)])
  func aThousandStickersAtWorkFit(seed: UInt64, moves: Bool) throws {
    var stage = try Stage(.pit, bodies: 1000, maxBodies: 1001, seed: seed)
    for tick in 0..<(moves ? 200 : 600) {
      var inputs = TickInputs()
      if tick == 100 { inputs.acts = [.gravity(percent: 150), .mostBodies(1000)] }
      if moves, tick >= 120 { inputs.gravity = QuantizedGravity(x: 11_000, y: -11_000) }
      stage.pit.tick(inputs)
    }
    #expect(stage.pit.bodyCount == 1000)
    for slot in 0..<9 { stage.grab(slot, at: stage.center(slot), by: UInt16(1 + slot / 3)) }
    for slot in 500..<520 { stage.snap(slot, to: Vector2(360, 300), by: 4) }
    stage.tick()
    for _ in 0..<10 {
      for slot in 0..<9 {
        stage.move(slot, to: Vector2(200 + 40 * Float(slot), 400), by: UInt16(1 + slot / 3))
      }
      stage.tick()
    }
    #expect(stage.pit.playground.grips.count == 9 && stage.pit.holders == [1, 2, 3])
    #expect(stage.pit.playground.flights.count >= 10)
    let pit = Self.dropped(stage.pit)
    let snapshot = Self.snapshot(pit)
    #expect(snapshot.count <= 48_000, "\(snapshot.count)")
    #expect(Self.saved(try Replica(snapshot: snapshot).pit) == Self.saved(pit))
  }

  /// Pits of a thousand stickers of a set, whatever its forms are: a snapshot has them once, and
  /// each sticker's kind and size.
  @Test(arguments: [false, true]) func aThousandStickersOfASetFit(_ haveOutlines: Bool) throws {
    let set = haveOutlines ? try Self.outlines() : try Self.discsAndBoxes()
    var pit = try Pit(PitConfiguration(bodies: 1000, maxBodies: 1000, seed: 7, stickers: set))
    // They rain in first.
    for _ in 0..<900 { pit.tick(TickInputs()) }
    #expect(pit.bodyCount == 1000)
    let dropped = Self.dropped(pit)
    let snapshot = Self.snapshot(dropped)
    #expect(snapshot.count <= 48_000, "\(snapshot.count)")
    let replica = try Replica(snapshot: snapshot)
    #expect(replica.pit.stickers == set && replica.pit.stateHash() == dropped.stateHash())
  }

  private static func discsAndBoxes() throws -> StickerSet {
    try StickerSet([
      StickerKind(.disc(diameter: 960)), StickerKind(.box(width: 900, height: 600, corner: 100)),
    ])
  }

  /// As many kinds as there may be, each of as many corners as there may be, and no two alike.
  private static func outlines() throws -> StickerSet {
    try StickerSet(
      (0..<StickerSet.mostKinds).map { kind in
        let (far, near) = (Int16(440 - 5 * kind), Int16(310 - 4 * kind))
        let places: [(Int16, Int16)] = [
          (0, -far), (near, -near), (far, 0), (near, near), (0, far), (-near, near), (-far, 0),
          (-near, -near),
        ]
        let corners = places.map { StickerShape.Corner(x: $0.0, y: $0.1) }
        return StickerKind(.outline(corners, growth: 20))
      })
  }

  @Test(arguments: Scene.allCases) func damageIsFoundOut(_ scene: Scene) throws {
    let snapshot = Self.snapshot(Self.dropped(try ForgedSnapshotTests.busy(scene, seed: 3)))
    var chance = RandomGenerator(seed: 21)
    // The last byte may say the same in several ways.
    let packed = UInt32(snapshot.count - RecordCoder.savedBytes - 1)
    for round in 0..<200 {
      var damaged = snapshot
      let place = RecordCoder.savedBytes + Int(chance.next(below: packed))
      switch round % 3 {
      case 0: damaged[place] ^= 1 << UInt8(chance.next(below: 8))
      case 1: damaged[place] = ~damaged[place]
      default: damaged.removeSubrange(place...)
      }
      #expect(throws: ReplicaError.malformedSnapshot) { try Replica(snapshot: damaged) }
    }
  }

  /// What a forger packed is refused by the pit, or can be played.
  @Test(arguments: Scene.allCases) func aForgedWorldIsPackedInVain(_ scene: Scene) throws {
    let pit = Self.dropped(try ForgedSnapshotTests.busy(scene, seed: 5))
    let bytes = Self.saved(pit)
    var chance = RandomGenerator(seed: 31)
    for _ in 0..<40 {
      let forged = ForgedSnapshotTests.forge(bytes, &chance)
      var snapshot = Array(Self.snapshot(pit)[..<RecordCoder.savedBytes])
      Packing.pack(forged, into: &snapshot)
      guard var replica = try? Replica(snapshot: snapshot) else { continue }
      var record: [UInt8] = []
      var coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
      coder.encode(TickRecord(tick: pit.tick.nextTick), into: &record)
      _ = try? replica.receive(record)
    }
  }
}
