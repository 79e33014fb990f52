import Foundation
import Physics
import Testing

/// Joints between two bodies, and their limits and brakes, in numbers.
@Suite struct JointPairTests {
  private func ball(
    _ world: inout PhysicsWorld, _ x: Float, radius: Float = 20, density: Float = 1,
    velocity: Vector2 = .zero
  ) throws -> BodyID {
    var definition = BodyDefinition(
      shape: try .circle(radius: radius), position: Vector2(x, 0),
      properties: Worlds.properties(density: density))
    definition.velocity = velocity
    return try world.addBody(definition)
  }

  private func momentum(_ world: PhysicsWorld, _ ids: [BodyID]) -> Vector2 {
    ids.reduce(.zero) { $0 + world.body($1)!.velocity * world.mass(of: $1)! }
  }

  /// A spring between unequal masses: their distance follows the damped oscillator of its
  /// frequency, the common centre stays.
  @Test(arguments: [(2.0, 0.0), (4, 0.1), (1, 1)])
  func aSpringSwingsTwoBodies(frequency: Double, ratio: Double) throws {
    var world = try Worlds.empty()
    let a = try ball(&world, 0)
    let b = try ball(&world, 150, density: 4)
    try world.addJoint(
      JointDefinition(
        .distance(length: 100, frequency: Float(frequency), dampingRatio: Float(ratio)), a: a,
        b: b, anchorB: .zero))
    let omega = 2 * Double.pi * frequency
    for tick in 1...90 {
      world.step()
      let t = Double(tick) / 60
      let damped = omega * (1 - ratio * ratio).squareRoot()
      let x =
        ratio == 1
        ? 50 * exp(-omega * t) * (1 + omega * t)
        : 50 * exp(-ratio * omega * t)
          * (cos(damped * t) + ratio * omega / damped * sin(damped * t))
      let way = world.body(b)!.position.x - world.body(a)!.position.x
      #expect(abs(Double(way) - 100 - x) < 0.05, "tick \(tick)")
      #expect(momentum(world, [a, b]).length < 0.001)
      #expect(abs(world.body(a)!.position.x + 4 * world.body(b)!.position.x - 600) < 0.01)
    }
  }

  /// Two fly apart until the rope is taut; then they go on together, as momentum says.
  @Test func aRopeHoldsTwoBodies() throws {
    var world = try Worlds.empty()
    let a = try ball(&world, 0, velocity: Vector2(-300, 0))
    let b = try ball(&world, 50, density: 2, velocity: Vector2(300, 0))
    let mass = (world.mass(of: a)!, world.mass(of: b)!)
    try world.addJoint(JointDefinition(.rope(length: 120), a: a, b: b, anchorB: .zero))
    for tick in 0..<120 {
      world.step()
      let way = world.body(b)!.position.x - world.body(a)!.position.x
      #expect(way < 120.05)
      if tick < 6 { #expect(abs(way - 50 - Float(tick + 1) * 10) < 0.01, "slack, it pulls") }
    }
    let common = 300 * (mass.1 - mass.0) / (mass.0 + mass.1)
    for id in [a, b] { #expect(abs(world.body(id)!.velocity.x - common) < 0.5) }
    #expect(abs(world.body(b)!.position.x - world.body(a)!.position.x - 120) < 0.1)
  }

  /// Welded, two boxes are one: struck at its end, the pair turns and flies as one body of both.
  @Test func aWeldMakesOneBodyOfTwo() throws {
    var world = try Worlds.empty()
    let shape = try BodyShape.box(width: 100, height: 100)
    let a = try world.addBody(BodyDefinition(shape: shape, position: Vector2(-50, 0)))
    let b = try world.addBody(BodyDefinition(shape: shape, position: Vector2(50, 0)))
    var joint = JointDefinition(
      .weld(angle: nil), a: a, anchorA: Vector2(50, 0), b: b, anchorB: Vector2(-50, 0))
    joint.collides = false
    try world.addJoint(joint)
    try world.applyImpulse(Vector2(0, 100), at: Vector2(100, 0), to: b)
    // Mass 2; inertia of 200×100 and mass 2 is 2·(40 000 + 10 000)/12.
    let spin: Float = 100 * 100 / (2 * 50_000 / 12)
    for tick in 1...120 {
      world.step()
      let (p, q) = (world.body(a)!, world.body(b)!)
      #expect(((p.position + q.position) * 0.5 - Vector2(0, 50 * Float(tick) / 60)).length < 0.2)
      #expect(abs(p.angularVelocity - spin) < 0.01 * spin)
      #expect(abs(q.angularVelocity - spin) < 0.01 * spin)
      #expect((p.rotation * q.rotation.inverse).angle.magnitude < 0.005)
      #expect(abs((p.position - q.position).length - 100) < 0.1)
    }
  }

  /// A slider between two bodies: stops at both limits, keeps their angle and their momentum.
  @Test func aSliderStopsAtItsLimits() throws {
    var world = try Worlds.empty()
    let shape = try BodyShape.box(width: 40, height: 40)
    let a = try world.addBody(BodyDefinition(shape: shape, position: .zero))
    let b = try world.addBody(BodyDefinition(shape: shape, position: Vector2(0, 100)))
    try world.addJoint(
      JointDefinition(
        .prismatic(axis: Vector2(0, 1), limits: -30...50), a: a, b: b, anchorB: .zero))
    for (push, stop) in [(Float(60), Float(150)), (-60, 70)] {
      for id in [a, b] {
        try world.setVelocity(.zero, of: id)
      }
      try world.applyImpulse(Vector2(0, push), to: b)
      let before = momentum(world, [a, b])
      for _ in 0..<120 {
        world.step()
        let way = world.body(b)!.position - world.body(a)!.position
        #expect(way.y > 69.5 && way.y < 150.5 && abs(way.x) < 0.05)
        #expect(abs(world.body(a)!.angle - world.body(b)!.angle) < 0.002)
        #expect((momentum(world, [a, b]) - before).length < 0.01 * abs(push))
      }
      #expect(abs(world.body(b)!.position.y - world.body(a)!.position.y - stop) < 0.1)
    }
  }

  /// The brake of a hinge slows a spin by torque / inertia, then holds.
  @Test func frictionTorqueBrakesAtItsRate() throws {
    var world = try Worlds.empty()
    let id = try world.addBody(
      BodyDefinition(shape: try .box(width: 100, height: 100), position: .zero))
    try world.addJoint(JointDefinition(.revolute(frictionTorque: 5000), a: id, anchorB: .zero))
    // Inertia 10 000/6: the spin loses 3 a second.
    try world.setAngularVelocity(6, of: id)
    for tick in 1...150 {
      world.step()
      let exact = max(0, 6 - 3 * Float(tick) / 60)
      #expect(abs(world.body(id)!.angularVelocity - exact) < 0.02, "tick \(tick)")
      #expect(world.body(id)!.position.length < 0.01)
    }
    // Less than the brake does not move it, more turns it by the difference.
    for (torque, rate) in [(Float(4900), Float(0)), (8000, 1.8)] {
      try world.setAngularVelocity(0, of: id)
      for _ in 0..<60 {
        try world.applyTorque(torque, to: id)
        world.step()
      }
      #expect(abs(world.body(id)!.angularVelocity - rate) < 0.02)
    }
  }

  /// Two hinged bodies keep their relative angle within its limits, from both sides.
  @Test func aHingeBetweenBodiesKeepsItsLimits() throws {
    var world = try Worlds.empty()
    let shape = try BodyShape.box(width: 80, height: 20)
    let a = try world.addBody(BodyDefinition(shape: shape, position: Vector2(-40, 0)))
    let b = try world.addBody(BodyDefinition(shape: shape, position: Vector2(40, 0)))
    var joint = JointDefinition(
      .revolute(limits: -0.4...0.9), a: a, anchorA: Vector2(40, 0), b: b, anchorB: Vector2(-40, 0))
    joint.collides = false
    try world.addJoint(joint)
    for (torque, stop) in [(Float(4000), Float(0.9)), (-4000, -0.4)] {
      for _ in 0..<90 {
        try world.applyTorque(torque, to: b)
        try world.applyTorque(-torque, to: a)
        world.step()
        let angle = (world.body(b)!.rotation * world.body(a)!.rotation.inverse).angle
        #expect(angle > -0.42 && angle < 0.92)
      }
      let angle = (world.body(b)!.rotation * world.body(a)!.rotation.inverse).angle
      #expect(abs(angle - stop) < 0.01)
    }
  }

  /// Anchors far apart on a rope or rod that swing past each other do not sling anything.
  @Test func aTangledRodStaysTame() throws {
    for kind in [JointDefinition.Kind.distance(length: 12), .rope(length: 12)] {
      for seed in UInt64(0)..<40 {
        var random = RandomGenerator(seed: seed)
        var world = try Worlds.empty()
        let a = try ball(&world, 0, radius: 4)
        let b = try ball(&world, 30, radius: 5, density: random.nextFloat(0.2, 5))
        var joint = JointDefinition(
          kind, a: a, anchorA: Vector2(3, 1), b: b, anchorB: Vector2(-4, 0))
        joint.collides = false
        try world.addJoint(joint)
        try world.setAngularVelocity(random.nextFloat(-60, 60), of: a)
        try world.setVelocity(
          Vector2(random.nextFloat(-3000, 3000), random.nextFloat(-3000, 3000)), of: b)
        for tick in 0..<60 {
          world.step()
          let way = (world.body(a)!.position - world.body(b)!.position).length
          #expect(way < 80, "seed \(seed), tick \(tick)")
          #expect(world.body(a)!.velocity.length < 20_000)
        }
        let end = (world.anchors(of: world.firstJoint)!.a - world.anchors(of: world.firstJoint)!.b)
        #expect(end.length < 13, "seed \(seed)")
      }
    }
  }
}

extension PhysicsWorld {
  fileprivate var firstJoint: JointID { JointID(slot: 0, generation: 0) }
}
