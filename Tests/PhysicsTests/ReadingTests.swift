import Physics
import Testing

/// Reading what is there back, and names that nobody has any more.
@Suite struct ReadingTests {
  private func saved(_ world: PhysicsWorld) throws -> PhysicsWorld {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return try PhysicsWorld.restore(from: bytes)
  }

  @Test func aStaleNameReadsAsNothing() throws {
    var world = try Worlds.empty()
    let disc = try BodyShape.circle(radius: 10)
    let a = try world.addBody(BodyDefinition(shape: disc, position: .zero))
    let b = try world.addBody(BodyDefinition(shape: disc, position: Vector2(40, 0)))
    let joint = try world.addJoint(JointDefinition(.rope(length: nil), a: a, b: b, anchorB: .zero))
    #expect(world.body(a) != nil && world.joint(joint) != nil)
    try world.removeBody(a)
    // Somebody else has the slot now.
    let c = try world.addBody(BodyDefinition(shape: disc, position: .zero))
    #expect(c.slot == a.slot && c != a)
    for stale in [a, BodyID(slot: 999, generation: 0), BodyID(slot: .max, generation: .max)] {
      #expect(world.body(stale) == nil && world.shape(of: stale) == nil)
      #expect(world.properties(of: stale) == nil && world.mass(of: stale) == nil)
      #expect(world.bounds(of: stale) == nil)
      #expect(!world.isTouching(stale, .body(b)))
      var (touching, overlaps) = ([TouchingPartner](), [ContactPartner]())
      world.touching(stale, into: &touching)
      world.overlapping(stale, into: &overlaps)
      #expect(touching.isEmpty && overlaps.isEmpty)
      world.forEachJoint(of: stale) { _ in Issue.record("a joint of nobody") }
      #expect(throws: PhysicsError.unknownBody(stale)) { try world.wake(stale) }
    }
    for stale in [joint, JointID(slot: .max, generation: 0)] {
      #expect(world.joint(stale) == nil && world.anchors(of: stale) == nil)
      #expect(world.definition(of: stale) == nil)
    }
    #expect(world.boundary(5) == nil && world.properties(ofBoundary: 5) == nil)
    #expect(world.body(c)?.position == .zero)
  }

  @Test func jointsReadBackAsTheyWereMade() throws {
    var world = try Worlds.empty()
    let disc = try BodyShape.circle(radius: 10)
    let a = try world.addBody(BodyDefinition(shape: disc, position: .zero))
    let b = try world.addBody(BodyDefinition(shape: disc, position: Vector2(30, 40)))
    let kinds: [JointDefinition.Kind] = [
      .distance(length: 50, frequency: 3, dampingRatio: 0.5), .rope(length: 60),
      .weld(angle: 0.25), .revolute(limits: -1...1, frictionTorque: 4, motorSpeed: 2),
      .prismatic(axis: Vector2(0, 1), limits: -5...70, frictionForce: 3, motorSpeed: -1),
    ]
    var ids: [JointID] = []
    for kind in kinds {
      for partner in [b, nil] {
        var definition = JointDefinition(
          kind, a: a, anchorA: Vector2(1, 2), b: partner, anchorB: Vector2(3, -4))
        definition.collides = partner == nil
        definition.breakingForce = 1e9
        definition.breakingTorque = partner == nil ? nil : 2e9
        let id = try world.addJoint(definition)
        ids.append(id)
        #expect(world.definition(of: id) == definition)
        #expect(try saved(world).definition(of: id) == definition)
      }
    }
    #expect(world.jointCount == 10)
    var (found, ofB): ([JointID], [JointID]) = ([], [])
    world.forEachJoint { found.append($0) }
    world.forEachJoint(of: b) { ofB.append($0) }
    #expect(found == ids && ofB == stride(from: 0, to: 10, by: 2).map { ids[$0] })
    // What was left open is measured: anchors 50 pt apart, an angle of 0.
    let rod = try world.addJoint(
      JointDefinition(.distance(length: nil), a: a, b: b, anchorB: .zero))
    guard case .distance(let length?, 0, 0) = try #require(world.definition(of: rod)).kind else {
      Issue.record("no rod")
      return
    }
    #expect(abs(length - 50) < 1e-4)
  }

  /// A lamp of mass 2 on a rope pulls with its weight, and a weld carries its torque.
  @Test func jointsTellWhatTheyCarry() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let box = try BodyShape.box(width: 200, height: 100)
    let lamp = try world.addBody(BodyDefinition(shape: box, position: .zero))
    #expect(world.mass(of: lamp) == 2)
    let rope = try world.addJoint(
      JointDefinition(.rope(length: 80), a: lamp, anchorB: Vector2(0, -80)))
    // A plank of mass 1, held at its left end: 50 pt from its middle.
    let plank = try world.addBody(
      BodyDefinition(shape: try .box(width: 100, height: 100), position: Vector2(500, 0)))
    let weld = try world.addJoint(
      JointDefinition(.weld(angle: 0), a: plank, anchorA: Vector2(-50, 0), anchorB: Vector2(450, 0))
    )
    let slider = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 20), position: Vector2(900, 0)))
    let rail = try world.addJoint(
      JointDefinition(.prismatic(axis: Vector2(0, 1)), a: slider, anchorB: Vector2(900, 0)))
    for _ in 0..<60 { world.step() }
    let hanging = try #require(world.joint(rope))
    #expect(abs(hanging.force - 2000) < 20)
    #expect(abs(hanging.distance - 80) < 0.1 && hanging.torque == 0)
    let held = try #require(world.joint(weld))
    #expect(abs(held.force - 1000) < 10 && abs(held.torque - 50_000) < 500)
    #expect(abs(held.angle) < 0.001)
    // The slider falls freely: ½·1000·1² along the axis, which the body carries, so that the
    // world's point goes the other way.
    let free = try #require(world.joint(rail))
    #expect(abs(free.slide + 500) < 10 && free.force < 10)
    let again = try saved(world)
    #expect(again.joint(rope) == hanging && again.joint(weld) == held)
  }

  @Test func boundariesReadBackAsTheyWereMade() throws {
    var world = try Worlds.empty()
    let all: [(BoundaryID, Boundary)] = [
      (7, .segment(Vector2(0, 0), Vector2(30, 40))),
      (-2, .chain([Vector2(0, 0), Vector2(10, 0), Vector2(20, 10)], closed: false)),
      (3, .chain([Vector2(0, 0), Vector2(10, 0), Vector2(5, 10)], closed: true)),
      (0, .halfPlane(normal: Vector2(0, -1), offset: -200)),
      (9, .inside(Rect2(x: -10, y: -20, width: 300, height: 400))),
    ]
    var properties = BoundaryProperties()
    properties.collisionGroup = 6
    properties.friction = 0.5
    properties.isOneWay = true
    // With holes in the list of pieces, so that the later ones lie scattered.
    try world.addBoundary(.segment(Vector2(1, 1), Vector2(2, 2)), id: 100)
    try world.addBoundary(.segment(Vector2(1, 1), Vector2(2, 2)), id: 101)
    for (id, boundary) in all.prefix(2) {
      try world.addBoundary(boundary, id: id, properties: properties)
    }
    try world.removeBoundary(id: 100)
    for (id, boundary) in all.dropFirst(2) { try world.addBoundary(boundary, id: id) }
    try world.removeBoundary(id: 101)
    let restored = try saved(world)
    for read in [world, restored] {
      var ids: [BoundaryID] = []
      read.boundaries(into: &ids)
      #expect(ids == [-2, 0, 3, 7, 9])
      for (id, boundary) in all { #expect(read.boundary(id) == boundary) }
      #expect(read.properties(ofBoundary: 7) == properties)
      #expect(read.properties(ofBoundary: 9) == BoundaryProperties())
    }
    #expect(restored.stateHash() == world.stateHash())
  }
}
