import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// "Gallery (400×640)" of the facts about the five scenes, number by number.
@Suite struct GallerySceneTests {
  @Test func theFirstSquareFallsFrom100With500PointsPerSecondSquared() throws {
    var stage = try Stage(.gallery, bodies: 1)
    #expect(stage.pit.worldSize == Vector2(400, 640))
    #expect(stage.center(0) == Vector2(150, 150))
    #expect(stage.animator.shape(of: stage.item(0)).size == Vector2(100, 100))
    #expect(stage.animator.world.gravity == Vector2(0, 500))
    stage.tick(48)
    #expect(abs(stage.velocity(0).y - 500 * 0.8) < 4)
    #expect(abs(stage.center(0).y - (150 + 250 * 0.64)) < 3.4)
  }

  /// Its lower left corner meets (100, 400) after 200 pt: 0.894 s, in the 54th tick.
  @Test func itsCornerTouchesTheSlantInThe54thTick() throws {
    var stage = try Stage(.gallery, bodies: 1)
    let slant = try #require(stage.scenery.boundaries.first)
    #expect(slant == SceneryBoundary(id: 1, ax: 0, ay: 2400, bx: 2400, by: 4800))
    var began: WireContact?
    while began == nil {
      for event in stage.tick().events {
        if case .contactBegan(let contact) = event { began = contact }
      }
      try #require(stage.pit.tick < 100)
    }
    #expect((53...54).contains(stage.pit.tick))
    let contact = try #require(began)
    #expect(contact.slot == 0 && contact.other == 0x8001)
    #expect(abs(Float(contact.x) / 8 - 100) < 8 && abs(Float(contact.y) / 8 - 400) < 10)
    // It slides down to the right, along the slant, to the floor.
    var others: Set<UInt16> = []
    for _ in 0..<600 {
      for event in stage.tick().events {
        if case .contactBegan(let contact) = event { others.insert(contact.other) }
      }
    }
    #expect(others.contains { $0 >= 0x8000 | 240 }, "no contact with the bounds: \(others)")
    #expect(stage.center(0).x > 250 && stage.center(0).y > 550)
  }

  /// Within 0.3 pt, also where a corner of its square hits the slant (0.245 then).
  @Test func theSwingKeepsItsLengthOf100() throws {
    var stage = try Stage(.gallery, bodies: 2)
    let rod = try #require(stage.scenery.rods.first)
    #expect(rod == SceneryRod(slot: 1, x: 800, y: 1600, attachX: 0, attachY: 0))
    var lowest: Float = 0
    var touches = 0
    for _ in 0..<600 {
      let reach = (stage.center(1) - Vector2(100, 200)).length
      for event in stage.tick().events {
        if case .contactBegan = event { touches += 1 }
      }
      #expect(abs(reach - 100) < 0.3)
      lowest = max(lowest, stage.center(1).y)
    }
    #expect(lowest > 290 && touches > 3)
  }

  @Test func theContinuousPushLiftsForASecondOutOfThree() throws {
    var stage = try Stage(.gallery, bodies: 3)
    stage.tick(178)
    let resting = stage.velocity(2).y
    stage.tick()
    #expect(stage.pit.tick == 179)
    #expect(abs(resting) < 5)
    // Ticks 180…239: 800 up against 500 down.
    for ticks in 1...60 {
      stage.tick()
      let expected = -300 * Float(ticks) / 60
      if ticks == 6 || ticks == 30 { #expect(abs(stage.velocity(2).y - expected) < 8) }
    }
    let top = stage.velocity(2).y
    stage.tick(6)
    #expect(abs(stage.velocity(2).y - (top + 50)) < 8)
  }

  @Test func theInstantaneousPushHopsEveryTwoSeconds() throws {
    var stage = try Stage(.gallery)
    #expect(abs(stage.animator.mass(of: stage.item(3)) - 2) < 0.001)
    stage.tick(119)
    let before = stage.velocity(3)
    stage.tick()
    #expect(stage.pit.tick == 120)
    let change = stage.velocity(3) - before
    // 2 of push on mass 2 is 100 pt/s to the left, 8 are 400 up, less a tick of gravity.
    #expect(abs(change.x + 100) < 6)
    #expect(abs(change.y + 400 - 500 / 60) < 12)
  }

  @Test func customPropertiesAreTheFourthSquares() throws {
    let stage = try Stage(.gallery)
    let properties = stage.animator.properties(of: stage.item(3))
    #expect(properties.elasticity == 0.7 && properties.friction == 0.3)
    #expect(properties.density == 2 && properties.resistance == 0.2)
    #expect(properties.angularResistance == 0.5)
    #expect(stage.animator.properties(of: stage.item(0)) == ItemProperties())
  }

  @Test func aTapSnapsASquareAndItIsFreeAgain() throws {
    var stage = try Stage(.gallery, bodies: 1)
    stage.snap(0, to: Vector2(300, 120))
    stage.tick()
    var ticks = 1
    while !stage.pit.playground.flights.isEmpty {
      stage.tick()
      ticks += 1
      try #require(ticks <= 120)
    }
    #expect((stage.center(0) - Vector2(300, 120)).length < 0.1)
    #expect(abs(stage.state(0).angle) < 0.02)
    stage.tick(30)
    #expect(stage.center(0).y > 150)
  }

  @Test func theSwingHangsItselfAgainAfterItWasTaken() throws {
    var stage = try Stage(.gallery, bodies: 2)
    stage.tick(20)
    stage.grab(1, at: stage.center(1))
    stage.tick()
    #expect(stage.scenery.rods.isEmpty)
    stage.release(1)
    stage.tick()
    let released = stage.pit.tick
    while stage.scenery.rods.isEmpty {
      stage.tick()
      try #require(stage.pit.tick < 400)
    }
    #expect(stage.pit.tick > released + 120)
    stage.tick(100)
    #expect(abs((stage.center(1) - Vector2(100, 200)).length - 100) < 1)
  }

  @Test func aFlickIsAnInstantaneousPushToTheFingersVelocity() throws {
    var stage = try Stage(.gallery)
    stage.give(.throwSticker(x: 345 * 8, y: 60 * 8, velocityX: -300, velocityY: 0))
    stage.tick()
    #expect(abs(stage.velocity(3).x + 300) < 5)
  }
}
