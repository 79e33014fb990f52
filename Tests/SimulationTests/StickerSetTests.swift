import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// Pits whose stickers are of a set.
@Suite struct StickerSetTests {
  typealias Corner = StickerShape.Corner

  static let pentagon = StickerShape.outline(
    [
      Corner(x: 0, y: -400), Corner(x: 400, y: -100), Corner(x: 250, y: 350),
      Corner(x: -250, y: 350), Corner(x: -400, y: -100),
    ], growth: 50)

  /// One of each form, in other sizes and materials; the outline's centre of mass is not in its
  /// middle.
  static func set() throws -> StickerSet {
    try StickerSet([
      StickerKind(.disc(diameter: 960), sizePercent: 150, density: 300),
      StickerKind(.box(width: 900, height: 500, corner: 100), friction: 80, elasticity: 10),
      StickerKind(pentagon, sizePercent: 70),
    ])
  }

  static func pit(bodies: Int = 60, _ set: StickerSet? = nil) throws -> Pit {
    try Pit(PitConfiguration(bodies: bodies, seed: 5, stickers: try set ?? Self.set()))
  }

  @Test func stickersHaveTheirKindsFormSizeAndMaterial() throws {
    let pit = try Self.pit(bodies: 200)
    let configuration = try PitConfiguration(bodies: 200, stickers: Self.set())
    let usual = configuration.stickerSizes.range
    func sizes(_ percent: UInt32) -> ClosedRange<UInt32> {
      (usual.lowerBound * percent / 100)...(usual.upperBound * percent / 100)
    }
    let animator = pit.playground.animator
    var seen = Set<UInt8>()
    for id in pit.playground.ages {
      let sticker = pit.playground.sticker(of: id)
      seen.insert(sticker.kind)
      let properties = animator.properties(of: id)
      switch sticker.kind {
      case 0:
        #expect(sizes(150).contains(UInt32(sticker.size)))
        #expect(properties.density == 3 && properties.friction == 0.2)
      case 1:
        #expect(sizes(100).contains(UInt32(sticker.size)))
        #expect(properties.friction == 0.8 && properties.elasticity == 0.1)
      default:
        #expect(sizes(70).contains(UInt32(sticker.size)) && properties.density == 1)
      }
      #expect(pit.playground.itemShape(of: sticker).size.x <= Float(sticker.size))
    }
    #expect(seen == [0, 1, 2])
  }

  @Test func firstStickersTouchNobodyAndAllStaysInside() throws {
    var pit = try Self.pit(bodies: 100)
    let animator = pit.playground.animator
    let ids = pit.playground.ages
    for (place, one) in ids.enumerated() {
      for other in ids[..<place] {
        let (a, b) = (animator.center(of: one), animator.center(of: other))
        let reach =
          Float(
            Int(pit.playground.sticker(of: one).size) + Int(pit.playground.sticker(of: other).size))
          / 2
        #expect(max(abs(a.x - b.x), abs(a.y - b.y)) >= reach - 0.01)
      }
    }
    for _ in 0..<900 { pit.tick(TickInputs()) }
    let size = pit.worldSize
    for id in pit.playground.ages {
      let center = pit.playground.animator.center(of: id)
      #expect(center.x > 0 && center.x < size.x && center.y > 0 && center.y < size.y)
    }
  }

  @Test func onlyKindsOfTheSetAreDropped() throws {
    var pit = try Self.pit(bodies: 0)
    var commands: [StampedCommand] = []
    for kind in UInt8(0)..<5 {
      let drop = Command.drop(kind: kind, x: 800 + 900 * Int16(kind), y: 800)
      commands.append(StampedCommand(person: 1, sequence: 1 + UInt32(kind), command: drop))
    }
    let outcome = pit.tick(TickInputs(commands: commands))
    #expect(outcome.carriedOut.count == 3 && pit.bodyCount == 3)
  }

  @Test func aSnapshotHoldsTheSetAndTheHashCoversIt() throws {
    var pit = try Self.pit()
    for _ in 0..<200 { pit.tick(TickInputs()) }
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    var again = try Pit.restore(from: bytes)
    #expect(again.stickers == pit.stickers && again.stateHash() == pit.stateHash())
    for _ in 0..<200 {
      pit.tick(TickInputs())
      again.tick(TickInputs())
    }
    #expect(again.stateHash() == pit.stateHash())
    #expect(again.firstDifference(from: pit) == nil)
    var other = pit
    other.stickers = try StickerSet([StickerKind(.disc(diameter: 950))])
    #expect(other.stateHash() != pit.stateHash())
    #expect(other.firstDifference(from: pit) == "sticker set")
  }

  @Test func whoFollowsTheLogHasTheSameBodies() throws {
    var pit = try Self.pit()
    var coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    var replica = try Replica(snapshot: SavedWorld(pit, coder).packed())
    for tick in 0..<600 {
      var inputs = TickInputs()
      inputs.hashesState = true
      if tick % 20 == 0 {
        inputs.commands = [
          StampedCommand(
            person: 3, sequence: UInt32(tick), command: .drop(kind: 2, x: 2000, y: 100))
        ]
      }
      var bytes: [UInt8] = []
      coder.encode(pit.tick(inputs).record, into: &bytes)
      try replica.receive(bytes)
    }
    #expect(replica.hashesMatched == 20 && replica.pit.stateHash() == pit.stateHash())
  }

  @Test func anotherSceneKeepsTheSetForTheWayBack() throws {
    var pit = try Self.pit()
    for (scene, isUsed) in [(Scene.rain, false), (.gallery, false), (.pit, true)] {
      let act = HostAct.begin(
        scene: scene.rawValue, bodies: scene == .rain ? 0 : 4, maxBodies: 100, seed: 9)
      var inputs = TickInputs()
      inputs.acts = [act]
      let outcome = pit.tick(inputs)
      #expect(outcome.begins && pit.scene == scene && pit.stickers != nil)
      #expect((pit.playground.stickers != nil) == isUsed)
      var bytes: [UInt8] = []
      pit.save(into: &bytes)
      #expect(try Pit.restore(from: bytes).stateHash() == pit.stateHash())
    }
  }

  @Test func aCopyHasTheSet() throws {
    let pit = try Self.pit()
    var copy = try Pit(PitConfiguration(bodies: 3))
    copy.assign(pit)
    #expect(copy.stateHash() == pit.stateHash())
    copy.assign(try Pit(PitConfiguration(bodies: 3)))
    #expect(copy.stickers == nil && copy.playground.stickers == nil)
  }

  /// Snapshots have no forms of stickers, and restoring keeps those of stickers that are there.
  @Test func restoringTakesNoFormsOfAnotherSet() throws {
    let others = try StickerSet([
      StickerKind(Self.pentagon, sizePercent: 150, density: 300),
      StickerKind(.disc(diameter: 700), friction: 80, elasticity: 10),
      StickerKind(.box(width: 700, height: 700, corner: 0), sizePercent: 70),
    ])
    var pits = [try Self.pit(bodies: 20), try Self.pit(bodies: 20, others)]
    pits.append(try Pit(PitConfiguration(bodies: 20, seed: 5)))
    var restored = try Pit(PitConfiguration(bodies: 1))
    var bytes: [UInt8] = []
    for round in 0..<12 {
      let place = round * 7 % pits.count
      for _ in 0..<20 { pits[place].tick(TickInputs()) }
      pits[place].save(into: &bytes)
      if round % 4 == 3 {
        let half = Array(bytes[..<(bytes.count / 2)])
        #expect(throws: PitError.malformedSnapshot) { try restored.restore(from: half) }
        pits[(place + 1) % pits.count].save(into: &bytes)
        try restored.restore(from: bytes)
        #expect(restored.stateHash() == pits[(place + 1) % pits.count].stateHash())
        continue
      }
      try restored.restore(from: bytes)
      #expect(restored.stateHash() == pits[place].stateHash())
    }
  }

  @Test func theWorldHasRoomForTheSetsSizes() throws {
    let square = StickerShape.box(width: 1000, height: 1000, corner: 0)
    let large = try StickerSet([StickerKind(square, sizePercent: 200)])
    let pit = try Self.pit(bodies: 500, large)
    let area = pit.playground.ages.reduce(Float(0)) {
      let size = Float(pit.playground.sticker(of: $1).size)
      return $0 + size * size
    }
    let perSticker = area / Float(pit.bodyCount)
    let fill = 500 * perSticker / (pit.worldSize.x * pit.worldSize.y)
    #expect(fill > 0.55 && fill < 0.65)
  }

  @Test func forgedSetsAreRefusedOrCanBePlayed() throws {
    var chance = RandomGenerator(seed: 77)
    var pit = try Self.pit(bodies: 20)
    for _ in 0..<100 { pit.tick(TickInputs()) }
    var bytes: [UInt8] = []
    pit.save(into: &bytes)
    var (taken, refused) = (0, 0)
    for _ in 0..<3000 {
      let forged = ForgedSnapshotTests.forge(bytes, &chance)
      do {
        var other = try Pit.restore(from: forged)
        taken += 1
        let drop = StampedCommand(person: 1, sequence: 1, command: .drop(kind: 2, x: 800, y: 800))
        for _ in 0..<3 { other.tick(TickInputs(commands: [drop])) }
      } catch { refused += 1 }
    }
    #expect(taken > 0 && refused > 100)
  }
}

/// Which forms a sticker may have.
@Suite struct StickerShapeTests {
  typealias Corner = StickerShape.Corner

  private func corners(_ places: [(Int16, Int16)]) -> [Corner] {
    places.map { Corner(x: $0.0, y: $0.1) }
  }

  @Test func formsInTheirRangesAreTakenByTheSolverAtEverySize() throws {
    let long = corners([(-450, -10), (450, -10), (450, 10), (-450, 10)])
    let shapes: [StickerShape] = [
      .disc(diameter: 333), .disc(diameter: 1000), .box(width: 333, height: 1000, corner: 166),
      .box(width: 1000, height: 1000, corner: 500), StickerSetTests.pentagon,
      .outline(long, growth: 40),
    ]
    for shape in shapes {
      #expect(shape.flaw == nil)
      for size in [UInt8(17), 40, 104, 255] {
        let outline = shape.itemShape(size: size)
        var animator = Animator()
        let id = try animator.addItem(Item(outline, center: .zero))
        let area = animator.mass(of: id) * 10_000
        let expected = shape.area * Float(size) * Float(size)
        #expect(abs(area - expected) < 0.01 * expected)
      }
    }
  }

  @Test func whatIsWrongIsToldWithItsPlace() {
    #expect(StickerShape.disc(diameter: 332).flaw == .side(332))
    #expect(StickerShape.disc(diameter: 1001).flaw == .side(1001))
    #expect(StickerShape.box(width: 500, height: 1001, corner: 0).flaw == .side(1001))
    #expect(StickerShape.box(width: 500, height: 600, corner: 251).flaw == .corner(251))
    #expect(StickerShape.outline(corners([(0, 0), (9, 0)]), growth: 0).flaw == .cornerCount(2))
    let square = corners([(-400, -400), (400, -400), (400, 400), (-400, 400)])
    #expect(StickerShape.outline(square, growth: 100).flaw == nil)
    #expect(StickerShape.outline(square, growth: 101).flaw == .outside(0))
    #expect(StickerShape.outline(square.reversed(), growth: 0).flaw == .notConvex(0))
    let dented = corners([(-400, -400), (400, -400), (0, 0), (400, 400), (-400, 400)])
    #expect(StickerShape.outline(dented, growth: 0).flaw == .notConvex(2))
    let straight = corners([(-400, -400), (0, -400), (400, -400), (400, 400), (-400, 400)])
    #expect(StickerShape.outline(straight, growth: 0).flaw == .notConvex(1))
    // A star turns to the right at each of its corners, and goes round twice.
    let star = corners([(0, -400), (235, 324), (-380, -124), (380, -124), (-235, 324)])
    #expect(StickerShape.outline(star, growth: 0).flaw == .notConvex(0))
    let thin = corners([(-400, -20), (400, -20), (400, 20), (-400, 20)])
    #expect(StickerShape.outline(thin, growth: 0).flaw == .thin)
  }

  @Test func numbersOutOfRangeMakeNoSet() {
    let disc = StickerShape.disc(diameter: 1000)
    for kind in [
      StickerKind(disc, sizePercent: 49), StickerKind(disc, sizePercent: 201),
      StickerKind(disc, density: 24), StickerKind(disc, density: 401),
      StickerKind(disc, friction: 201), StickerKind(disc, elasticity: 91),
      StickerKind(.disc(diameter: 1)),
    ] {
      #expect(throws: PitError.badStickers) { try StickerSet([kind]) }
    }
    #expect(throws: PitError.badStickers) { try StickerSet([]) }
    #expect(throws: PitError.badStickers) {
      try StickerSet(Array(repeating: StickerKind(disc), count: 17))
    }
  }
}
