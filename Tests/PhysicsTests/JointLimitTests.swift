import Physics
import Testing

/// Motors at the limits of their joints, and limits of half a turn and more.
@Suite struct JointLimitTests {
  /// A door (a disc of radius 20, inertia 25) in a frame.
  private func door(
    _ limits: ClosedRange<Float>, torque: Float, speed: Float
  ) throws -> (PhysicsWorld, BodyID, JointID) {
    var world = try Worlds.empty()
    let frame = try world.addBody(
      BodyDefinition(
        shape: .box(width: 10, height: 10), position: Vector2(0, 100), properties: Worlds.anchored))
    let door = try world.addBody(BodyDefinition(shape: .circle(radius: 20), position: .zero))
    var joint = JointDefinition(
      .revolute(limits: limits, frictionTorque: torque, motorSpeed: speed), a: frame,
      anchorA: Vector2(0, -100), b: door, anchorB: .zero)
    joint.collides = false
    let hinge = try world.addJoint(joint)
    return (world, door, hinge)
  }

  private func saved(_ world: PhysicsWorld) throws -> (PhysicsWorld, size: Int) {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    return (try PhysicsWorld.restore(from: bytes), bytes.count)
  }

  /// Two seconds at its limit, then turned round: after a tenth of a second it has gone a tenth of
  /// its speed, however strong it is and whichever limit it was at.
  @Test(arguments: [Float(1e5), 1e7, 1e9], [Float(1), -1])
  func aHingeTurnedRoundAtItsLimitAnswersAtOnce(torque: Float, side: Float) throws {
    var (world, _, hinge) = try door(-1...1, torque: torque, speed: 2 * side)
    for _ in 0..<150 { world.step() }
    #expect(abs(world.joint(hinge)!.angle - side) < 0.02)
    try world.setMotor(speed: -2 * side, strength: torque, of: hinge)
    for _ in 0..<6 { world.step() }
    #expect(abs(world.joint(hinge)!.angle - 0.8 * side) < 0.03, "\(world.joint(hinge)!.angle)")
  }

  @Test(arguments: [Float(1e5), 1e7, 1e9], [Float(1), -1])
  func aSliderTurnedRoundAtItsLimitAnswersAtOnce(force: Float, side: Float) throws {
    var world = try Worlds.empty()
    let sled = try world.addBody(BodyDefinition(shape: .circle(radius: 20), position: .zero))
    let post = try world.addBody(
      BodyDefinition(
        shape: .box(width: 10, height: 10), position: Vector2(0, 200), properties: Worlds.anchored))
    let slider = try world.addJoint(
      JointDefinition(
        .prismatic(
          axis: Vector2(1, 0), limits: -50...50, frictionForce: force, motorSpeed: 100 * side),
        a: post, anchorA: Vector2(0, -200), b: sled, anchorB: .zero))
    for _ in 0..<150 { world.step() }
    #expect(abs(world.joint(slider)!.slide - 50 * side) < 0.5)
    try world.setMotor(speed: -100 * side, strength: force, of: slider)
    for _ in 0..<6 { world.step() }
    #expect(abs(world.joint(slider)!.slide - 40 * side) < 1.5, "\(world.joint(slider)!.slide)")
  }

  /// Other limits count from the zero of the old ones; a hinge beyond them is brought back.
  @Test func limitsAreChangedWithoutANewZero() throws {
    var (world, _, hinge) = try door(-1...1, torque: 1e7, speed: 2)
    for _ in 0..<60 { world.step() }
    #expect(abs(world.joint(hinge)!.angle - 1) < 0.02)
    try world.setLimits(-1...0.25, of: hinge)
    guard case .revolute(let limits, _, _) = world.definition(of: hinge)!.kind else { return }
    #expect(limits == -1...0.25)
    for _ in 0..<60 { world.step() }
    #expect(abs(world.joint(hinge)!.angle - 0.25) < 0.02)
    try world.setLimits(nil, of: hinge)
    for _ in 0..<60 { world.step() }
    #expect(world.joint(hinge)!.angle > 1.5)
    expectRefused(.limits) { try world.setLimits(0...200_000, of: hinge) }
    let joint = world.definition(of: hinge)!
    try world.setJoint(hinge, to: JointDefinition(.rope(length: 5), a: joint.a, anchorB: .zero))
    #expect(throws: PhysicsError.meaninglessProperty(.limits, of: hinge)) {
      try world.setLimits(0...1, of: hinge)
    }
  }

  /// A limit bears what the motor presses on it with, and breaks under it.
  @Test func aLimitBearsItsMotor() throws {
    var (world, _, hinge) = try door(-1...1, torque: 4000, speed: 2)
    for _ in 0..<120 { world.step() }
    #expect(abs(world.joint(hinge)!.torque - 4000) < 40)
    var definition = world.definition(of: hinge)!
    definition.kind = .revolute(limits: 0...0, frictionTorque: 4000, motorSpeed: 2)
    for (torque, holds) in [(Float(4400), true), (3600, false)] {
      definition.breakingTorque = torque
      try world.setJoint(hinge, to: definition)
      for _ in 0..<60 { world.step() }
      #expect(world.contains(hinge) == holds)
    }
  }

  /// A strong motor is held by a limit, be it half a turn, more, or many turns: there, and back at
  /// the other one. A snapshot goes on from anywhere, and counts turns in four bytes only where
  /// there are any.
  @Test(arguments: [Float(DeterministicMath.pi), 4, 2 * DeterministicMath.pi, 20])
  func aLimitOfHalfATurnOrMoreHolds(limit: Float) throws {
    for side in [Float(1), -1] {
      var (world, door, hinge) = try door(-limit...limit, torque: 1e6, speed: 6 * side)
      world.step()
      let least = try saved(world).size
      for _ in 0..<(60 + Int(10 * limit)) { world.step() }
      #expect(abs(world.joint(hinge)!.angle - limit * side) < 0.02, "\(world.joint(hinge)!.angle)")
      let turned = Rotation(angle: limit * side)
      let rotation = world.body(door)!.rotation
      #expect(abs(rotation.cosine - turned.cosine) + abs(rotation.sine - turned.sine) < 0.05)
      #expect(try saved(world).size == least + 4)
      try world.setMotor(speed: -6 * side, strength: 1e6, of: hinge)
      for tick in 0..<(60 + Int(20 * limit)) {
        if tick % 10 == 0 {
          var (copy, restored) = (world, try saved(world).0)
          for _ in 0..<10 {
            copy.step()
            restored.step()
          }
          #expect(restored.stateHash() == copy.stateHash())
          #expect(restored.joint(hinge)! == copy.joint(hinge)!)
        }
        world.step()
      }
      #expect(abs(world.joint(hinge)!.angle + limit * side) < 0.02, "\(world.joint(hinge)!.angle)")
    }
  }

  /// A limit that doesn't hold the angle when added brings the joint there, the long way round.
  @Test func aLimitBeyondATurnIsWoundUpTo() throws {
    var (world, _, hinge) = try door(7...8, torque: 0, speed: 0)
    for _ in 0..<120 { world.step() }
    #expect(abs(world.joint(hinge)!.angle - 7) < 0.02)
  }

  /// Without limits the angle stays in −π…π, and nothing stops a wheel.
  @Test func aHingeWithoutLimitsTurnsOn() throws {
    var world = try Worlds.empty()
    let wheel = try world.addBody(BodyDefinition(shape: .circle(radius: 20), position: .zero))
    let hinge = try world.addJoint(
      JointDefinition(.revolute(frictionTorque: 1e6, motorSpeed: -6), a: wheel, anchorB: .zero))
    for _ in 0..<240 {
      world.step()
      #expect(abs(world.joint(hinge)!.angle) <= DeterministicMath.pi)
    }
    #expect(abs(world.body(wheel)!.angularVelocity - 6) < 0.01)
  }

  /// A joint that is given other bodies keeps these apart from now on, and no more the former ones.
  @Test func aJointThatGoesToOthersMutesThose() throws {
    var world = try Worlds.empty()
    let disc = try BodyShape.circle(radius: 20)
    let a = try world.addBody(BodyDefinition(shape: disc, position: .zero))
    let b = try world.addBody(BodyDefinition(shape: disc, position: Vector2(38, 0)))
    let c = try world.addBody(BodyDefinition(shape: disc, position: Vector2(0, 39.5)))
    var tie = JointDefinition(.rope(length: 500), a: a, b: b, anchorB: .zero)
    tie.collides = false
    let joint = try world.addJoint(tie)
    world.step()
    #expect(!world.isTouching(a, .body(b)) && world.isTouching(a, .body(c)))
    tie.b = c
    try world.setJoint(joint, to: tie)
    world.step()
    #expect(world.isTouching(a, .body(b)) && !world.isTouching(a, .body(c)))
  }
}
