import Physics
import Testing

/// What is steered wakes what it moves, and nobody else.
@Suite struct SteeringTests {
  /// A lift of 200×20 pt with a box on it and a ball on a rope below, and a box far away on the
  /// floor: all asleep.
  private struct Scene {
    var world: PhysicsWorld
    let lift: BodyID
    let box: BodyID
    let ball: BodyID
    let far: BodyID

    init() throws {
      world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
      try world.addBoundary(.halfPlane(normal: Vector2(0, -1), offset: -600), id: 1)
      var properties = Worlds.properties(friction: 0.8)
      let square = try BodyShape.box(width: 40, height: 40)
      box = try world.addBody(
        BodyDefinition(shape: square, position: Vector2(0, 280), properties: properties))
      far = try world.addBody(
        BodyDefinition(shape: square, position: Vector2(2000, 580), properties: properties))
      ball = try world.addBody(
        BodyDefinition(shape: .circle(radius: 10), position: Vector2(0, 390)))
      properties.kind = .kinematic
      lift = try world.addBody(
        BodyDefinition(
          shape: .box(width: 200, height: 20), position: Vector2(0, 310), properties: properties))
      try world.addJoint(JointDefinition(.rope(length: 80), a: ball, b: lift, anchorB: .zero))
      for _ in 0..<200 { world.step() }
    }

    /// Which of the box, the ball and the far box sleep.
    var sleep: [Bool] { [box, ball, far].map { world.body($0)!.isAsleep } }
  }

  @Test(arguments: [Vector2(0, -50), Vector2(30, 0), Vector2(0, 50), Vector2(0, -3000)])
  func aLiftWakesWhatItCarries(velocity: Vector2) throws {
    var scene = try Scene()
    #expect(scene.sleep == [true, true, true])
    for tick in 0..<30 {
      // Steered anew in every tick, as a hand does.
      let faster = velocity * (1 + 0.01 * Float(tick))
      try scene.world.setVelocity(faster, of: scene.lift)
      #expect(scene.sleep == [false, false, true])
      scene.world.step()
      #expect(scene.sleep == [false, false, true])
    }
    let (lift, box) = (
      scene.world.body(scene.lift)!.position, scene.world.body(scene.box)!.position
    )
    if velocity.y > -100 { #expect(abs(lift.y - 30 - box.y) < 1) }
    let ball = scene.world.body(scene.ball)!.position
    #expect((ball - lift).length < 81)
    // Stopped, all come to rest again.
    try scene.world.setVelocity(.zero, of: scene.lift)
    for _ in 0..<1500 where scene.sleep != [true, true, true] { scene.world.step() }
    #expect(scene.sleep[2])
  }

  @Test func aSnapshotIsSteeredLikeTheWorld() throws {
    for drops in [false, true] {
      var scene = try Scene()
      if drops { scene.world.dropCaches() }
      var bytes: [UInt8] = []
      scene.world.save(into: &bytes)
      var restored = try PhysicsWorld.restore(from: bytes)
      for tick in 0..<60 {
        let velocity = Vector2(Float(tick), -40)
        try scene.world.setVelocity(velocity, of: scene.lift)
        try restored.setVelocity(velocity, of: scene.lift)
        scene.world.step()
        restored.step()
      }
      #expect(restored.stateHash() == scene.world.stateHash())
    }
  }

  /// A motor against an anchored post: whoever sets it wakes its body, not the world.
  @Test func aMotorWakesItsBody() throws {
    var world = try Worlds.empty(sleeps: true)
    let post = try world.addBody(
      BodyDefinition(
        shape: .box(width: 10, height: 10), position: Vector2(0, 100), properties: Worlds.anchored))
    let door = try world.addBody(BodyDefinition(shape: .circle(radius: 20), position: .zero))
    let other = try world.addBody(
      BodyDefinition(shape: .circle(radius: 20), position: Vector2(500, 0)))
    let hinge = try world.addJoint(
      JointDefinition(.revolute(), a: post, anchorA: Vector2(0, -100), b: door, anchorB: .zero))
    for _ in 0..<60 { world.step() }
    #expect(world.sleepingCount == 2)
    try world.setMotor(speed: 2, strength: 1e5, of: hinge)
    #expect(!world.body(door)!.isAsleep && world.body(other)!.isAsleep)
    for _ in 0..<60 { world.step() }
    #expect(abs(world.body(door)!.angularVelocity - 2) < 0.01 && world.body(other)!.isAsleep)
    try world.removeJoint(hinge)
    #expect(world.body(other)!.isAsleep)
  }
}
