import Physics
import PhysicsScenes
import Testing

/// Mechanisms of many joints, which are solved by colours and in one sweep.
@Suite struct MechanismTests {
  /// The largest anchor error of a run, in points.
  private func error(
    _ kind: PhysicsScene.Kind, bodies: Int, ticks: Int
  ) throws -> Double {
    var scene = try PhysicsScene(kind, bodies: bodies)
    var worst = 0.0
    for _ in 0..<ticks {
      scene.step()
      worst = max(worst, scene.anchorError)
    }
    #expect(scene.world.lostBodyCount == 0)
    return worst
  }

  /// The bounds are below what Box2D v3 leaves of the same mechanisms in the same time: 5.9, 3.5
  /// and 8.9 pt, and of the cradle 0.01.
  @Test(
    arguments: [
      (PhysicsScene.Kind.grid, 900, 4), (.bridge, 160, 3), (.ragdolls, 1000, 4),
      (.cradle, 5, 0.01),
    ])
  func mechanismsAreFirm(kind: PhysicsScene.Kind, bodies: Int, most: Double) throws {
    let worst = try error(kind, bodies: bodies, ticks: 300)
    #expect(worst < most, "\(kind): \(worst) pt")
    #expect(worst > 0)
  }

  /// The same bits whoever goes on: the world, its copy, or what was restored of it.
  @Test(arguments: [PhysicsScene.Kind.grid, .bridge, .ragdolls, .cradle])
  func mechanismsSurviveASnapshot(kind: PhysicsScene.Kind) throws {
    var scene = try PhysicsScene(kind, bodies: kind == .cradle ? 5 : 300)
    for _ in 0..<90 { scene.step() }
    var bytes: [UInt8] = []
    scene.world.save(into: &bytes)
    var restored = try PhysicsWorld.restore(from: bytes)
    var copy = scene.world
    for _ in 0..<90 {
      scene.step()
      restored.step()
      copy.step()
    }
    #expect(restored.stateHash() == scene.world.stateHash())
    #expect(copy.stateHash() == scene.world.stateHash())
  }

  /// A hub with more joints than there are colours: the rest are solved alone.
  @Test func aHubOfManyHingesHolds() throws {
    var world = try Worlds.empty(gravity: Vector2(0, 1000))
    let hub = try world.addBody(
      BodyDefinition(shape: try .circle(radius: 400), position: .zero))
    try world.addJoint(JointDefinition(.revolute(), a: hub, anchorB: .zero))
    var joints: [JointID] = []
    for i in 0..<300 {
      let angle = Float(i) / 300 * 2 * DeterministicMath.pi
      let rim = Vector2(DeterministicMath.cosine(angle), DeterministicMath.sine(angle)) * 400
      let weight = try world.addBody(
        BodyDefinition(
          shape: try .circle(radius: 3), position: rim + Vector2(0, 20),
          properties: Worlds.properties()))
      var joint = JointDefinition(
        .revolute(), a: hub, anchorA: rim, b: weight, anchorB: Vector2(0, -20))
      joint.collides = false
      joints.append(try world.addJoint(joint))
    }
    for _ in 0..<300 {
      world.step()
      for joint in joints {
        let (a, b) = world.anchors(of: joint)!
        #expect((b - a).length < 0.5)
      }
    }
    #expect(world.body(hub)!.position.length < 0.5)
  }

  /// A hinge that is wrenched open mends, among many others as well, and leaves no speed behind.
  @Test func aTornGridComesTogether() throws {
    var scene = try PhysicsScene(.grid, bodies: 400)
    scene.world.gravity = .zero
    try scene.world.setPosition(Vector2(460, 480), of: scene.bodies[190])
    for _ in 0..<120 { scene.step() }
    #expect(scene.anchorError < 0.1)
    for id in scene.bodies { #expect(scene.world.body(id)!.velocity.length < 1) }
  }
}
