import Physics
import Testing

/// Bodies that move as they are told and push the rest.
@Suite struct KinematicTests {
  private var kinematic: BodyProperties {
    var properties = Worlds.properties(friction: 0.8)
    properties.kind = .kinematic
    return properties
  }

  private func saved(_ world: PhysicsWorld) throws -> PhysicsWorld {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return try PhysicsWorld.restore(from: bytes)
  }

  /// Neither gravity, forces, damping, contacts nor boundaries change its way.
  @Test func itMovesAsItIsTold() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    try world.addBoundary(.segment(Vector2(100, -500), Vector2(100, 500)), id: 1)
    var properties = kinematic
    properties.linearDamping = 5
    properties.angularDamping = 5
    var definition = BodyDefinition(
      shape: try .box(width: 40, height: 40), position: .zero, properties: properties)
    definition.velocity = Vector2(120, -30)
    definition.angularVelocity = 2
    let body = try world.addBody(definition)
    for k in 0..<8 {
      try world.addBody(
        BodyDefinition(shape: .circle(radius: 10), position: Vector2(60 * Float(k), -60)))
    }
    for tick in 1...120 {
      try world.applyForce(Vector2(1e6, 1e6), to: body)
      try world.applyImpulse(Vector2(1e3, 1e3), to: body)
      world.step()
      let (state, time) = (world.body(body)!, Float(tick) / 60)
      #expect((state.position - Vector2(120 * time, -30 * time)).length < 0.02)
      #expect(state.velocity == Vector2(120, -30) && state.angularVelocity == 2)
      #expect(!state.isAsleep)
    }
  }

  /// A ball of restitution e at rest leaves a paddle that comes with v at (1 + e)·v.
  @Test(arguments: [Float(0), 0.5, 1]) func aPaddleHits(restitution: Float) throws {
    for gravity in [Vector2.zero, Vector2(0, 10)] {
      var world = try Worlds.empty(gravity: gravity)
      var definition = BodyDefinition(
        shape: try .box(width: 20, height: 200), position: .zero, properties: kinematic)
      definition.velocity = Vector2(300, 0)
      try world.addBody(definition)
      let ball = try world.addBody(
        BodyDefinition(
          shape: .circle(radius: 20), position: Vector2(100, 0),
          properties: Worlds.properties(restitution: restitution)))
      var hit: ContactEvent?
      for _ in 0..<40 {
        world.step()
        hit = hit ?? world.contactEvents.began.first
      }
      #expect(abs(world.body(ball)!.velocity.x - 300 * (1 + restitution)) < 6)
      let mass = world.mass(of: ball)!
      #expect(abs(hit!.speed - 300) < 3)
      #expect(abs(hit!.impulse - mass * 300 * (1 + restitution)) < 0.02 * mass * 600)
    }
  }

  /// A lift carries what stands on it, a belt takes it along, and both wake who sleeps.
  @Test func aLiftCarries() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    let lift = try world.addBody(
      BodyDefinition(
        shape: .box(width: 200, height: 20), position: Vector2(0, 310), properties: kinematic))
    let box = try world.addBody(
      BodyDefinition(
        shape: .box(width: 40, height: 40), position: Vector2(0, 280),
        properties: Worlds.properties(friction: 0.8)))
    for _ in 0..<120 { world.step() }
    #expect(world.body(box)!.isAsleep && world.isTouching(box, .body(lift)))
    try world.setVelocity(Vector2(50, -50), of: lift)
    var restored = try saved(world)
    for _ in 0..<60 {
      // Saying the same again changes nothing.
      try world.setVelocity(Vector2(50, -50), of: lift)
      world.step()
      restored.step()
    }
    let (top, state) = (world.body(lift)!.position, world.body(box)!)
    #expect(abs(state.position.y - (top.y - 30)) < 1)
    #expect(abs(state.position.x - 50) < 3 && abs(state.velocity.x - 50) < 1)
    #expect(restored.stateHash() == world.stateHash())
    try world.setVelocity(.zero, of: lift)
    for _ in 0..<120 { world.step() }
    #expect(world.body(box)!.isAsleep)
    #expect(abs(world.body(lift)!.position.y - 260) < 0.1)
  }

  /// What moves past sleepers wakes those that it meets.
  @Test func whatItMeetsWakes() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -300), id: 1)
    let box = try world.addBody(
      BodyDefinition(shape: .box(width: 40, height: 40), position: Vector2(300, 280)))
    var definition = BodyDefinition(
      shape: try .box(width: 40, height: 40), position: Vector2(-300, 270), properties: kinematic)
    definition.velocity = Vector2(100, 0)
    try world.addBody(definition)
    var slept = false
    for _ in 0..<420 {
      world.step()
      slept = slept || world.body(box)!.isAsleep
    }
    #expect(slept)
    // It stands at 400 now, and has pushed the box before it.
    #expect(world.body(box)!.position.x > 435)
  }

  @Test(arguments: [false, true]) func aSnapshotKeepsItsVelocity(drops: Bool) throws {
    var world = try Worlds.pit(bodies: 30, seed: 9, sleeps: true)
    for k in 0..<3 {
      var definition = BodyDefinition(
        shape: try .box(width: 60, height: 12), position: Vector2(60 + 80 * Float(k), 150),
        properties: kinematic)
      definition.velocity = Vector2(40 - 40 * Float(k), 10)
      definition.angularVelocity = Float(k)
      try world.addBody(definition)
    }
    for tick in 0..<120 {
      if tick % 10 == 3 {
        if drops { world.dropCaches() }
        var (copy, restored) = (world, try saved(world))
        #expect(restored.stateHash() == world.stateHash())
        for _ in 0..<10 {
          copy.step()
          restored.step()
        }
        #expect(restored.stateHash() == copy.stateHash())
      }
      world.step()
    }
  }

  /// Kinds change into each other.
  @Test func theKindMayChange() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    var definition = BodyDefinition(shape: try .circle(radius: 10), position: .zero)
    definition.velocity = Vector2(60, 0)
    definition.angularVelocity = 3
    let body = try world.addBody(definition)
    var properties = kinematic
    try world.setProperties(properties, of: body)
    for _ in 0..<30 { world.step() }
    #expect((world.body(body)!.position - Vector2(30, 0)).length < 0.01)
    properties.kind = .anchored
    try world.setProperties(properties, of: body)
    world.step()
    #expect(world.body(body)!.velocity == .zero && world.body(body)!.angularVelocity == 0)
    properties.kind = .kinematic
    try world.setProperties(properties, of: body)
    try world.setAngularVelocity(4, of: body)
    world.step()
    #expect(world.body(body)!.angularVelocity == 4)
    properties.kind = .dynamic
    try world.setProperties(properties, of: body)
    for _ in 0..<30 { world.step() }
    #expect(world.body(body)!.velocity.y > 450)
  }

  /// As fast as anything may be, it is met all the same.
  @Test func aFastOneHitsWhatIsInItsWay() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 10))
    var definition = BodyDefinition(
      shape: try .box(width: 40, height: 400), position: .zero, properties: kinematic)
    definition.velocity = Vector2(6000, 0)
    try world.addBody(definition)
    let ball = try world.addBody(
      BodyDefinition(shape: .circle(radius: 10), position: Vector2(1000, 0)))
    for _ in 0..<15 { world.step() }
    #expect(world.body(ball)!.velocity.x > 5900)
  }
}
