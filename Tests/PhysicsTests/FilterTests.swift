import Physics
import Testing

/// Who collides with whom: groups and masks of bodies, and joints whose bodies pass each other.
@Suite struct FilterTests {
  private func body(
    _ world: inout PhysicsWorld, at p: Vector2, velocity: Vector2 = .zero, group: UInt32 = 1,
    mask: UInt32 = .max
  ) throws -> BodyID {
    var definition = BodyDefinition(
      shape: try .circle(radius: 20), position: p, properties: Worlds.properties(restitution: 0.5))
    definition.velocity = velocity
    definition.properties.collisionGroup = group
    definition.properties.collisionMask = mask
    return try world.addBody(definition)
  }

  /// Both must have the other in their mask.
  @Test(
    arguments: [
      (UInt32(1), UInt32.max, UInt32(1), UInt32.max, true), (1, 2, 2, 1, true),
      (1, 2, 2, 2, false), (1, 1, 2, 1, false), (1, 1, 2, 2, false), (3, 4, 4, 2, true),
      (0, .max, 1, .max, false), (1, 0, 1, .max, false), (1 << 31, 1 << 31, 1 << 31, .max, true),
    ])
  func bodiesMeetWhenEachIsInTheOthersMask(
    groupA: UInt32, maskA: UInt32, groupB: UInt32, maskB: UInt32, meet: Bool
  ) throws {
    var world = try Worlds.empty()
    let a = try body(
      &world, at: .zero, velocity: Vector2(300, 0), group: groupA, mask: maskA)
    let b = try body(&world, at: Vector2(100, 0), group: groupB, mask: maskB)
    var began = 0
    for _ in 0..<60 {
      world.step()
      began += world.contactEvents.began.count
    }
    #expect(began == (meet ? 1 : 0))
    #expect((world.body(b)!.velocity.x > 1) == meet)
    #expect((world.body(a)!.position.x > world.body(b)!.position.x) == !meet)
  }

  /// A filter that changes while two touch lets go at once, and takes hold again.
  @Test func aChangedFilterCountsAtOnce() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let floor = try world.addBody(
      BodyDefinition(
        shape: try .box(width: 400, height: 20), position: Vector2(0, 100),
        properties: Worlds.anchored))
    let id = try body(&world, at: Vector2(0, 70))
    for _ in 0..<30 { world.step() }
    #expect(abs(world.body(id)!.position.y - 70) < 1)
    var p = world.properties(of: id)!
    p.collisionMask = 2
    try world.setProperties(p, of: id)
    world.step()
    #expect(world.contactEvents.ended.map(\.other) == [.body(id)])
    #expect(world.contactEvents.ended.map(\.body) == [floor])
    for _ in 0..<60 { world.step() }
    #expect(world.body(id)!.position.y > 300)
  }

  @Test(arguments: [true, false])
  func aJointMutesItsBodiesContacts(collides: Bool) throws {
    var world = try Worlds.empty()
    let a = try body(&world, at: .zero)
    let b = try body(&world, at: Vector2(60, 0))
    let bystander = try body(&world, at: Vector2(-60, 0))
    var joint = JointDefinition(.rope(length: 200), a: a, b: b, anchorB: .zero)
    joint.collides = collides
    let id = try world.addJoint(joint)
    // a runs into b, and what it leaves behind into nobody.
    try world.setVelocity(Vector2(200, 0), of: a)
    var began: [ContactPartner] = []
    for _ in 0..<12 {
      world.step()
      began += world.contactEvents.began.map(\.other)
    }
    #expect(began == (collides ? [.body(b)] : []))
    #expect((world.body(b)!.velocity.x > 1) == collides)
    // Others are met as before.
    try world.setPosition(.zero, of: a)
    try world.setVelocity(Vector2(-300, 0), of: a)
    for _ in 0..<12 { world.step() }
    #expect(world.body(bystander)!.velocity.x < -1)
    // And without the joint the two collide again.
    try world.removeJoint(id)
    try world.setPosition(.zero, of: a)
    try world.setPosition(Vector2(60, 0), of: b)
    try world.setVelocity(Vector2(300, 0), of: a)
    try world.setVelocity(.zero, of: b)
    for _ in 0..<12 { world.step() }
    #expect(world.body(b)!.velocity.x > 100)
  }

  @Test func aMutingJointEndsAContact() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -100), id: BoundaryID(0))
    let low = try body(&world, at: Vector2(0, 80))
    let high = try body(&world, at: Vector2(0, 40))
    for _ in 0..<20 { world.step() }
    var joint = JointDefinition(.rope(length: 90), a: low, b: high, anchorB: .zero)
    joint.collides = false
    try world.addJoint(joint)
    var ended: [ContactPartner] = []
    for _ in 0..<60 {
      world.step()
      ended += world.contactEvents.ended.map(\.other).filter { $0 == .body(high) }
    }
    #expect(ended == [.body(high)])
    #expect(abs(world.body(high)!.position.y - 80) < 1 && abs(world.body(low)!.position.y - 80) < 1)
  }
}
