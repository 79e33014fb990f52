import Physics

// The medley: a bit of everything that a world offers at once, for golden hashes. A chain for a
// room, pegs that never move, bodies of all shapes among which some are elastic, filtered, damped,
// floating or unable to turn, joints of all kinds with limits, and forces, blows, jumps, comings
// and goings.
extension PhysicsScene {
  private var ledge: BoundaryID { BoundaryID(1) }

  mutating func fillMedley(_ count: Int, _ columns: Int) throws(PhysicsError) {
    try addPegs()
    for i in 0..<count {
      let place = Vector2(Float(i % columns) * 70 + 80, Float(i / columns) * 70 + 80)
      var definition = try definition(at: place)
      vary(&definition.properties, i)
      bodies.append(try world.addBody(definition))
      isBox.append(false)
    }
    for i in 0..<count where i % 3 == 0 && i % columns + 1 < columns && i + 1 < count {
      try world.addJoint(tie(i))
    }
    for i in 0..<count where i % 10 == 4 {
      var joint = JointDefinition(
        i % 20 == 4 ? .rope(length: 60) : .distance(length: nil, frequency: 2, dampingRatio: 0.1),
        a: bodies[i], anchorB: world.body(bodies[i])!.position + Vector2(20, -40))
      joint.anchorA = Vector2(3, -2)
      try world.addJoint(joint)
    }
  }

  /// A room with eight corners.
  var medleyRoom: Boundary {
    let (s, c) = (Float(side), Float(side) * 0.2)
    return .chain(
      [
        Vector2(c, 0), Vector2(s - c, 0), Vector2(s, c), Vector2(s, s - c), Vector2(s - c, s),
        Vector2(c, s), Vector2(0, s - c), Vector2(0, c),
      ], closed: true)
  }

  private mutating func addPegs() throws(PhysicsError) {
    let s = Float(side)
    let shapes = [
      try BodyShape.circle(radius: 12), try BodyShape.box(width: 60, height: 12),
      try BodyShape.polygon([Vector2(0, -16), Vector2(20, 14), Vector2(-20, 14)]),
      try BodyShape.capsule(halfLength: 20, radius: 6),
    ]
    for k in 0..<4 {
      let x = s * (k & 1 == 0 ? 0.33 : 0.67)
      let y = s * (k < 2 ? 0.35 : 0.7)
      var peg = BodyDefinition(shape: shapes[k], position: Vector2(x, y), angle: Float(k) * 0.4)
      peg.properties.kind = .anchored
      peg.properties.friction = 0.3
      try world.addBody(peg)
    }
  }

  private func vary(_ p: inout BodyProperties, _ i: Int) {
    if i % 4 == 1 { p.restitution = 1 }
    if i % 5 == 2 { p.allowsRotation = false }
    if i % 7 == 3 { p.gravityScale = -0.5 }
    if i % 6 == 5 { p.angularDamping = 2 }
    if i % 3 == 0 {
      p.collisionGroup = 2
      p.collisionMask = i % 2 == 0 ? 3 : 0xFFFF_FFFD
    }
    p.userData = UInt32(i)
  }

  /// A body with its neighbour to the right, held half-way.
  private func tie(_ i: Int) -> JointDefinition {
    let kinds: [JointDefinition.Kind] = [
      .distance(length: nil), .distance(length: 60, frequency: 4, dampingRatio: 0.2),
      .rope(length: 80), .weld(angle: nil), .weld(angle: 0.5, frequency: 5, dampingRatio: 0.5),
      .revolute(limits: -0.7...0.7, frictionTorque: 800),
      .prismatic(axis: Vector2(0.6, 0.8), limits: -15...25),
    ]
    let (a, b) = (world.body(bodies[i])!, world.body(bodies[i + 1])!)
    let half = (b.position - a.position) * 0.5
    var joint = JointDefinition(
      kinds[i / 3 % kinds.count], a: bodies[i], anchorA: half.unrotated(by: a.rotation),
      b: bodies[i + 1], anchorB: (-half).unrotated(by: b.rotation))
    joint.collides = i % 2 == 0
    return joint
  }

  /// What happens before each tick of the medley.
  mutating func stir() {
    let angle = Float(world.tick % 300) / 300 * 2 * DeterministicMath.pi
    world.gravity =
      Vector2(DeterministicMath.sine(angle), DeterministicMath.cosine(angle)) * 900
    let tick = Int(truncatingIfNeeded: world.tick)
    guard !bodies.isEmpty else { return }
    pushSome(tick)
    if tick % 25 == 0 { exchange() }
    if tick % 80 == 40 { toggleLedge() }
  }

  private mutating func pushSome(_ tick: Int) {
    for k in 0..<bodies.count where (k + tick) % 13 == 0 {
      let mass = world.mass(of: bodies[k])!
      try? world.applyForce(
        Vector2(400, -700) * mass, at: world.body(bodies[k])!.position + Vector2(4, 1),
        to: bodies[k])
    }
    let one = bodies[Int(random.next(below: UInt32(bodies.count)))]
    let mass = world.mass(of: one)!
    switch tick % 12 {
    case 0: try? world.applyImpulse(Vector2(random.nextFloat(-900, 900), -600) * mass, to: one)
    case 3: try? world.applyAngularImpulse(random.nextFloat(-900, 900) * mass, to: one)
    case 6: try? world.applyTorque(random.nextFloat(-40_000, 40_000) * mass, to: one)
    case 9: try? world.setVelocity(Vector2(random.nextFloat(-4000, 4000), 500), of: one)
    default: break
    }
  }

  /// One goes, one comes, one changes its material and one its form.
  private mutating func exchange() {
    let k = Int(random.next(below: UInt32(bodies.count)))
    try? world.removeBody(bodies[k])
    bodies.remove(at: k)
    let inner = Float(side) * 0.7
    let place = Vector2(
      random.nextFloat(Float(side) - inner, inner), random.nextFloat(Float(side) - inner, inner))
    if var new = try? definition(at: place) {
      vary(&new.properties, Int(random.next(below: 60)))
      if let id = try? world.addBody(new) { bodies.append(id) }
    }
    let one = bodies[Int(random.next(below: UInt32(bodies.count)))]
    var p = world.properties(of: one)!
    p.restitution = random.nextFloat()
    p.kind = random.next(below: 4) == 0 ? .anchored : .dynamic
    try? world.setProperties(p, of: one)
    let other = bodies[Int(random.next(below: UInt32(bodies.count)))]
    if let shape = try? BodyShape.circle(radius: random.nextFloat(5, 25)) {
      try? world.setShape(shape, of: other)
    }
  }

  private mutating func toggleLedge() {
    if world.containsBoundary(ledge) {
      try? world.removeBoundary(id: ledge)
    } else {
      let s = Float(side)
      let y = random.nextFloat(s * 0.4, s * 0.6)
      try? world.addBoundary(
        .chain(
          [Vector2(s * 0.2, y), Vector2(s * 0.5, y + 40), Vector2(s * 0.8, y)], closed: false),
        id: ledge, collisionGroup: 5)
    }
  }
}
