import Physics
import Testing

/// Worlds of 120 ticks a second.
@Suite struct ShortTickTests {
  private func world(_ ticks: Int, gravity: Vector2 = Vector2(0, 1000)) throws -> PhysicsWorld {
    var configuration = WorldConfiguration()
    configuration.ticksPerSecond = ticks
    configuration.allowsSleep = false
    var world = try PhysicsWorld(configuration)
    world.gravity = gravity
    return world
  }

  @Test func onlyTwoLengthsAreThere() throws {
    #expect(try world(60).stepLength == Float(1) / 60)
    #expect(try world(120).stepLength == Float(1) / 120)
    for ticks in [0, -60, 30, 90, 119, 240] {
      expectRefused(.configuration, "\(ticks)") { try world(ticks) }
    }
  }

  /// A second is a second: fall, force and spin.
  @Test func aSecondTakesTwiceTheSteps() throws {
    for ticks in [60, 120] {
      var world = try world(ticks)
      let fall = try world.addBody(BodyDefinition(shape: .circle(radius: 10), position: .zero))
      let box = try world.addBody(
        BodyDefinition(shape: .box(width: 100, height: 100), position: Vector2(500, 0)))
      for _ in 0..<ticks {
        try world.applyForce(Vector2(200, -1000), to: box)
        world.step()
      }
      // Sub-steps of 1/360 s fall by 1/720 of a second's speed farther than ½·g·t².
      #expect(abs(world.body(fall)!.position.y - 500 * (1 + 1 / 360)) < 0.1)
      #expect(abs(world.body(fall)!.velocity.y - 1000) < 0.1)
      #expect((world.body(box)!.velocity - Vector2(200, 0)).length < 0.1)
      #expect(world.tick == UInt64(ticks))
    }
  }

  /// A dragged anchor takes its body along at its own speed.
  @Test func anAnchorTravelsWithinATick() throws {
    for ticks in [60, 120] {
      var world = try world(ticks, gravity: .zero)
      let body = try world.addBody(BodyDefinition(shape: .circle(radius: 10), position: .zero))
      let pin = try world.addJoint(JointDefinition(.revolute(), a: body, anchorB: .zero))
      for tick in 1...ticks {
        try world.setAnchor(Vector2(300 * Float(tick) / Float(ticks), 0), of: pin)
        world.step()
      }
      #expect(abs(world.body(body)!.position.x - 300) < 0.1)
      #expect(abs(world.body(body)!.velocity.x - 300) < 3)
    }
  }

  /// A pit at rest and in motion stays in order, and a fast ball is stopped by a wall.
  @Test func contactsHold() throws {
    var world = try world(120)
    try world.addBoundary(.inside(Rect2(x: 0, y: 0, width: 400, height: 400)), id: 0)
    var ids: [BodyID] = []
    for k in 0..<40 {
      ids.append(
        try world.addBody(
          BodyDefinition(
            shape: k % 2 == 0 ? .circle(radius: 20) : .box(width: 40, height: 40),
            position: Vector2(40 + 50 * Float(k % 7), 40 + 50 * Float(k / 7)),
            properties: Worlds.properties(friction: 0.3))))
    }
    try world.setVelocity(Vector2(15_000, -9000), of: ids[3])
    for _ in 0..<600 { world.step() }
    for id in ids {
      let state = world.body(id)!
      #expect(state.position.x > 0 && state.position.x < 400)
      #expect(state.position.y > 0 && state.position.y < 400)
      #expect(state.velocity.length < 40)
    }
  }

  @Test(arguments: [false, true]) func aSnapshotKeepsTheLength(drops: Bool) throws {
    var world = try world(120)
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 0)
    for k in 0..<20 {
      try world.addBody(
        BodyDefinition(
          shape: .circle(radius: 15), position: Vector2(31 * Float(k % 5), 40 * Float(k / 5)),
          properties: Worlds.properties(restitution: 0.5, friction: 0.2)))
    }
    for _ in 0..<90 { world.step() }
    if drops { world.dropCaches() }
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var restored = try PhysicsWorld.restore(from: bytes)
    #expect(restored.configuration == world.configuration)
    for _ in 0..<60 {
      world.step()
      restored.step()
    }
    #expect(restored.stateHash() == world.stateHash())
  }
}
