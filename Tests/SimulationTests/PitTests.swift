import Physics
import Testing
import Wire

@testable import Simulation

@Suite struct PitTests {
  private func pit(bodies: Int, maxBodies: Int = 4096, seed: UInt64 = 1) throws -> Pit {
    try Pit(PitConfiguration(bodies: bodies, maxBodies: maxBodies, seed: seed))
  }

  private func world(of pit: Pit) -> LatticeWorld {
    var bodies: [StreamBody] = []
    pit.bodies(into: &bodies)
    return LatticeWorld(
      tick: pit.tick, gravity: pit.gravity, bodies: bodies.map { $0.onLattice(of: .strict) })
  }

  private func command(_ command: Command, sequence: UInt32 = 0) -> TickInputs {
    TickInputs(commands: [StampedCommand(person: 1, sequence: sequence, command: command)])
  }

  @Test func firstStickersDoNotTouchAndAreAllThere() throws {
    for bodies in [0, 1, 30, 99, 108] {
      let world = world(of: try pit(bodies: bodies))
      #expect(world.bodies.count == bodies)
      for (index, a) in world.bodies.enumerated() {
        for b in world.bodies[(index + 1)...] {
          let reach = (Int32(a.size) + Int32(b.size)) * 8
          #expect(abs(a.x - b.x) >= reach - 1 || abs(a.y - b.y) >= reach - 1)
        }
      }
    }
  }

  @Test func stickersThatFindNoCellRainIn() throws {
    var pit = try pit(bodies: 248)
    #expect(pit.worldSize == Vector2(720, 960))
    #expect(pit.bodyCount < 248)
    for _ in 0..<600 { pit.tick(TickInputs()) }
    #expect(pit.bodyCount == 248)
  }

  @Test func theWorldGrowsBeyondSixtyPercentAtTheSameShape() throws {
    let pit = try pit(bodies: 1000)
    #expect(pit.worldSize.x * 4 == pit.worldSize.y * 3)
    let mean = StickerSizes.small.meanArea(share: StickerSizes.ourAreaShare)
    let fill = 1000 * mean / (pit.worldSize.x * pit.worldSize.y)
    #expect(fill <= 0.6 && fill > 0.59)
    #expect(pit.bodyCap > 1000)
  }

  @Test func everythingStaysInsideAndComesToRestAtTheBottom() throws {
    var pit = try pit(bodies: 60)
    for _ in 0..<1200 { pit.tick(TickInputs()) }
    let settled = world(of: pit)
    #expect(settled.bodies.allSatisfy { $0.y > 960 * 16 / 2 })
    #expect(settled.bodies.allSatisfy { $0.x > 0 && $0.x < 720 * 16 && $0.y < 960 * 16 })
    for _ in 0..<60 { pit.tick(TickInputs()) }
    var moved = 0
    for (a, b) in zip(settled.bodies, world(of: pit).bodies) where a.x != b.x || a.y != b.y {
      moved += 1
    }
    #expect(moved <= 6)
  }

  @Test func gravityMovesEverything() throws {
    var pit = try pit(bodies: 60)
    let left = QuantizedGravity(x: -16_384, y: 0)
    let first = pit.tick(TickInputs(gravity: left))
    #expect(first.record.gravity == left)
    #expect(pit.tick(TickInputs(gravity: left)).record.gravity == nil)
    for _ in 0..<600 { pit.tick(TickInputs()) }
    #expect(world(of: pit).bodies.allSatisfy { $0.x < 720 * 16 / 2 })
  }

  @Test func dropPutsTheStickerInsideAtThePoint() throws {
    var pit = try pit(bodies: 0)
    let outcome = pit.tick(command(.drop(kind: 6, x: 100 * 8, y: 200 * 8)))
    #expect(outcome.carriedOut.count == 1)
    let sticker = try #require(world(of: pit).bodies.first)
    #expect(sticker.kind == 6)
    #expect(sticker.x == 1600)
    #expect(abs(sticker.y - 3200) < 16)
    pit.tick(command(.drop(kind: 1, x: -32_768, y: 32_767), sequence: 1))
    let corner = world(of: pit).bodies[1]
    #expect(corner.x >= 8 * 48 - 16 && corner.x < 8 * 110)
    #expect(corner.y <= (960 * 16) - 8 * 48 + 16)
    #expect(pit.tick(command(.drop(kind: 16, x: 0, y: 0), sequence: 2)).carriedOut.isEmpty)
    #expect(pit.bodyCount == 2)
  }

  @Test func throwMovesTheStickerUnderThePointOrMakesOne() throws {
    var pit = try pit(bodies: 0)
    pit.tick(command(.drop(kind: 0, x: 360 * 8, y: 300 * 8)))
    let throwRight = Command.throwSticker(x: 360 * 8, y: 300 * 8, velocityX: 900, velocityY: 0)
    pit.tick(command(throwRight, sequence: 1))
    #expect(pit.bodyCount == 1)
    #expect(abs(world(of: pit).bodies[0].x - (360 + 15) * 16) <= 16)
    let elsewhere = Command.throwSticker(x: 100 * 8, y: 100 * 8, velocityX: 0, velocityY: 0)
    pit.tick(command(elsewhere, sequence: 2))
    #expect(pit.bodyCount == 2)
  }

  @Test func theFastestThrowStaysInside() throws {
    var pit = try pit(bodies: 0)
    for index in UInt32(0)..<8 {
      let velocity: Int16 = index % 2 == 0 ? 32_767 : -32_768
      let wild = Command.throwSticker(
        x: 360 * 8, y: 480 * 8, velocityX: velocity, velocityY: velocity)
      pit.tick(command(wild, sequence: index))
      for _ in 0..<20 {
        pit.tick(TickInputs())
        let inside = world(of: pit).bodies.allSatisfy {
          $0.x >= 0 && $0.x <= 720 * 16 && $0.y >= 0 && $0.y <= 960 * 16
        }
        #expect(inside)
      }
    }
  }

  @Test func atTheCapTheOldestGoes() throws {
    var pit = try pit(bodies: 0, maxBodies: 3)
    for index in UInt32(0)..<5 {
      let x = Int16(100 + 100 * index) * 8
      pit.tick(command(.drop(kind: UInt8(index), x: x, y: 800), sequence: index))
    }
    #expect(pit.bodyCount == 3)
    #expect(world(of: pit).bodies.map(\.kind).sorted() == [2, 3, 4])
  }

  @Test func aCopyGoesOnAlike() throws {
    var pit = try pit(bodies: 80, seed: 5)
    for _ in 0..<100 { pit.tick(TickInputs()) }
    var copy = pit
    let drop = command(.drop(kind: 3, x: 2000, y: 400))
    pit.tick(drop)
    #expect(pit.stateHash() != copy.stateHash())
    copy.tick(drop)
    for _ in 0..<100 {
      pit.tick(TickInputs())
      copy.tick(TickInputs())
    }
    #expect(pit.stateHash() == copy.stateHash())
    #expect(world(of: pit) == world(of: copy))
  }

  @Test func everyThirtiethRecordHasTheHash() throws {
    var pit = try pit(bodies: 5)
    for tick in UInt32(1)...90 {
      let outcome = pit.tick(TickInputs())
      #expect((outcome.record.stateHash != nil) == (tick % 30 == 0))
      if let hash = outcome.record.stateHash { #expect(hash == pit.stateHash()) }
    }
  }

  @Test func configurationRefusesWhatIsNotPossible() {
    #expect(throws: PitError.bodiesOutOfRange(-1, limit: 10)) {
      try PitConfiguration(bodies: -1, maxBodies: 10)
    }
    #expect(throws: PitError.bodiesOutOfRange(11, limit: 10)) {
      try PitConfiguration(bodies: 11, maxBodies: 10)
    }
    #expect(throws: PitError.maxBodiesOutOfRange(0)) { try PitConfiguration(maxBodies: 0) }
    #expect(throws: PitError.maxBodiesOutOfRange(16_385)) {
      try PitConfiguration(maxBodies: 16_385)
    }
    #expect(PitError.maxBodiesOutOfRange(0).explanation.contains("16384"))
  }
}
