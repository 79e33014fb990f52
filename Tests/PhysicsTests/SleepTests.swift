import Physics
import Testing

@Suite struct SleepTests {
  private func settled(_ bodies: Int = 40) throws -> PhysicsWorld {
    var world = try Worlds.pit(bodies: bodies, seed: 2, sleeps: true)
    for _ in 0..<900 where world.sleepingCount < bodies { world.step() }
    return world
  }

  @Test func aSettledPileSleepsAndStaysPut() throws {
    var world = try settled()
    #expect(world.sleepingCount == 40)
    let before = (0..<40).map { world.body(world.bodyID(atSlot: $0)!)!.position }
    for _ in 0..<100 { world.step() }
    #expect(world.partsSolved == 0, "there is nothing to solve")
    for slot in 0..<40 {
      #expect(world.body(world.bodyID(atSlot: slot)!)!.position == before[slot])
    }
  }

  /// What lies near by without touching is a group of its own, and would wake a pile as soon as
  /// that had fallen asleep, and the other way round: some piles never came to rest.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func everyPileFallsAsleepInTheEnd(seed: UInt64) throws {
    var world = try Worlds.pit(bodies: 200, seed: seed, sleeps: true)
    var ticks = 0
    while world.sleepingCount < 200 && ticks < 1200 {
      world.step()
      ticks += 1
    }
    #expect(world.sleepingCount == 200)
    for _ in 0..<20 { world.step() }
    #expect(world.sleepingCount == 200)
  }

  @Test func gravityWakesEverything() throws {
    var world = try settled()
    world.gravity = Vector2(1000, 0)
    #expect(world.sleepingCount == 0)
    for _ in 0..<60 { world.step() }
    var moved = 0
    world.forEachBody { _, state in if state.velocity.length > 1 { moved += 1 } }
    #expect(moved > 0)
  }

  @Test func aThrownBodyWakesWhatItHits() throws {
    var world = try settled()
    var definition = BodyDefinition(shape: try .circle(radius: 20), position: Vector2(180, 30))
    definition.velocity = Vector2(0, 800)
    try world.addBody(definition)
    var fewest = 40
    for _ in 0..<60 {
      world.step()
      fewest = min(fewest, world.sleepingCount)
    }
    #expect(fewest < 40)
  }

  @Test func anyChangeWakes() throws {
    let world = try settled()
    let id = world.bodyID(atSlot: 3)!
    let changes: [(inout PhysicsWorld) throws -> Void] = [
      { try $0.applyImpulse(Vector2(1, 0), to: id) },
      { try $0.applyForce(Vector2(1, 0), to: id) },
      { try $0.setVelocity(Vector2(1, 0), of: id) },
      { try $0.setPosition(Vector2(100, 100), of: id) },
      { try $0.setRotation(Rotation(angle: 1), of: id) },
      { try $0.setShape(.circle(radius: 10), of: id) },
      { try $0.setProperties(BodyProperties(), of: id) }, { try $0.removeBody(id) },
      { try $0.removeBoundary(id: BoundaryID(0)) },
      { try $0.addBoundary(.segment(Vector2(0, 360), Vector2(99, 360)), id: BoundaryID(7)) },
      { try $0.addJoint(JointDefinition(.rope(length: 50), a: id, anchorB: .zero)) },
    ]
    for change in changes {
      var copy = world
      try change(&copy)
      #expect(copy.sleepingCount < 40)
    }
    #expect(world.sleepingCount == 40)
  }

  /// Two piles on two floors, 4000 points apart.
  @Test func aBoundaryWakesOnlyWhatIsNear() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    let shape = try BodyShape.box(width: 40, height: 40)
    var piles: [[BodyID]] = [[], []]
    for pile in 0..<2 {
      let x = Float(pile) * 4000
      try world.addBoundary(
        .segment(Vector2(x - 100, 0), Vector2(x + 100, 0)), id: BoundaryID(Int32(pile)))
      for i in 0..<6 {
        piles[pile].append(
          try world.addBody(
            BodyDefinition(
              shape: shape, position: Vector2(x, -20 - 40 * Float(i)),
              properties: Worlds.properties(friction: 0.4))))
      }
    }
    for _ in 0..<120 { world.step() }
    #expect(world.sleepingCount == 12)
    let sleeper = world
    // Far from both: nobody wakes, and stepping on wakes nobody either.
    try world.addBoundary(.segment(Vector2(1900, 0), Vector2(2100, 0)), id: BoundaryID(8))
    for _ in 0..<30 { world.step() }
    #expect(world.sleepingCount == 12)
    try world.removeBoundary(id: BoundaryID(8))
    #expect(world.sleepingCount == 12)
    // Beside the top of the second pile: its group wakes, the other sleeps on.
    try world.addBoundary(
      .segment(Vector2(4024, -230), Vector2(4060, -230)), id: BoundaryID(9))
    #expect(world.sleepingCount == 6)
    for id in piles[0] { #expect(world.body(id)!.isAsleep) }
    // Without its floor the first pile falls, the second sleeps on.
    world = sleeper
    try world.removeBoundary(id: BoundaryID(0))
    #expect(world.sleepingCount == 6)
    for _ in 0..<60 { world.step() }
    for id in piles[0] { #expect(world.body(id)!.position.y > 200) }
    for id in piles[1] { #expect(world.body(id)!.isAsleep) }
  }

  @Test func sleepSurvivesASnapshot() throws {
    var a = try settled()
    var bytes: [UInt8] = []
    a.save(into: &bytes)
    var b = try PhysicsWorld.restore(from: bytes)
    #expect(b.sleepingCount == 40)
    for world in [0, 1] {
      if world == 0 { a.gravity = Vector2(500, 500) } else { b.gravity = Vector2(500, 500) }
    }
    for _ in 0..<120 {
      a.step()
      b.step()
    }
    #expect(a.stateHash() == b.stateHash())
  }
}
