import Physics
import Testing

/// Whatever changes something about a sleeper, or about what it rests on, wakes it.
@Suite struct WakeTests {
  /// A stack of three on an anchored slab and a tied pair on a segment, all asleep, and names for
  /// what is what.
  private struct Scene {
    var world: PhysicsWorld
    var slab: BodyID
    var stack: [BodyID] = []
    var pair: [BodyID] = []
    var joint: JointID
    let floor = BoundaryID(0)

    init() throws {
      world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
      try world.addBoundary(.segment(Vector2(-300, 0), Vector2(300, 0)), id: floor)
      let box = try BodyShape.box(width: 40, height: 40)
      slab = try world.addBody(
        BodyDefinition(
          shape: try .box(width: 80, height: 20), position: Vector2(0, -10),
          properties: Worlds.anchored))
      for i in 0..<3 {
        stack.append(
          try world.addBody(
            BodyDefinition(
              shape: box, position: Vector2(0, -40 - 40 * Float(i)),
              properties: Worlds.properties(friction: 0.4))))
      }
      for x in [Float(150), 210] {
        pair.append(
          try world.addBody(
            BodyDefinition(
              shape: box, position: Vector2(x, -20), properties: Worlds.properties(friction: 0.4))))
      }
      joint = try world.addJoint(
        JointDefinition(
          .distance(length: 60, frequency: 4, dampingRatio: 1), a: pair[0], b: pair[1],
          anchorB: .zero))
      for _ in 0..<240 { world.step() }
    }
  }

  private typealias Change = (String, Bool, Bool, (inout Scene) throws -> Void)

  /// Each change, whether it wakes the stack, whether it wakes the pair.
  private let changes: [Change] = [
    ("gravity", true, true, { $0.world.gravity = Vector2(0, 900) }),
    ("force", true, false, { try $0.world.applyForce(Vector2(1, 0), to: $0.stack[0]) }),
    ("torque", true, false, { try $0.world.applyTorque(1, to: $0.stack[1]) }),
    ("impulse", true, false, { try $0.world.applyImpulse(Vector2(0, -1), to: $0.stack[2]) }),
    ("spin", true, false, { try $0.world.applyAngularImpulse(1, to: $0.stack[2]) }),
    ("velocity", false, true, { try $0.world.setVelocity(Vector2(0, -9), of: $0.pair[0]) }),
    ("angular", false, true, { try $0.world.setAngularVelocity(1, of: $0.pair[0]) }),
    ("position", true, false, { try $0.world.setPosition(Vector2(2, -120), of: $0.stack[2]) }),
    ("rotation", true, false, { try $0.world.setRotation(Rotation(angle: 0.1), of: $0.stack[1]) }),
    ("shape", true, false, { try $0.world.setShape(.circle(radius: 20), of: $0.stack[0]) }),
    ("properties", true, false, { try $0.world.setProperties(BodyProperties(), of: $0.stack[0]) }),
    ("wake", true, false, { try $0.world.wake($0.stack[1]) }),
    ("removed from the stack", true, false, { try $0.world.removeBody($0.stack[0]) }),
    ("removed from the pair", false, true, { try $0.world.removeBody($0.pair[1]) }),
    ("slab removed", true, true, { try $0.world.removeBody($0.slab) }),
    ("slab moved", true, true, { try $0.world.setPosition(Vector2(0, 5), of: $0.slab) }),
    ("slab turned", true, true, { try $0.world.setRotation(Rotation(angle: 0.2), of: $0.slab) }),
    (
      "slab let go", true, true,
      { try $0.world.setProperties(Worlds.properties(), of: $0.slab) }
    ),
    ("floor removed", false, true, { try $0.world.removeBoundary(id: $0.floor) }),
    (
      "segment beside the stack", true, false,
      { try $0.world.addBoundary(.segment(Vector2(21, -300), Vector2(21, -50)), id: BoundaryID(7)) }
    ),
    (
      "joint added", true, true,
      {
        try $0.world.addJoint(
          JointDefinition(.rope(length: nil), a: $0.stack[0], b: $0.pair[0], anchorB: .zero))
      }
    ),
    ("joint removed", false, true, { try $0.world.removeJoint($0.joint) }),
    ("joint's length", false, true, { try $0.world.setLength(70, of: $0.joint) }),
    ("joint's anchor", false, true, { try $0.world.setAnchor(Vector2(3, 0), of: $0.joint) }),
    (
      "joint replaced", false, true,
      {
        try $0.world.setJoint(
          $0.joint, to: JointDefinition(.rope(length: 90), a: $0.pair[0], anchorB: .zero))
      }
    ),
  ]

  @Test func anyChangeWakesWhomItConcerns() throws {
    let asleep = try Scene()
    #expect(asleep.world.sleepingCount == 5)
    for (name, stack, pair, change) in changes {
      var scene = asleep
      try change(&scene)
      // A neighbour of what went or changed is awake, too: they are one group.
      for id in scene.stack where scene.world.contains(id) {
        #expect(scene.world.body(id)!.isAsleep == !stack, "\(name): the stack")
      }
      for id in scene.pair where scene.world.contains(id) {
        #expect(scene.world.body(id)!.isAsleep == !pair, "\(name): the pair")
      }
    }
  }

  /// What changes nothing wakes nobody.
  @Test func lookingWakesNobody() throws {
    var scene = try Scene()
    var bytes: [UInt8] = []
    var found: [BodyID] = []
    scene.world.gravity = scene.world.gravity
    scene.world.save(into: &bytes)
    scene.world.bodies(in: Rect2(x: -400, y: -400, width: 800, height: 800), into: &found)
    _ = scene.world.body(at: Vector2(0, -40))
    _ = scene.world.castRay(from: Vector2(-400, -40), to: Vector2(400, -40))
    _ = scene.world.stateHash()
    try scene.world.addBoundary(
      .segment(Vector2(-300, 900), Vector2(300, 900)), id: BoundaryID(8))
    for _ in 0..<60 { scene.world.step() }
    #expect(scene.world.sleepingCount == 5 && found.count == 6)
  }

  /// Neighbours that come: laid aside, they leave a sleeper alone; put into or onto it, they wake.
  @Test func newNeighboursWakeWhatTheyTouch() throws {
    let asleep = try Scene()
    for (place, wakes) in [
      (Vector2(0, -157), true), (Vector2(30, -40), true), (Vector2(80, -300), false),
    ] {
      var scene = asleep
      try scene.world.addBody(
        BodyDefinition(shape: try .box(width: 30, height: 30), position: place))
      var woke = false
      for _ in 0..<8 {
        scene.world.step()
        woke = woke || !scene.world.body(scene.stack[2])!.isAsleep
      }
      #expect(woke == wakes, "\(place)")
    }
  }
}
