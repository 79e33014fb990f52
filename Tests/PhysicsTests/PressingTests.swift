import Physics
import Testing

/// Motors that press: what contacts bear they bear, and nothing is pushed through anything.
@Suite struct PressingTests {
  /// A piston of 40×40 pt (mass 0.16) that slides to the right, and what it is to press against:
  /// its face comes there when its centre is at 70.
  private func piston(
    force: Float, speed: Float, _ obstacle: (inout PhysicsWorld) throws -> Void
  ) throws -> (PhysicsWorld, BodyID, JointID) {
    var world = try Worlds.empty()
    let post = try world.addBody(
      BodyDefinition(
        shape: .box(width: 10, height: 10), position: Vector2(-500, 0), properties: Worlds.anchored)
    )
    let piston = try world.addBody(
      BodyDefinition(shape: .box(width: 40, height: 40), position: .zero))
    let joint = try world.addJoint(
      JointDefinition(
        .prismatic(axis: Vector2(1, 0), frictionForce: force, motorSpeed: speed), a: post,
        anchorA: Vector2(500, 0), b: piston, anchorB: .zero))
    try obstacle(&world)
    return (world, piston, joint)
  }

  private static let obstacles: [@Sendable (inout PhysicsWorld) throws -> Void] = [
    {
      _ = try $0.addBody(
        BodyDefinition(
          shape: .box(width: 20, height: 200), position: Vector2(100, 0),
          properties: Worlds.anchored))
    },
    { try $0.addBoundary(.segment(Vector2(90, -500), Vector2(90, 500)), id: 1) },
    { try $0.addBoundary(.halfPlane(normal: Vector2(-1, 0), offset: -90), id: 1) },
  ]

  @Test(arguments: [Float(1e5), 1e7, 1e12], [Float(50), 500, 2000, 6000, 20_000])
  func noPistonIsPushedThroughAnything(force: Float, speed: Float) throws {
    for (kind, obstacle) in Self.obstacles.enumerated() {
      var (world, piston, joint) = try piston(force: force, speed: speed, obstacle)
      for _ in 0..<300 { world.step() }
      let depth = world.body(piston)!.position.x - 70
      #expect(depth > -0.5 && depth < 2.5, "obstacle \(kind): \(depth) pt")
      #expect(world.body(piston)!.velocity.length < 20)
      // It gets away again.
      try world.setMotor(speed: -100, strength: 10_000, of: joint)
      for _ in 0..<60 { world.step() }
      #expect(world.body(piston)!.position.x < 0, "obstacle \(kind)")
    }
  }

  /// What a motor presses with is its force, as far as contacts bear it: 400 000 pt/s² for a mass
  /// of 0.16.
  @Test(arguments: [(Float(500), Float(500)), (8000, 8000), (1e9, 64_000)])
  func aPistonPressesWithItsForce(force: Float, pressed: Float) throws {
    for obstacle in Self.obstacles {
      var (world, piston, _) = try piston(force: force, speed: 200, obstacle)
      for _ in 0..<300 { world.step() }
      var partners: [TouchingPartner] = []
      world.touching(piston, into: &partners)
      let partner = try #require(partners.first)
      #expect(partners.count == 1)
      #expect(abs(partner.force - pressed) < 0.05 * pressed, "\(partner.force)")
    }
  }

  /// An arm of 100×10 pt that turns about its end meets a peg of radius 10 at (80, 40): its side is
  /// 5 pt from its axis, so it stops 15 pt before the peg's middle, at 0.4636 − 0.1685 rad.
  @Test(arguments: [Float(1e5), 1e8, 1e12]) func noArmIsTurnedThroughAPeg(torque: Float) throws {
    for speed in [Float(1), 20] {
      var world = try Worlds.empty()
      let arm = try world.addBody(
        BodyDefinition(shape: .box(width: 100, height: 10), position: Vector2(50, 0)))
      try world.addJoint(
        JointDefinition(
          .revolute(frictionTorque: torque, motorSpeed: -speed), a: arm,
          anchorA: Vector2(-50, 0), anchorB: .zero))
      try world.addBody(
        BodyDefinition(
          shape: .circle(radius: 10), position: Vector2(80, 40), properties: Worlds.anchored))
      for _ in 0..<300 { world.step() }
      #expect(abs(world.body(arm)!.angle - 0.295) < 0.05, "\(world.body(arm)!.angle)")
    }
  }

  /// A spoke of 100×10 pt, welded to a hub that touches nothing, meets a peg of radius 10 at
  /// (100, 40): its side is 5 pt from its axis, so it stops 15 pt before the peg's middle, at
  /// 0.3805 − 0.1397 rad.
  @Test(arguments: [Float(1e5), 1e8, 1e12])
  func noWeldedSpokeIsTurnedThroughAPeg(torque: Float) throws {
    for speed in [Float(1), 3] {
      var world = try Worlds.empty()
      let hub = try world.addBody(BodyDefinition(shape: .circle(radius: 20), position: .zero))
      let spoke = try world.addBody(
        BodyDefinition(shape: .box(width: 100, height: 10), position: Vector2(70, 0)))
      try world.addJoint(
        JointDefinition(
          .revolute(frictionTorque: torque, motorSpeed: -speed), a: hub, anchorB: .zero))
      var weld = JointDefinition(
        .weld(angle: nil), a: hub, anchorA: Vector2(20, 0), b: spoke, anchorB: Vector2(-50, 0))
      weld.collides = false
      try world.addJoint(weld)
      try world.addBody(
        BodyDefinition(
          shape: .circle(radius: 10), position: Vector2(100, 40), properties: Worlds.anchored))
      for _ in 0..<300 { world.step() }
      let angle = world.body(spoke)!.angle
      #expect(abs(angle - 0.241) < 0.08, "\(speed) rad/s: \(angle)")
    }
  }

  /// A piston's head of 20×60 pt that is welded to it, face at 40 to begin with: what is in its way
  /// is in the piston's.
  @Test(arguments: [Float(1e5), 1e12])
  func noWeldedHeadIsPushedThroughAnything(force: Float) throws {
    for (kind, obstacle) in Self.obstacles.enumerated() {
      var (world, piston, _) = try piston(force: force, speed: 50, obstacle)
      let head = try world.addBody(
        BodyDefinition(shape: .box(width: 20, height: 60), position: Vector2(30, 0)))
      var weld = JointDefinition(
        .weld(angle: nil), a: piston, anchorA: Vector2(20, 0), b: head, anchorB: Vector2(-10, 0))
      weld.collides = false
      try world.addJoint(weld)
      for _ in 0..<300 { world.step() }
      let depth = world.body(head)!.position.x - 80
      #expect(depth > -0.5 && depth < 4, "obstacle \(kind): \(depth) pt")
    }
  }

  /// A box that lies on the anchored post of a motor is in nobody's way: within a tick the motor
  /// has its speed. Bounded, a slider's would have 6667 pt/s by then, and a hinge's 22 rad/s.
  @Test(arguments: [false, true])
  func whatLiesOnAnAnchoredBodyBoundsNoMotor(isHinge: Bool) throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let post = try world.addBody(
      BodyDefinition(
        shape: .box(width: 200, height: 20), position: .zero, properties: Worlds.anchored))
    let box = try world.addBody(
      BodyDefinition(shape: .box(width: 20, height: 20), position: Vector2(50, -20)))
    let wheel = try world.addBody(
      BodyDefinition(shape: .circle(radius: 20), position: Vector2(0, 200)))
    let joint = try world.addJoint(
      JointDefinition(
        isHinge ? .revolute() : .prismatic(axis: Vector2(1, 0)), a: post,
        anchorA: Vector2(0, 200), b: wheel, anchorB: .zero))
    for _ in 0..<10 { world.step() }
    var partners: [TouchingPartner] = []
    world.touching(box, into: &partners)
    #expect(partners.count == 1, "the box lies on the post")
    let speed: Float = isHinge ? 100 : 10_000
    try world.setMotor(speed: speed, strength: 1e9, of: joint)
    world.step()
    let state = world.body(wheel)!
    #expect(abs((isHinge ? state.angularVelocity : state.velocity.x) - speed) < 0.01 * speed)
  }

  /// A body that is pressed and restored goes on in the same way.
  @Test func aSnapshotGoesOnPressing() throws {
    var (world, _, _) = try piston(force: 1e9, speed: 300, Self.obstacles[0])
    for _ in 0..<40 { world.step() }
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    var restored = try PhysicsWorld.restore(from: bytes)
    for _ in 0..<30 {
      world.step()
      restored.step()
    }
    #expect(restored.stateHash() == world.stateHash())
  }
}
