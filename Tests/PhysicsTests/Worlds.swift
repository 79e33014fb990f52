import Physics

/// Worlds that several tests build.
enum Worlds {
  static func properties(
    restitution: Float = 0, friction: Float = 0, density: Float = 1
  ) -> BodyProperties {
    var p = BodyProperties()
    p.restitution = restitution
    p.friction = friction
    p.density = density
    return p
  }

  static func empty(gravity: Vector2 = .zero, sleeps: Bool = false) throws -> PhysicsWorld {
    var configuration = WorldConfiguration()
    configuration.allowsSleep = sleeps
    var world = try PhysicsWorld(configuration)
    world.gravity = gravity
    return world
  }

  /// Circles and boxes on a lattice, with random velocities, inside `width`×`width`.
  static func pit(bodies: Int, seed: UInt64, sleeps: Bool = false) throws -> PhysicsWorld {
    var random = RandomGenerator(seed: seed)
    var world = try empty(gravity: Vector2(0, 1000), sleeps: sleeps)
    var columns = 1
    while columns * columns < bodies { columns += 1 }
    let side = Float(columns) * 52
    try world.addBoundary(
      .bounds(Rect2(x: 0, y: 0, width: side, height: side)), id: BoundaryID(0))
    let circle = try BodyShape.circle(radius: 20)
    let box = try BodyShape.box(width: 40, height: 40, cornerRadius: 4)
    for i in 0..<bodies {
      let x = (Float(i % columns) + 0.5) * 52
      let y = (Float(i / columns) + 0.5) * 52
      var definition = BodyDefinition(
        shape: i % 2 == 0 ? circle : box, position: Vector2(x, y),
        properties: properties(restitution: 0.6, friction: 0.2))
      definition.velocity = Vector2(
        random.nextFloat(-100, 100), random.nextFloat(-100, 100))
      try world.addBody(definition)
    }
    return world
  }

  static var anchored: BodyProperties {
    var p = BodyProperties()
    p.kind = .anchored
    return p
  }

  /// Boxes hinged to each other in a row, hanging from one end.
  static func chain(links: Int) throws -> PhysicsWorld {
    var world = try empty(gravity: Vector2(0, 1000))
    let link = try BodyShape.box(width: 40, height: 10)
    var last: BodyID?
    for i in 0..<links {
      let id = try world.addBody(
        BodyDefinition(shape: link, position: Vector2(20 + 40 * Float(i), 0)))
      var joint = JointDefinition(
        .revolute(), a: id, anchorA: Vector2(-20, 0), b: last,
        anchorB: last == nil ? .zero : Vector2(20, 0))
      joint.collides = false
      try world.addJoint(joint)
      last = id
    }
    return world
  }

  /// Turns gravity once round every four seconds, as a crowd would.
  static func turnGravity(_ world: inout PhysicsWorld) {
    let angle = Float(world.tick % 240) / 240 * 2 * DeterministicMath.pi
    world.gravity =
      Vector2(DeterministicMath.cosine(angle), DeterministicMath.sine(angle)) * 1000
  }
}
