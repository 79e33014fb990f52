import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// Grabs and snaps: whose they are, how they follow, and what is refused.
@Suite struct HandTests {
  /// A pit in which one sticker was dropped at a point.
  private func pit(at point: Vector2 = Vector2(360, 300)) throws -> Stage {
    var stage = try Stage(.pit, bodies: 0)
    stage.give(.drop(kind: 2, x: Int16(point.x * 8), y: Int16(point.y * 8)))
    stage.tick()
    return stage
  }

  @Test func aHeldStickerIsUnderTheFingerInTheSameTick() throws {
    var stage = try pit()
    let grip = stage.center(0) + Vector2(6, -4)
    stage.grab(0, at: grip)
    stage.tick()
    let offset = stage.pit.playground.touched(stage.item(0), at: grip)
    #expect(offset.length > 5)
    for step in 1...120 {
      let finger = grip + Vector2(1.5, 1) * Float(step)
      stage.move(0, to: finger)
      stage.tick()
      let state = stage.state(0)
      let touched = state.center + offset.rotated(by: state.rotation)
      #expect((touched - finger).length < 0.5, "lags at \(step)")
    }
  }

  @Test func aReleaseThrowsWithTheFingersVelocity() throws {
    var stage = try pit()
    stage.grab(0, at: stage.center(0))
    stage.tick(20)
    stage.release(0, velocity: Vector2(600, -300))
    stage.tick()
    #expect(abs(stage.velocity(0).x - 600) < 2)
    #expect(abs(stage.velocity(0).y - (-300 + 1000 / 60)) < 2)
    #expect(stage.scenery.holders.isEmpty)
  }

  @Test func oneHandHoldsAStickerAtATime() throws {
    var stage = try pit()
    stage.grab(0, at: stage.center(0), by: 5)
    stage.grab(0, at: stage.center(0), by: 9)
    let both = stage.tick()
    #expect(both.carriedOut.map(\.person) == [5])
    #expect(both.events == [.grabRefused(person: 9, slot: 0, holder: 5)])
    // Nor can another move, release, snap or flick it.
    stage.move(0, to: Vector2(100, 100), by: 9)
    stage.release(0, by: 9)
    stage.snap(0, to: Vector2(100, 100), by: 9)
    let center = stage.center(0)
    stage.give(
      .throwSticker(
        x: Int16(center.x * 8), y: Int16(center.y * 8), velocityX: 900, velocityY: 0), by: 9)
    #expect(stage.tick().carriedOut.isEmpty)
    #expect((stage.center(0) - center).length < 0.5)
    stage.give(.leave, by: 5)
    stage.tick()
    stage.grab(0, at: stage.center(0), by: 9)
    #expect(stage.tick().carriedOut.count == 1)
    #expect(stage.scenery.holders == [SceneryHolder(slot: 0, client: 9)])
  }

  @Test func whatIsNotThereIsRefused() throws {
    var stage = try pit()
    let x = Int16(stage.center(0).x * 8)
    let y = Int16(stage.center(0).y * 8)
    stage.give(.grab(slot: 7, generation: 0, x: x, y: y))
    stage.give(.grab(slot: .max, generation: .max, x: x, y: y))
    stage.give(.grab(slot: 0, generation: 1, x: x, y: y))
    stage.give(.snap(slot: 0, generation: 9, x: x, y: y))
    stage.give(.move(slot: 0, x: x, y: y))
    stage.give(.release(slot: 0, velocityX: 1, velocityY: 1))
    stage.give(.leave)
    let record = stage.tick()
    #expect(record.carriedOut.isEmpty && record.events.isEmpty)
    #expect(stage.scenery.holders.isEmpty)
  }

  @Test func aGrabFromFarAwayIsRefused() throws {
    var stage = try pit()
    let center = stage.center(0)
    stage.grab(0, at: center + Vector2(230, 0))
    #expect(stage.tick().carriedOut.isEmpty)
    stage.give(.grab(slot: 0, generation: 0, x: .min, y: .max))
    #expect(stage.tick().carriedOut.isEmpty)
    stage.grab(0, at: stage.center(0) + Vector2(60, 0))
    #expect(stage.tick().carriedOut.count == 1)
  }

  @Test func aFingerOutsideHoldsTheStickerInside() throws {
    var stage = try pit()
    stage.grab(0, at: stage.center(0))
    stage.tick()
    for corner in [(Int16.min, Int16.min), (.max, .max), (.min, .max)] {
      stage.give(.move(slot: 0, x: corner.0, y: corner.1))
      stage.tick(120)
      let half = stage.pit.playground.sticker(of: stage.item(0)).halfSize
      let center = stage.center(0)
      #expect(center.x >= half - 1.5 && center.x <= 720 - half + 1.5)
      #expect(center.y >= half - 1.5 && center.y <= 960 - half + 1.5)
    }
  }

  @Test func aPersonHoldsThreeStickersAtMost() throws {
    var stage = try Stage(.pit, bodies: 6)
    for slot in 0..<4 { stage.grab(slot, at: stage.center(slot)) }
    #expect(stage.tick().carriedOut.count == 3)
    #expect(stage.scenery.holders.map(\.slot) == [0, 1, 2])
    stage.release(1)
    stage.grab(3, at: stage.center(3))
    stage.tick()
    #expect(stage.scenery.holders.map(\.slot) == [0, 2, 3])
    stage.give(.leave)
    stage.tick()
    #expect(stage.scenery.holders.isEmpty)
  }

  @Test func whatIsHeldIsNotTheOldestThatGoes() throws {
    var stage = try Stage(.pit, bodies: 0, maxBodies: 2)
    for x in [100, 300] { stage.give(.drop(kind: 2, x: Int16(x * 8), y: 800)) }
    stage.tick()
    stage.grab(0, at: stage.center(0))
    stage.tick()
    stage.give(.drop(kind: 4, x: 4000, y: 800), by: 2)
    stage.tick()
    #expect(stage.pit.playground.sticker(of: stage.item(0)).kind == 2)
    #expect(stage.pit.playground.sticker(of: stage.item(1)).kind == 4)
    stage.grab(1, at: stage.center(1), by: 3)
    stage.tick()
    stage.give(.drop(kind: 6, x: 4000, y: 800), by: 2)
    #expect(stage.tick().carriedOut.isEmpty)
    #expect(stage.pit.bodyCount == 2)
  }

  @Test func aSnapFliesThereUprightAndEnds() throws {
    for target in [Vector2(60, 60), Vector2(700, 900), Vector2(-500, 4000)] {
      var stage = try pit()
      stage.tick(30)
      stage.snap(0, to: target)
      #expect(stage.tick().carriedOut.count == 1)
      var ticks = 1
      while !stage.pit.playground.flights.isEmpty {
        stage.tick()
        ticks += 1
        try #require(ticks <= 121)
      }
      let half = stage.pit.playground.sticker(of: stage.item(0)).halfSize
      let expected = stage.pit.playground.inside(target, margin: half)
      #expect((stage.center(0) - expected).length < 2, "\(target)")
      #expect(stage.animator.behaviorIDs.count == 3)
    }
  }

  @Test func aGrabEndsAFlight() throws {
    var stage = try pit()
    stage.snap(0, to: Vector2(100, 900))
    stage.tick(3)
    stage.grab(0, at: stage.center(0), by: 2)
    stage.tick()
    #expect(stage.pit.playground.flights.isEmpty)
    #expect(stage.scenery.holders.count == 1)
  }

  /// The finger is somewhere else in every tick, for ten seconds.
  @Test(arguments: Scene.allCases) func aJumpingFingerBreaksNothing(_ scene: Scene) throws {
    var stage = try Stage(scene, bodies: scene == .pit ? 60 : nil, seed: 4)
    if scene == .rain {
      stage.give(.say(keyword: Sticker.cake))
      stage.tick(500)
    }
    var chance = RandomGenerator(seed: 99)
    let size = stage.pit.worldSize
    stage.grab(0, at: stage.center(0))
    #expect(stage.tick().carriedOut.count == 1)
    var fastest: Float = 0
    for _ in 0..<600 {
      stage.move(
        0, to: Vector2(chance.nextFloat(0, size.x), chance.nextFloat(0, size.y)))
      stage.tick()
      for id in stage.pit.playground.ages {
        let state = stage.animator.state(of: id)
        fastest = max(fastest, state.velocity.length)
        #expect(state.center.isFinite && state.angularVelocity.isFinite)
        guard scene != .toss, scene != .rain else { continue }
        #expect(stage.pit.playground.contains(state.center))
      }
    }
    #expect(fastest > 100 && fastest < 15_000, "fastest \(fastest)")
    stage.release(0)
    stage.tick(600)
    // The rain's floor may be open just now.
    while scene == .rain, !stage.boundaryIDs.contains(240) { stage.tick() }
    for id in stage.pit.playground.ages {
      #expect(stage.pit.playground.contains(stage.animator.center(of: id)))
      #expect(stage.animator.linearVelocity(of: id).length < 1500)
    }
  }
}
