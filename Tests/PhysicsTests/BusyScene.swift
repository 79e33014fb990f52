import Physics

/// A small world in which something never ceases to happen: what the allocation test counts in.
struct BusyScene {
  enum Kind: CaseIterable {
    case pit, churn, elastic, chains, joints, ledges, filters

    /// Ticks until every list has met its longest.
    var warmUp: Int { self == .elastic ? 1000 : 2000 }

    /// Contacts that begin, and that end, in four seconds at the least.
    var leastEvents: Int { self == .joints ? 20 : 100 }
  }

  var world: PhysicsWorld
  private let kind: Kind
  private var random = RandomGenerator(seed: 5)
  private var shapes: [BodyShape] = []
  /// In order of their coming, as a ring.
  private var ids: [BodyID] = []
  private var oldest = 0
  private let side: Float = 620

  init(_ kind: Kind) throws {
    self.kind = kind
    world = try Worlds.empty(gravity: Vector2(0, 1000), sleeps: true)
    shapes = [
      try .circle(radius: 16), try .box(width: 36, height: 24),
      try .box(width: 30, height: 30, cornerRadius: 6),
      try .capsule(halfLength: 14, radius: 8),
      try .polygon([Vector2(0, -18), Vector2(17, 10), Vector2(-17, 10)]),
    ]
    let corners = [
      Vector2(0, 0), Vector2(side, 0), Vector2(side, side), Vector2(side / 2, side + 60),
      Vector2(0, side),
    ]
    try world.addBoundary(
      kind == .chains
        ? .chain(corners, closed: true)
        : .bounds(Rect2(x: 0, y: 0, width: side, height: side)), id: BoundaryID(0))
    for i in 0..<100 { ids.append(try world.addBody(definition(i))) }
    if kind == .elastic { world.gravity = .zero }
    if kind == .joints { try tie() }
  }

  private mutating func definition(_ i: Int) -> BodyDefinition {
    var definition = BodyDefinition(
      shape: shapes[i % shapes.count],
      position: Vector2(Float(i % 10) * 58 + 48, Float(i / 10) * 58 + 48),
      properties: Worlds.properties(
        restitution: kind == .elastic ? 1 : 0.3, friction: kind == .elastic ? 0 : 0.2))
    definition.velocity = Vector2(random.nextFloat(-400, 400), random.nextFloat(-400, 400))
    if kind == .filters {
      definition.properties.collisionGroup = 1 << UInt32(i % 3)
      definition.properties.collisionMask = i % 4 == 0 ? 5 : 7
      definition.properties.kind = i % 11 == 0 ? .anchored : .dynamic
      definition.properties.linearDamping = i % 5 == 0 ? 0.4 : 0
    }
    return definition
  }

  /// Every second body to its neighbour or to the room, by joints of all kinds.
  private mutating func tie() throws {
    let kinds: [JointDefinition.Kind] = [
      .distance(length: nil), .distance(length: nil, frequency: 3, dampingRatio: 0.1),
      .rope(length: 80), .weld(angle: nil), .weld(angle: nil, frequency: 4, dampingRatio: 0.4),
      .revolute(limits: -1...1, frictionTorque: 50),
      .prismatic(axis: Vector2(1, 0.5), limits: -20...20),
    ]
    for i in stride(from: 0, to: 98, by: 2) {
      let (a, b) = (ids[i], ids[i + 1])
      let half = (world.body(b)!.position - world.body(a)!.position) * 0.5
      var joint = JointDefinition(
        kinds[i / 2 % kinds.count], a: a, anchorA: half, b: b, anchorB: -half)
      joint.collides = i % 4 == 0
      if i / 2 % kinds.count < 3 { (joint.anchorA, joint.anchorB) = (.zero, .zero) }
      try world.addJoint(joint)
    }
  }

  /// What happens before a tick.
  mutating func prepare() throws {
    if kind != .elastic { Worlds.turnGravity(&world) }
    switch kind {
    case .churn:
      // The oldest goes, another one comes in at the top.
      try world.removeBody(ids[oldest])
      var new = definition(oldest)
      new.position = Vector2(random.nextFloat(40, side - 40), random.nextFloat(40, 200))
      ids[oldest] = try world.addBody(new)
      oldest = (oldest + 1) % ids.count
    case .ledges where world.tick % 30 == 0:
      let id = BoundaryID(1)
      if world.containsBoundary(id) {
        try world.removeBoundary(id: id)
      } else {
        let y = random.nextFloat(100, side - 100)
        try world.addBoundary(
          .chain([Vector2(60, y), Vector2(300, y + 40), Vector2(560, y)], closed: false), id: id)
      }
    case .joints:
      for slot in stride(from: 0, to: 100, by: 7) {
        try? world.applyForce(Vector2(30, -60), at: world.body(ids[slot])!.position, to: ids[slot])
      }
    default: break
    }
  }
}
