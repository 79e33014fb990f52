import Physics

/// What may happen before a tick.
extension RandomWorld {
  mutating func act() throws {
    if happens(1, in: 10) { try add() }
    if happens(1, in: 20), let id = anyBody() { try remove(id) }
    if happens(1, in: 60) { turnGravity() }
    if happens(1, in: 60) { try toggleLedge() }
    if happens(1, in: 90) { world.dropCaches() }
    if hasJoints { try actOnJoints() }
    guard let id = anyBody() else { return }
    try push(id)
    try change(id)
  }

  private mutating func happens(_ times: UInt32, in ticks: UInt32) -> Bool {
    random.next(below: ticks) < times
  }

  private mutating func anyBody() -> BodyID? {
    ids.isEmpty ? nil : ids[Int(random.next(below: UInt32(ids.count)))]
  }

  /// A point with room for the largest body.
  private mutating func place() -> Vector2 {
    Vector2(random.nextFloat(40, side - 40), random.nextFloat(40, side - 40))
  }

  private mutating func direction() -> Vector2 {
    Vector2(1, 0).rotated(by: Rotation(angle: random.nextFloat(-3.14, 3.14)))
  }

  // MARK: Bodies come and go

  mutating func add() throws {
    // At most 40 % full, so that there is room for everybody inside.
    guard ids.count < Int(side * side * 0.4 / 1600) else { return }
    var definition = BodyDefinition(
      shape: try shape(), position: place(), angle: random.nextFloat(-3, 3),
      properties: properties())
    definition.velocity = direction() * random.nextFloat(0, 700)
    definition.angularVelocity = random.nextFloat(-5, 5)
    ids.append(try world.addBody(definition))
  }

  private mutating func remove(_ id: BodyID) throws {
    try world.removeBody(id)
    ids.removeAll { $0 == id }
    joints.removeAll { !world.contains($0) }
    removed.append(id)
  }

  private mutating func shape() throws -> BodyShape {
    let size = random.nextFloat(8, 40)
    switch random.next(below: 5) {
    case 0: return try .circle(radius: size * 0.5)
    case 1: return try .box(width: size, height: random.nextFloat(8, 40))
    case 2: return try .box(width: size, height: size, cornerRadius: size * 0.2)
    case 3: return try .capsule(halfLength: size * 0.25, radius: size * 0.25)
    default:
      return try .polygon([
        Vector2(0, 0), Vector2(size, 0), Vector2(size * 1.2, size * 0.5), Vector2(size, size),
      ])
    }
  }

  private mutating func properties() -> BodyProperties {
    var p = Worlds.properties(
      restitution: random.nextFloat(0, 0.89), friction: random.nextFloat(),
      density: random.nextFloat(0.2, 5))
    if hasElastic && happens(1, in: 4) { p.restitution = random.nextFloat(0.9, 1) }
    if happens(1, in: 5) { p.linearDamping = random.nextFloat(0, 3) }
    if happens(1, in: 5) { p.angularDamping = random.nextFloat(0, 3) }
    if happens(1, in: 8) { p.gravityScale = random.nextFloat(-1, 2) }
    if happens(1, in: 8) { p.allowsRotation = false }
    if hasAnchored && happens(1, in: 8) { p.kind = .anchored }
    if hasFilters {
      p.collisionGroup = 1 << random.next(below: 3)
      p.collisionMask = 1 + random.next(below: 7)
    }
    return p
  }

  // MARK: Bodies are pushed and changed

  private mutating func push(_ id: BodyID) throws {
    let mass = world.mass(of: id)!
    if happens(1, in: 15) {
      try world.setVelocity(direction() * random.nextFloat(0, Self.fastest), of: id)
    }
    if happens(1, in: 15) { try world.setAngularVelocity(random.nextFloat(-60, 60), of: id) }
    if happens(1, in: 10) {
      let point = world.body(id)!.position + direction() * 10
      try world.applyForce(direction() * (mass * random.nextFloat(0, 20_000)), at: point, to: id)
    }
    if happens(1, in: 20) {
      try world.applyTorque(mass * random.nextFloat(-50_000, 50_000), to: id)
    }
    if happens(1, in: 20) {
      try world.applyImpulse(
        direction() * (mass * 500), at: world.body(id)!.position + direction() * 8, to: id)
    }
    if happens(1, in: 20) {
      try world.applyAngularImpulse(mass * random.nextFloat(-500, 500), to: id)
    }
  }

  private mutating func change(_ id: BodyID) throws {
    if happens(1, in: 40) { try world.setPosition(place(), of: id) }
    if happens(1, in: 40) {
      try world.setRotation(Rotation(angle: random.nextFloat(-3, 3)), of: id)
    }
    if happens(1, in: 40) { try world.setProperties(properties(), of: id) }
    if happens(1, in: 40) { try world.setShape(try shape(), of: id) }
    if happens(1, in: 40) { try world.wake(id) }
  }

  // MARK: The room changes

  private mutating func turnGravity() {
    let strength = random.next(below: 4) == 0 ? 0 : random.nextFloat(0, 2000)
    world.gravity = direction() * strength
  }

  private mutating func toggleLedge() throws {
    let id = BoundaryID(1)
    if ledge != nil {
      try world.removeBoundary(id: id)
      ledge = nil
    } else {
      let points = [place(), place(), place()]
      let isLine = random.next(below: 2) == 0
      let new: Boundary =
        isLine ? .segment(points[0], points[1]) : .chain(points, closed: false)
      try world.addBoundary(new, id: id)
      ledge = new
    }
  }

  // MARK: Joints

  private mutating func actOnJoints() throws {
    if happens(1, in: 6), joints.count < ids.count, let a = anyBody() {
      var joint = JointDefinition(
        kind(), a: a, anchorA: direction() * 4,
        anchorB: world.body(a)!.position + direction() * 20)
      if happens(2, in: 3), let b = anyBody(), b != a {
        joint.b = b
        joint.anchorB = direction() * 4
      }
      joint.collides = happens(1, in: 2)
      joints.append(try world.addJoint(joint))
      ends[joints.last!] = [a] + (joint.b.map { [$0] } ?? [])
      if !joint.collides, let b = joint.b { muted.append(Muting(joint: joints.last!, a: a, b: b)) }
    }
    guard !joints.isEmpty else { return }
    let k = Int(random.next(below: UInt32(joints.count)))
    if happens(1, in: 30) {
      try world.removeJoint(joints.remove(at: k))
    } else if happens(1, in: 20) {
      let end = world.anchors(of: joints[k])!.a
      let isInWorld = (world.anchors(of: joints[k])!.b - end).length < 60
      if isInWorld { try? world.setLength(random.nextFloat(0, 60), of: joints[k]) }
    }
  }

  private mutating func kind() -> JointDefinition.Kind {
    let frequency = random.nextFloat(0.5, 12)
    let ratio = random.nextFloat(0, 1.5)
    switch random.next(below: 7) {
    case 0: return .distance(length: random.nextFloat(10, 80))
    case 1: return .distance(length: nil, frequency: frequency, dampingRatio: ratio)
    case 2: return .rope(length: random.nextFloat(20, 80))
    case 3: return .weld(angle: nil)
    case 4: return .weld(angle: nil, frequency: frequency, dampingRatio: ratio)
    case 5: return .revolute(limits: -1...1, frictionTorque: random.nextFloat(0, 500))
    default: return .prismatic(axis: direction(), limits: -20...random.nextFloat(0, 40))
    }
  }

  /// Whether a joint keeps two bodies from colliding.
  func isMuted(_ a: BodyID, _ b: BodyID) -> Bool {
    muted.contains {
      world.contains($0.joint) && (($0.a == a && $0.b == b) || ($0.a == b && $0.b == a))
    }
  }
}
