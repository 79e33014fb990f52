import Testing

@testable import Physics

/// What motors and kinematic bodies drive never falls asleep, joints tell what they carry, sensors
/// notice who goes; and room for pairs that grows by steps of different sizes.
@Suite struct DrivenTests {
  /// A door that has reached its upper limit goes back to the lower one, where it began.
  @Test func aMotorIsTurnedRoundAtItsLimit() throws {
    var world = try Worlds.empty()
    let door = try world.addBody(BodyDefinition(shape: .circle(radius: 20), position: .zero))
    let frame = try world.addBody(
      BodyDefinition(
        shape: .box(width: 10, height: 10), position: Vector2(0, 100), properties: Worlds.anchored))
    var joint = JointDefinition(
      .revolute(limits: 0...1, frictionTorque: 1e7, motorSpeed: 2), a: frame,
      anchorA: Vector2(0, -100), b: door, anchorB: .zero)
    joint.collides = false
    let hinge = try world.addJoint(joint)
    for _ in 0..<60 { world.step() }
    #expect(abs(world.body(door)!.angle - 1) < 0.02)
    try world.setMotor(speed: -2, strength: 1e7, of: hinge)
    for _ in 0..<120 { world.step() }
    #expect(abs(world.body(door)!.angle) < 0.02)
    expectRefused(.motorStrength) { try world.setMotor(speed: 1, strength: -1, of: hinge) }
    expectRefused(.motorSpeed) { try world.setMotor(speed: 361, strength: 1, of: hinge) }
    let rod = try world.addJoint(JointDefinition(.distance(length: nil), a: door, anchorB: .zero))
    #expect(throws: PhysicsError.meaninglessProperty(.motorSpeed, of: rod)) {
      try world.setMotor(speed: 1, strength: 1, of: rod)
    }
  }

  /// A lamp on a rope below a lift of half a point a second, which counts as rest.
  @Test func whatHangsOnASlowLiftComesAlong() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    var properties = BodyProperties()
    properties.kind = .kinematic
    var definition = BodyDefinition(
      shape: try .box(width: 40, height: 10), position: .zero, properties: properties)
    definition.velocity = Vector2(0, -0.5)
    let lift = try world.addBody(definition)
    let lamp = try world.addBody(
      BodyDefinition(shape: .circle(radius: 10), position: Vector2(0, 50)))
    try world.addJoint(JointDefinition(.rope(length: 50), a: lamp, b: lift, anchorB: .zero))
    for _ in 0..<600 { world.step() }
    #expect(abs(world.body(lift)!.position.y + 5) < 0.01)
    #expect(abs(world.body(lamp)!.position.y - 45) < 0.5)
  }

  /// A clock's hand, slower than what counts as rest.
  @Test func aSlowMotorTurnsOn() throws {
    var world = try Worlds.empty(sleeps: true)
    let hand = try world.addBody(BodyDefinition(shape: .circle(radius: 30), position: .zero))
    try world.addJoint(
      JointDefinition(
        .revolute(frictionTorque: 1e7, motorSpeed: -0.03), a: hand, anchorB: .zero))
    for _ in 0..<600 { world.step() }
    #expect(abs(world.body(hand)!.angle - 0.3) < 0.02)
  }

  /// A lamp on a pin carries its weight, in whatever direction that pulls.
  @Test func aPinTellsWhatItCarries() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let lamp = try world.addBody(BodyDefinition(shape: .circle(radius: 10), position: .zero))
    let pin = try world.addJoint(
      JointDefinition(.distance(length: 0), a: lamp, anchorB: .zero))
    for _ in 0..<30 { world.step() }
    let weight = world.mass(of: lamp)! * 1000
    #expect(abs(world.joint(pin)!.force - weight) < 0.02 * weight)
  }

  /// In a world in which nothing moves any more, somebody who goes has left all the same.
  @Test func aSensorNoticesWhoGoesWhileAllRest() throws {
    var world = try Worlds.empty(sleeps: true)
    var properties = BodyProperties()
    properties.kind = .anchored
    properties.isSensor = true
    let gate = try world.addBody(
      BodyDefinition(
        shape: .box(width: 80, height: 80), position: .zero, properties: properties))
    let guest = try world.addBody(BodyDefinition(shape: .circle(radius: 10), position: .zero))
    for _ in 0..<120 { world.step() }
    #expect(world.body(guest)!.isAsleep)
    try world.removeBody(guest)
    world.dropCaches()
    world.step()
    #expect(world.sensorEvents.left.map(\.sensor) == [gate])
    var found: [ContactPartner] = []
    world.overlapping(gate, into: &found)
    #expect(found.isEmpty)
  }

  /// Numbers of 1, 4 and 16 bytes get more room by other steps: all must have it.
  @Test func roomForPairsIsRoomInEveryList() {
    var list = NeighbourList()
    var count = 1000
    while count < 1_500_000 {
      list.reserve(pairs: count)
      let least = min(
        min(list.lower.capacity, list.upper.capacity),
        min(list.impulses.capacity, list.touches.capacity))
      #expect(least >= count + 16 && list.room <= least - 16 && list.room >= count)
      count += count / 11
    }
  }
}
