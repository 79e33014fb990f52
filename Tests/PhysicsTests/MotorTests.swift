import Physics
import Testing

/// Motors of joints, and joints that break, against what mechanics says.
@Suite struct MotorTests {
  private func saved(_ world: PhysicsWorld) throws -> PhysicsWorld {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return try PhysicsWorld.restore(from: bytes)
  }

  /// A torque τ gives a wheel of inertia I τ·t/I until it has its speed.
  @Test func aMotorTurnsAWheelUpToItsSpeed() throws {
    var world = try Worlds.empty()
    let disc = try BodyShape.circle(radius: 56.41896)
    let wheel = try world.addBody(BodyDefinition(shape: disc, position: Vector2(100, 50)))
    let inertia = world.mass(of: wheel)! * disc.inertiaPerMass
    try world.addJoint(
      JointDefinition(
        .revolute(frictionTorque: 4 * inertia, motorSpeed: -6), a: wheel,
        anchorB: Vector2(100, 50)))
    for _ in 0..<60 { world.step() }
    // Against the world the body turns with minus the speed: 4 rad/s² for a second.
    #expect(abs(world.body(wheel)!.angularVelocity - 4) < 0.05)
    var restored = try saved(world)
    for _ in 0..<60 {
      world.step()
      restored.step()
    }
    #expect(abs(world.body(wheel)!.angularVelocity - 6) < 0.01)
    #expect(restored.stateHash() == world.stateHash())
    #expect((world.body(wheel)!.position - Vector2(100, 50)).length < 0.01)
  }

  /// Between two bodies the spins differ by the motor's speed and cancel out: no angular momentum
  /// is made.
  @Test func betweenTwoTheSpinsBalance() throws {
    var world = try Worlds.empty()
    let a = try world.addBody(BodyDefinition(shape: .circle(radius: 50), position: .zero))
    let b = try world.addBody(BodyDefinition(shape: .circle(radius: 25), position: .zero))
    var joint = JointDefinition(
      .revolute(frictionTorque: 1e7, motorSpeed: 10), a: a, b: b, anchorB: .zero)
    joint.collides = false
    try world.addJoint(joint)
    for _ in 0..<30 { world.step() }
    let spins = (world.body(a)!.angularVelocity, world.body(b)!.angularVelocity)
    #expect(abs(spins.1 - spins.0 - 10) < 0.01)
    // Inertia goes with the fourth power of the radius.
    #expect(abs(16 * spins.0 + spins.1) < 0.05)
  }

  /// A lift: the motor's force less the weight accelerates it, up to its speed.
  @Test func aMotorLiftsAlongItsAxis() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let lift = try world.addBody(
      BodyDefinition(shape: .box(width: 100, height: 100), position: .zero))
    let post = try world.addBody(
      BodyDefinition(
        shape: .box(width: 10, height: 10), position: Vector2(-500, 0), properties: Worlds.anchored)
    )
    // The axis belongs to the post and points up.
    let joint = try world.addJoint(
      JointDefinition(
        .prismatic(axis: Vector2(0, -1), limits: 0...150, frictionForce: 1200, motorSpeed: 100),
        a: post, anchorA: Vector2(500, 0), b: lift, anchorB: .zero))
    for _ in 0..<15 { world.step() }
    #expect(abs(world.body(lift)!.velocity.y + 50) < 2)
    for _ in 0..<30 { world.step() }
    #expect(abs(world.body(lift)!.velocity.y + 100) < 1)
    var restored = try saved(world)
    for _ in 0..<120 {
      world.step()
      restored.step()
    }
    #expect(abs(world.joint(joint)!.slide - 150) < 0.5, "the limit ends it")
    #expect(abs(world.body(lift)!.velocity.y) < 1)
    #expect(restored.stateHash() == world.stateHash())
    // A force below the weight only brakes the fall: 1000 − 600.
    try world.setJoint(
      joint,
      to: JointDefinition(
        .prismatic(axis: Vector2(0, -1), frictionForce: 600), a: post, anchorA: Vector2(500, 0),
        b: lift, anchorB: .zero))
    for _ in 0..<30 { world.step() }
    #expect(abs(world.body(lift)!.velocity.y - 200) < 4)
  }

  /// A rope that carries 1500 holds a weight of 1000 at rest and breaks under one of 2000.
  @Test func aRopeBreaksUnderMoreThanItCarries() throws {
    for density in [Float(1), 2] {
      var world = try Worlds.empty(gravity: Vector2(0, 1000))
      let lamp = try world.addBody(
        BodyDefinition(
          shape: .box(width: 100, height: 100), position: .zero,
          properties: Worlds.properties(density: density)))
      var rope = JointDefinition(.rope(length: 100), a: lamp, anchorB: Vector2(0, -100))
      rope.breakingForce = 1500
      let id = try world.addJoint(rope)
      var broken: [JointID] = []
      for _ in 0..<30 {
        var restored = try saved(world)
        world.step()
        restored.step()
        #expect(restored.brokenJoints == world.brokenJoints)
        #expect(restored.stateHash() == world.stateHash())
        broken += world.brokenJoints
      }
      #expect(broken == (density == 2 ? [id] : []))
      #expect(world.contains(id) == (density == 1) && (world.joint(id) == nil) == (density == 2))
      #expect((world.body(lamp)!.position.y > 50) == (density == 2))
    }
  }

  /// Each kind of joint carries 1000 at rest and breaks when that is too much.
  @Test func everyKindBreaks() throws {
    let kinds: [JointDefinition.Kind] = [
      .distance(length: 0), .distance(length: 50, frequency: 4, dampingRatio: 1), .rope(length: 50),
      .weld(angle: 0), .weld(angle: 0, frequency: 5, dampingRatio: 1), .revolute(),
      .revolute(limits: -1...1), .prismatic(axis: Vector2(1, 0)),
    ]
    for kind in kinds {
      for force in [Float(900), 4000] {
        var world = try Worlds.empty(gravity: Vector2(0, 1000))
        let body = try world.addBody(
          BodyDefinition(shape: .box(width: 100, height: 100), position: .zero))
        var reach: Float = 0
        switch kind {
        case .distance(let length?, _, _), .rope(let length?): reach = length
        default: break
        }
        var joint = JointDefinition(kind, a: body, anchorB: Vector2(0, -reach))
        joint.breakingForce = force
        let id = try world.addJoint(joint)
        for _ in 0..<120 { world.step() }
        #expect(world.contains(id) == (force == 4000), "\(kind)")
      }
    }
  }

  /// A plank of mass 1, held 50 pt beside its middle, needs 50 000.
  @Test func aWeldBreaksUnderItsTorque() throws {
    for torque in [Float(40_000), 80_000] {
      var world = try Worlds.empty(gravity: Vector2(0, 1000))
      let plank = try world.addBody(
        BodyDefinition(shape: .box(width: 100, height: 100), position: .zero))
      var weld = JointDefinition(
        .weld(angle: 0), a: plank, anchorA: Vector2(-50, 0), anchorB: Vector2(-50, 0))
      weld.breakingTorque = torque
      let id = try world.addJoint(weld)
      for _ in 0..<60 { world.step() }
      #expect(world.contains(id) == (torque == 80_000))
    }
  }

  @Test func valuesOutsideTheirRangesAreRefused() throws {
    var world = try Worlds.empty()
    let body = try world.addBody(BodyDefinition(shape: .circle(radius: 10), position: .zero))
    let kinds: [(JointDefinition.Kind, PhysicsError.Property)] = [
      (.revolute(frictionTorque: 1, motorSpeed: .nan), .motorSpeed),
      (.revolute(frictionTorque: 1, motorSpeed: 361), .motorSpeed),
      (.prismatic(axis: Vector2(1, 0), frictionForce: -1), .motorStrength),
      (.prismatic(axis: Vector2(1, 0), frictionForce: 1, motorSpeed: -20_001), .motorSpeed),
    ]
    for (kind, property) in kinds {
      expectRefused(property, "\(kind)") {
        try world.addJoint(JointDefinition(kind, a: body, anchorB: .zero))
      }
    }
    var rope = JointDefinition(.rope(length: 1), a: body, anchorB: .zero)
    rope.breakingForce = -1
    expectRefused(.breakingForce) { try world.addJoint(rope) }
    #expect(world.jointCount == 0)
  }
}
