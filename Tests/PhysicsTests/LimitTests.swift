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
    let wrong: [(inout BodyDefinition) -> Void] = [
      { $0.position.x = 1_048_577 }, { $0.position.y = -1e13 }, { $0.position.x = .nan },
      { $0.angle = 1e6 }, { $0.angle = .infinity }, { $0.velocity.x = .nan },
      { $0.angularVelocity = .infinity }, { $0.properties.density = 1e-38 },
      { $0.properties.density = 0.009 }, { $0.properties.density = 10_001 },
      { $0.properties.restitution = 1.01 }, { $0.properties.restitution = -0.01 },
      { $0.properties.friction = -1 }, { $0.properties.friction = 1e6 },
      { $0.properties.linearDamping = 1e6 }, { $0.properties.angularDamping = -0.1 },
      { $0.properties.gravityScale = 1201 }, { $0.properties.gravityScale = .nan },
    ]
    for (i, change) in wrong.enumerated() {
      #expect(throws: PhysicsError.valueOutOfRange, "case \(i)") { _ = try ball(change) }
    }
  }

  @Test func whatChangesABodyRefusesWhatIsNoNumberOrTooFar() throws {
    var (world, id) = try ball()
    let before = saved(world)
    let far = Vector2(0, 2e6)
    let wrong: [(inout PhysicsWorld, BodyID) throws -> Void] = [
      { try $0.setPosition(far, of: $1) },
      { try $0.setRotation(Rotation(cosine: 0, sine: 0), of: $1) },
      { try $0.setRotation(Rotation(cosine: 2, sine: 0), of: $1) },
      { try $0.applyForce(.zero, at: far, to: $1) },
      { try $0.applyImpulse(.zero, at: far, to: $1) },
    ]
    for change in wrong {
      #expect(throws: PhysicsError.valueOutOfRange) { try change(&world, id) }
    }
    for x in Self.notNumbers {
      #expect(throws: PhysicsError.valueOutOfRange) { try world.setPosition(Vector2(x, 0), of: id) }
      #expect(throws: PhysicsError.valueOutOfRange) { try world.setVelocity(Vector2(0, x), of: id) }
      #expect(throws: PhysicsError.valueOutOfRange) { try world.setAngularVelocity(x, of: id) }
      #expect(throws: PhysicsError.valueOutOfRange) { try world.applyForce(Vector2(x, 0), to: id) }
      #expect(throws: PhysicsError.valueOutOfRange) { try world.applyTorque(x, to: id) }
      #expect(throws: PhysicsError.valueOutOfRange) {
        try world.applyImpulse(Vector2(0, x), to: id)
      }
      #expect(throws: PhysicsError.valueOutOfRange) { try world.applyAngularImpulse(x, to: id) }
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
      #expect(throws: PhysicsError.valueOutOfRange, "case \(i)") {
        _ = try PhysicsWorld(configuration)
      }
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
    let wrong: [(Boundary, PhysicsError)] = [
      (.segment(.zero, Vector2(2e6, 0)), .valueOutOfRange),
      (.segment(.zero, Vector2(.nan, 0)), .valueOutOfRange),
      (.segment(.zero, Vector2(0.009, 0)), .degenerateBoundary),
      (.chain([.zero, Vector2(5, 0), Vector2(5, -3e6)], closed: false), .valueOutOfRange),
      (.chain([.zero], closed: false), .degenerateBoundary),
      (.chain([.zero, Vector2(5, 0)], closed: true), .degenerateBoundary),
      (.halfPlane(normal: Vector2(1e-5, 0), offset: 0), .degenerateBoundary),
      (.halfPlane(normal: Vector2(1e30, 0), offset: 0), .valueOutOfRange),
      (.halfPlane(normal: Vector2(1, 0), offset: 1e7), .valueOutOfRange),
      (.halfPlane(normal: Vector2(1, 0), offset: .nan), .valueOutOfRange),
      (.inside(Rectangle(x: 0, y: 0, width: 0, height: 5)), .degenerateBoundary),
      (.inside(Rectangle(x: 0, y: 0, width: 3e6, height: 5)), .valueOutOfRange),
    ]
    for (boundary, error) in wrong {
      #expect(throws: error, "\(boundary)") {
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
    let wrong: [JointDefinition.Kind] = [
      .distance(length: -1), .distance(length: 4e6), .distance(length: .nan),
      .distance(length: 5, frequency: 61), .distance(length: 5, frequency: 1, dampingRatio: 101),
      .rope(length: .infinity), .weld(angle: 1e6), .weld(angle: nil, frequency: -1),
      .revolute(limits: -100_001...0), .revolute(frictionTorque: 1e13),
      .revolute(frictionTorque: -1), .prismatic(axis: .zero),
      .prismatic(axis: Vector2(1e30, 0)), .prismatic(axis: Vector2(1, 0), limits: -4e6...0),
    ]
    for kind in wrong {
      #expect(throws: PhysicsError.valueOutOfRange, "\(kind)") {
        try world.addJoint(JointDefinition(kind, a: id, anchorB: .zero))
      }
    }
    for anchor in [Vector2(2e6, 0), Vector2(0, .nan)] {
      #expect(throws: PhysicsError.valueOutOfRange) {
        try world.addJoint(JointDefinition(.rope(length: 5), a: id, anchorB: anchor))
      }
    }
    let weld = try world.addJoint(JointDefinition(.weld(angle: nil), a: id, anchorB: .zero))
    #expect(throws: PhysicsError.valueOutOfRange) { try world.setLength(5, of: weld) }
    #expect(throws: PhysicsError.valueOutOfRange) { try world.setAnchor(Vector2(0, 2e6), of: weld) }
    let rope = try world.addJoint(JointDefinition(.rope(length: 9), a: id, anchorB: .zero))
    #expect(throws: PhysicsError.valueOutOfRange) { try world.setLength(-1, of: rope) }
    #expect(throws: PhysicsError.valueOutOfRange) { try world.setLength(.nan, of: rope) }
  }

  /// The lightest and the heaviest body that there can be, thrown at each other.
  @Test func extremesCanBeSavedAtAnyTime() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    try world.addBoundary(
      .bounds(Rectangle(x: 0, y: 0, width: 3000, height: 3000)), id: BoundaryID(0))
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
    #expect(throws: PhysicsError.valueOutOfRange) {
      try world.setPosition(backAt: Vector2(.nan, 0), of: id)
    }
  }
}
