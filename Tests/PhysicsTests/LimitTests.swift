import Testing

@testable import Physics

/// What the documentation gives as a range is what is taken; whatever was taken can be saved.
@Suite struct LimitTests {
  private func saved(_ world: PhysicsWorld) -> [UInt8] {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return bytes
  }

  private func ball(
    _ change: (inout BodyDefinition) -> Void = { _ in }
  ) throws -> (PhysicsWorld, BodyID) {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var definition = BodyDefinition(shape: try .circle(radius: 20), position: .zero)
    change(&definition)
    let id = try world.addBody(definition)
    return (world, id)
  }

  private static let notNumbers: [Float] = [.nan, .infinity, -.infinity]

  @Test func bodiesOutsideTheirRangesAreRefused() throws {
    let wrong: [(PhysicsError.Property, (inout BodyDefinition) -> Void)] = [
      (.position, { $0.position.x = 1_048_577 }), (.position, { $0.position.y = -1e13 }),
      (.position, { $0.position.x = .nan }), (.angle, { $0.angle = 1e6 }),
      (.angle, { $0.angle = .infinity }), (.velocity, { $0.velocity.x = .nan }),
      (.angularVelocity, { $0.angularVelocity = .infinity }),
      (.density, { $0.properties.density = 1e-38 }),
      (.density, { $0.properties.density = 0.009 }),
      (.density, { $0.properties.density = 10_001 }),
      (.restitution, { $0.properties.restitution = 1.01 }),
      (.restitution, { $0.properties.restitution = -0.01 }),
      (.friction, { $0.properties.friction = -1 }), (.friction, { $0.properties.friction = 1e6 }),
      (.linearDamping, { $0.properties.linearDamping = 1e6 }),
      (.angularDamping, { $0.properties.angularDamping = -0.1 }),
      (.gravityScale, { $0.properties.gravityScale = 1201 }),
      (.gravityScale, { $0.properties.gravityScale = .nan }),
    ]
    for (i, (property, change)) in wrong.enumerated() {
      expectRefused(property, "case \(i)") { try ball(change) }
    }
  }

  @Test func whatChangesABodyRefusesWhatIsNoNumberOrTooFar() throws {
    var (world, id) = try ball()
    let before = saved(world)
    let far = Vector2(0, 2e6)
    expectRefused(.position) { try world.setPosition(far, of: id) }
    for cosine in [Float(0), 2] {
      expectRefused(.rotation) {
        try world.setRotation(Rotation(cosine: cosine, sine: 0), of: id)
      }
    }
    expectRefused(.position) { try world.applyForce(.zero, at: far, to: id) }
    expectRefused(.position) { try world.applyImpulse(.zero, at: far, to: id) }
    for x in Self.notNumbers {
      expectRefused(.position) { try world.setPosition(Vector2(x, 0), of: id) }
      expectRefused(.velocity) { try world.setVelocity(Vector2(0, x), of: id) }
      expectRefused(.angularVelocity) { try world.setAngularVelocity(x, of: id) }
      expectRefused(.force) { try world.applyForce(Vector2(x, 0), to: id) }
      expectRefused(.torque) { try world.applyTorque(x, to: id) }
      expectRefused(.impulse) { try world.applyImpulse(Vector2(0, x), to: id) }
      expectRefused(.angularImpulse) { try world.applyAngularImpulse(x, to: id) }
    }
    // Nothing has changed when an error is thrown.
    #expect(saved(world) == before)
  }

  @Test func whatIsGoneIsSaidToBeUnknown() throws {
    var (world, id) = try ball()
    try world.removeBody(id)
    let changes: [(inout PhysicsWorld) throws -> Void] = [
      { try $0.setPosition(.zero, of: id) }, { try $0.setRotation(.identity, of: id) },
      { try $0.setVelocity(.zero, of: id) }, { try $0.setAngularVelocity(0, of: id) },
      { try $0.setShape(.circle(radius: 1), of: id) },
      { try $0.setProperties(BodyProperties(), of: id) }, { try $0.wake(id) },
      { try $0.applyForce(.zero, to: id) }, { try $0.applyTorque(0, to: id) },
      { try $0.applyImpulse(.zero, to: id) }, { try $0.applyAngularImpulse(0, to: id) },
      { try $0.removeBody(id) },
    ]
    for change in changes {
      #expect(throws: PhysicsError.unknownBody(id)) { try change(&world) }
    }
    let joint = JointID(slot: 3, generation: 0)
    #expect(throws: PhysicsError.unknownJoint(joint)) { try world.setAnchor(.zero, of: joint) }
    #expect(throws: PhysicsError.unknownJoint(joint)) { try world.setLength(1, of: joint) }
  }

  /// Too much of a speed, an impulse or a force is as much as there can be, in its direction.
  @Test(arguments: [Float(3e4), 1e20, 3e38])
  func tooMuchOfAPushIsTheMostThereIs(size: Float) throws {
    let way = Vector2(0.6, -0.8)
    let push = way * size
    let pushes: [(inout PhysicsWorld, BodyID) throws -> Void] = [
      { try $0.setVelocity(push, of: $1) },
      { try $0.applyImpulse(push, to: $1) },
      { try $0.applyForce(push * 60, to: $1) },
    ]
    for (i, change) in pushes.enumerated() {
      if i == 2 && size > 1e30 { continue }
      var (world, id) = try ball()
      world.gravity = .zero
      try change(&world, id)
      world.step()
      let v = world.body(id)!.velocity
      #expect((v - way * PhysicsWorld.speedLimit).length < 5, "push \(i)")
      #expect(world.lostBodyCount == 0)
    }
    var (world, id) = try ball()
    try world.setAngularVelocity(-size, of: id)
    #expect(world.body(id)!.angularVelocity == -PhysicsWorld.spinLimit)
    try world.applyAngularImpulse(size, to: id)
    #expect(world.body(id)!.angularVelocity > 0)
    world.gravity = push
    #expect((world.gravity - way * PhysicsLimit.acceleration).length < 1000 || size < 1e6)
  }

  @Test func forcesAddUpToNoMoreThanASnapshotTakes() throws {
    var (world, id) = try ball()
    for _ in 0..<40 {
      try world.applyForce(Vector2(3e38, -3e38), at: Vector2(-1e6, -1e6), to: id)
      try world.applyTorque(-3e38, to: id)
    }
    var restored = try PhysicsWorld.restore(from: saved(world))
    for _ in 0..<3 {
      world.step()
      restored.step()
    }
    #expect(world.stateHash() == restored.stateHash())
    #expect(world.lostBodyCount == 0)
  }

  @Test func configurationsOutsideTheirRangesAreRefused() throws {
    let wrong: [(inout WorldConfiguration) -> Void] = [
      { $0.capacity = 0 }, { $0.capacity = 16_385 }, { $0.contactFrequency = 0 },
      { $0.contactFrequency = 121 }, { $0.contactDampingRatio = 0 },
      { $0.contactDampingRatio = 101 }, { $0.pushSpeed = -1 }, { $0.pushSpeed = .infinity },
      { $0.restitutionThreshold = 20_001 }, { $0.sleepSpeed = .infinity },
      { $0.sleepSpin = 361 }, { $0.sleepTicks = 0 }, { $0.sleepTicks = 251 },
    ]
    for (i, change) in wrong.enumerated() {
      var configuration = WorldConfiguration()
      change(&configuration)
      expectRefused(.configuration, "case \(i)") { _ = try PhysicsWorld(configuration) }
    }
    // Their ends are taken, and come back from a snapshot.
    var ends = WorldConfiguration()
    (ends.capacity, ends.contactFrequency, ends.contactDampingRatio) = (16_384, 120, 100)
    (ends.pushSpeed, ends.restitutionThreshold, ends.sleepSpeed) = (20_000, 20_000, 20_000)
    (ends.sleepSpin, ends.sleepTicks) = (360, 250)
    let world = try PhysicsWorld(ends)
    #expect(try PhysicsWorld.restore(from: saved(world)).configuration == ends)
  }

  @Test func boundariesOutsideTheirRangesAreRefused() throws {
    var world = try Worlds.empty()
    let wrong: [(Boundary, PhysicsError.Property)] = [
      (.segment(.zero, Vector2(2e6, 0)), .position),
      (.segment(.zero, Vector2(.nan, 0)), .position),
      (.chain([.zero, Vector2(5, 0), Vector2(5, -3e6)], closed: false), .position),
      (.halfPlane(normal: Vector2(1e30, 0), offset: 0), .normal),
      (.halfPlane(normal: Vector2(1, 0), offset: 1e7), .position),
      (.halfPlane(normal: Vector2(1, 0), offset: .nan), .position),
      (.inside(Rect2(x: 0, y: 0, width: 3e6, height: 5)), .position),
    ]
    for (boundary, property) in wrong {
      expectRefused(property, "\(boundary)") {
        try world.addBoundary(boundary, id: BoundaryID(0))
      }
    }
    let degenerate: [Boundary] = [
      .segment(.zero, Vector2(0.009, 0)), .chain([.zero], closed: false),
      .chain([.zero, Vector2(5, 0)], closed: true),
      .halfPlane(normal: Vector2(1e-5, 0), offset: 0),
      .inside(Rect2(x: 0, y: 0, width: 0, height: 5)),
    ]
    for boundary in degenerate {
      #expect(throws: PhysicsError.degenerateBoundary, "\(boundary)") {
        try world.addBoundary(boundary, id: BoundaryID(0))
      }
    }
    #expect(world.boundaryPieceCount == 0)
    // A normal's length scales the offset with it, to the ends of its range.
    for length in [Float(0.001), 1, 1_000_000] {
      try world.addBoundary(
        .halfPlane(normal: Vector2(0, -length), offset: -200 * length), id: BoundaryID(1))
      let hit = try #require(world.castRay(from: .zero, to: Vector2(0, 400)))
      #expect(abs(hit.point.y - 200) < 0.001)
      #expect(try PhysicsWorld.restore(from: saved(world)).boundaryPieceCount == 1)
      try world.removeBoundary(id: BoundaryID(1))
    }
  }

  @Test func boundariesHaveAsManyPiecesAsCanBeSaved() throws {
    var world = try Worlds.empty()
    let limit = PhysicsLimit.boundaryPieces
    let points = (0...limit).map { Vector2(Float($0), 0) }
    #expect(throws: PhysicsError.tooManyBoundaryPieces(limit: limit)) {
      try world.addBoundary(.chain(points, closed: true), id: BoundaryID(0))
    }
    try world.addBoundary(.chain(points, closed: false), id: BoundaryID(0))
    #expect(world.boundaryPieceCount == limit)
    #expect(throws: PhysicsError.tooManyBoundaryPieces(limit: limit)) {
      try world.addBoundary(.segment(.zero, Vector2(5, 5)), id: BoundaryID(1))
    }
    try world.addBody(
      BodyDefinition(shape: .circle(radius: 5), position: Vector2(65_530, -6)))
    world.gravity = Vector2(0, 1000)
    for _ in 0..<10 { world.step() }
    var restored = try PhysicsWorld.restore(from: saved(world))
    restored.step()
    world.step()
    #expect(restored.stateHash() == world.stateHash())
    #expect(world.body(world.bodyID(atSlot: 0)!)!.velocity.y < 60)
    // A removed boundary makes room.
    try world.removeBoundary(id: BoundaryID(0))
    try world.addBoundary(.segment(.zero, Vector2(5, 5)), id: BoundaryID(1))
  }

  /// Rows of removed bodies are cleared away, though no step comes.
  @Test func addingAndRemovingBetweenStepsDoesNotGrowTheWorld() throws {
    var world = try Worlds.empty()
    let definition = BodyDefinition(shape: try .circle(radius: 20), position: Vector2(500, 0))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: 0), id: BoundaryID(0))
    let first = try world.addBody(
      BodyDefinition(shape: .circle(radius: 20), position: Vector2(0, -19.5)))
    world.step()
    #expect(world.contactEvents.began.count == 1)
    try world.setPosition(Vector2(0, -400), of: first)
    for _ in 0..<20_000 { try world.removeBody(try world.addBody(definition)) }
    #expect(world.storage.bodies.rowCount <= WorldStorage.mostEmptyRows + 1)
    #expect(saved(world).count < 60 * (WorldStorage.mostEmptyRows + 10))
    #expect(world.contactEvents.began.count == 1 && world.contactEvents.ended.isEmpty)
    var restored = try PhysicsWorld.restore(from: saved(world))
    world.step()
    restored.step()
    // The lookup in between found that the first one had left the floor.
    #expect(world.contactEvents.ended.map(\.body) == [first])
    #expect(restored.contactEvents == world.contactEvents)
    #expect(restored.stateHash() == world.stateHash())
  }

  @Test func jointsOutsideTheirRangesAreRefused() throws {
    var (world, id) = try ball()
    let wrong: [(JointDefinition.Kind, PhysicsError.Property)] = [
      (.distance(length: -1), .length), (.distance(length: 4e6), .length),
      (.distance(length: .nan), .length), (.distance(length: 5, frequency: 61), .frequency),
      (.distance(length: 5, frequency: 1, dampingRatio: 101), .dampingRatio),
      (.rope(length: .infinity), .length), (.weld(angle: 1e6), .angle),
      (.weld(angle: nil, frequency: -1), .frequency), (.revolute(limits: -100_001...0), .limits),
      (.revolute(frictionTorque: 1e13), .motorStrength),
      (.revolute(frictionTorque: -1), .motorStrength), (.prismatic(axis: .zero), .axis),
      (.prismatic(axis: Vector2(1e30, 0)), .axis),
      (.prismatic(axis: Vector2(1, 0), limits: -4e6...0), .limits),
    ]
    for (kind, property) in wrong {
      expectRefused(property, "\(kind)") {
        try world.addJoint(JointDefinition(kind, a: id, anchorB: .zero))
      }
    }
    let tied = JointDefinition(.rope(length: 5), a: id, b: id, anchorB: .zero)
    #expect(throws: PhysicsError.jointWithItself(id)) { try world.addJoint(tied) }
    for anchor in [Vector2(2e6, 0), Vector2(0, .nan)] {
      expectRefused(.anchor) {
        try world.addJoint(JointDefinition(.rope(length: 5), a: id, anchorB: anchor))
      }
    }
    let weld = try world.addJoint(JointDefinition(.weld(angle: nil), a: id, anchorB: .zero))
    #expect(throws: PhysicsError.meaninglessProperty(.length, of: weld)) {
      try world.setLength(5, of: weld)
    }
    expectRefused(.anchor) { try world.setAnchor(Vector2(0, 2e6), of: weld) }
    let rope = try world.addJoint(JointDefinition(.rope(length: 9), a: id, anchorB: .zero))
    expectRefused(.length) { try world.setLength(-1, of: rope) }
    expectRefused(.length) { try world.setLength(.nan, of: rope) }
  }

  /// What is refused is named to the number, with what would have been taken.
  @Test func aRefusalNamesTheValueAndItsRange() throws {
    var (world, id) = try ball()
    let place = -PhysicsLimit.place...PhysicsLimit.place
    let far = PhysicsError.Refusal(property: .position, value: -2e6, allowed: place)
    #expect(throws: PhysicsError.valueOutOfRange(far)) {
      try world.setPosition(Vector2(5, -2e6), of: id)
    }
    let fast = PhysicsError.Refusal(
      property: .angularVelocity, value: .nan,
      allowed: -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude)
    #expect(throws: PhysicsError.valueOutOfRange(fast)) {
      try world.setAngularVelocity(.nan, of: id)
    }
    let small = PhysicsError.Refusal(property: .radius, value: 0.1, allowed: 0.25...4096)
    #expect(throws: PhysicsError.sizeOutOfRange(small)) { try BodyShape.circle(radius: 0.1) }
  }

  /// The lightest and the heaviest body that there can be, thrown at each other.
  @Test func extremesCanBeSavedAtAnyTime() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    try world.addBoundary(
      .bounds(Rect2(x: 0, y: 0, width: 3000, height: 3000)), id: BoundaryID(0))
    var random = RandomGenerator(seed: 5)
    for i in 0..<40 {
      let isHeavy = i % 8 == 0
      var definition = BodyDefinition(
        shape: isHeavy ? try .box(width: 1024, height: 1024) : try .circle(radius: 0.5),
        position: Vector2(random.nextFloat(0, 3000), random.nextFloat(0, 3000)),
        properties: Worlds.properties(
          restitution: random.nextFloat(), friction: 1e5,
          density: isHeavy ? 10_000 : 0.01))
      definition.velocity = Vector2(
        random.nextFloat(-20_000, 20_000), random.nextFloat(-20_000, 20_000))
      let id = try world.addBody(definition)
      if i % 4 == 3 {
        let other = world.bodyID(atSlot: i - 3)!
        try world.addJoint(
          JointDefinition(
            i % 8 == 3 ? .weld(angle: nil) : .distance(length: nil, frequency: 60), a: id, b: other,
            anchorB: Vector2(300, 300)))
      }
    }
    for tick in 0..<240 {
      world.step()
      #expect(world.lostBodyCount == 0, "tick \(tick)")
      let bytes = saved(world)
      let restored = try? PhysicsWorld.restore(from: bytes)
      #expect(restored?.stateHash() == world.stateHash(), "tick \(tick)")
      if restored == nil { return }
    }
  }

  /// Where only motion gets to a body is brought back within what numbers can tell, never refused.
  @Test func whatIsPutTooFarAwayIsBroughtToTheLimit() throws {
    var world = try Worlds.empty()
    let id = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 20), position: .zero))
    let limit = PhysicsLimit.farPlace
    try world.setPosition(backAt: Vector2(1.5 * limit, -2 * limit), of: id)
    #expect(world.body(id)!.position == Vector2(limit, -limit))
    expectRefused(.position) {
      try world.setPosition(backAt: Vector2(.nan, 0), of: id)
    }
  }
}
