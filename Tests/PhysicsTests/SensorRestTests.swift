import Testing

@testable import Physics

/// Sensors look again only at what may have moved, and there is a limit to what they overlap.
@Suite struct SensorRestTests {
  private var gate: BodyProperties {
    var properties = Worlds.anchored
    properties.isSensor = true
    return properties
  }

  private var filteredOut: BodyProperties {
    var properties = Worlds.anchored
    properties.collisionMask = 0
    return properties
  }

  /// An anchored sensor of radius 30 with an anchored body and a boundary in it.
  private func watched() throws -> (PhysicsWorld, sensor: BodyID, guest: BodyID) {
    var world = try Worlds.empty(sleeps: true)
    let sensor = try world.addBody(
      BodyDefinition(shape: .circle(radius: 30), position: .zero, properties: gate))
    let guest = try world.addBody(
      BodyDefinition(
        shape: .circle(radius: 10), position: Vector2(20, 0), properties: Worlds.anchored))
    try world.addBoundary(.segment(Vector2(-20, -50), Vector2(-20, 50)), id: 7)
    world.step()
    #expect(world.sensorEvents.entered.map(\.other) == [.body(guest), .boundary(7)])
    return (world, sensor, guest)
  }

  private func overlapping(_ world: PhysicsWorld, _ id: BodyID) -> [ContactPartner] {
    var found: [ContactPartner] = []
    world.overlapping(id, into: &found)
    return found
  }

  /// Somebody moves a body behind the world's back: nobody looks, whether all rest or others move,
  /// until something has changed.
  @Test(arguments: [false, true]) func whatRestsIsNotLookedAt(othersMove: Bool) throws {
    var (world, sensor, guest) = try watched()
    if othersMove {
      var definition = BodyDefinition(shape: try .circle(radius: 10), position: Vector2(0, 500))
      definition.velocity = Vector2(300, 0)
      try world.addBody(definition)
    }
    world.step()
    let row = Int(world.storage.slots[Int(guest.slot)].row)
    world.storage.bodies.poses[row].x += 1000
    for _ in 0..<5 {
      world.step()
      #expect(world.sensorEvents.left.isEmpty)
      #expect(overlapping(world, sensor) == [.body(guest), .boundary(7)])
    }
    try world.setRotation(Rotation(angle: 1), of: sensor)
    world.step()
    #expect(world.sensorEvents.left.map(\.other) == [.body(guest)])
    #expect(overlapping(world, sensor) == [.boundary(7)])
  }

  /// Everything that a caller may change is noticed in a world at rest.
  @Test func changesAreNoticed() throws {
    let (world, sensor, guest) = try watched()
    let free = filteredOut
    let acts: [(inout PhysicsWorld) throws -> Void] = [
      { try $0.removeBody(guest) }, { try $0.setPosition(Vector2(90, 0), of: guest) },
      { try $0.setPosition(Vector2(90, 0), of: sensor) }, { try $0.setProperties(free, of: guest) },
      { try $0.removeBody(sensor) }, { try $0.setProperties(free, of: sensor) },
      { try $0.setShape(.circle(radius: 5), of: sensor) },
      {
        var tie = JointDefinition(.rope(length: 500), a: sensor, b: guest, anchorB: .zero)
        tie.collides = false
        try $0.addJoint(tie)
      },
    ]
    for (k, act) in acts.enumerated() {
      var world = world
      for _ in 0..<3 { world.step() }
      try act(&world)
      world.step()
      #expect(world.sensorEvents.left.contains { $0.other == .body(guest) }, "act \(k)")
    }
    var other = world
    other.step()
    try other.removeBoundary(id: 7)
    other.step()
    #expect(other.sensorEvents.left.map(\.other) == [.boundary(7)])
  }

  /// A world that looks at everything in each step tells the same.
  @Test func whatIsKnownIsWhatIsThere() throws {
    var world = try Worlds.pit(bodies: 40, seed: 3, sleeps: true)
    for k in 0..<6 {
      var properties = gate
      properties.kind = k < 3 ? .anchored : k == 3 ? .kinematic : .dynamic
      var definition = BodyDefinition(
        shape: try .box(width: 80, height: 60), position: Vector2(60 * Float(k), 250),
        properties: properties)
      if k == 3 { definition.velocity = Vector2(10, 0) }
      try world.addBody(definition)
    }
    var thorough = world
    var slept = false
    for tick in 0..<900 {
      if tick % 250 == 200 {
        for id in [world.bodyID(atSlot: 5)!, world.bodyID(atSlot: 30)!] {
          try world.applyImpulse(Vector2(30, -60), to: id)
          try thorough.applyImpulse(Vector2(30, -60), to: id)
        }
      }
      world.step()
      thorough.storage.state.sensorsAreStale = true
      thorough.step()
      #expect(thorough.sensorEvents == world.sensorEvents)
      slept = slept || world.sleepingCount > 20
    }
    #expect(slept && thorough.stateHash() == world.stateHash())
  }

  /// 400 sensors with 400 bodies each would be 160 000; the lowest slots come first.
  @Test func moreThanTheLimitIsLeftOut() throws {
    var world = try Worlds.empty()
    let disc = try BodyShape.circle(radius: 10)
    var sensors: [BodyID] = []
    for k in 0..<800 {
      let properties = k < 400 ? gate : Worlds.anchored
      let id = try world.addBody(
        BodyDefinition(shape: disc, position: .zero, properties: properties))
      if k < 400 { sensors.append(id) }
    }
    world.step()
    let limit = PhysicsLimit.sensorOverlaps
    #expect(world.sensorEvents.entered.count == limit)
    // 327 · 400 + 272.
    #expect(overlapping(world, sensors[326]).count == 400)
    #expect(overlapping(world, sensors[327]).count == limit - 327 * 400)
    #expect(overlapping(world, sensors[328]).isEmpty)
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var restored = try PhysicsWorld.restore(from: bytes)
    try world.removeBody(sensors[0])
    try restored.removeBody(sensors[0])
    world.step()
    restored.step()
    #expect(world.sensorEvents.left.count == 400 && world.sensorEvents.entered.count == 400)
    #expect(restored.sensorEvents == world.sensorEvents)
    #expect(restored.stateHash() == world.stateHash())
  }
}
