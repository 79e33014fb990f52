import Physics

// A pit with everything that can be built into one: sensors, ledges that are solid from one side,
// ice and rubber, motors, a lift, and ropes that break. What the world tells of it, hits, sensors,
// breaks and answers to questions, goes into one number, to be compared bit for bit as well.
extension PhysicsScene {
  mutating func fillFixtures(_ count: Int, _ columns: Int) throws(PhysicsError) {
    try fillLoosely(count, columns)
    let s = Float(side)
    try addLedges(s)
    try addSensors(s)
    try addMotors(s)
    for i in 0..<count where i % 4 == 1 {
      var rope = JointDefinition(
        .rope(length: nil), a: bodies[i], anchorB: world.body(bodies[i])!.position + Vector2(8, -30)
      )
      rope.breakingForce = 400 * Float(i % 7 + 1)
      try world.addJoint(rope)
    }
  }

  private mutating func addLedges(_ s: Float) throws(PhysicsError) {
    for k in 0..<3 {
      var properties = BoundaryProperties()
      properties.isOneWay = k != 1
      properties.friction = k == 0 ? nil : 0.02 * Float(k * k)
      properties.restitution = k == 2 ? 0.95 : nil
      let y = s * (0.25 + 0.25 * Float(k))
      let (left, right) = (s * (0.1 + 0.2 * Float(k)), s * (0.45 + 0.2 * Float(k)))
      try world.addBoundary(
        .chain(
          [Vector2(left, y), Vector2((left + right) * 0.5, y + 15), Vector2(right, y)],
          closed: false), id: BoundaryID(Int32(k) + 1), properties: properties)
    }
  }

  private mutating func addSensors(_ s: Float) throws(PhysicsError) {
    for k in 0..<4 {
      var definition = BodyDefinition(
        shape: k % 2 == 0 ? try .circle(radius: 60) : try .box(width: 30, height: 160),
        position: Vector2(s * (0.2 + 0.2 * Float(k)), s * 0.5), angle: Float(k))
      definition.properties.isSensor = true
      definition.properties.kind = k < 3 ? .anchored : .dynamic
      let sensor = try world.addBody(definition)
      guard k == 3, let first = bodies.first else { continue }
      var tie = JointDefinition(.weld(angle: 0), a: first, b: sensor, anchorB: .zero)
      tie.collides = false
      try world.addJoint(tie)
    }
  }

  private mutating func addMotors(_ s: Float) throws(PhysicsError) {
    let paddle = try BodyShape.box(width: 90, height: 12, cornerRadius: 4)
    var lift = BodyDefinition(shape: paddle, position: Vector2(s * 0.5, s * 0.2), angle: 0.2)
    lift.properties.kind = .kinematic
    lift.velocity = Vector2(-3, 12)
    lift.angularVelocity = 0.3
    try world.addBody(lift)
    for k in 0..<2 {
      let place = Vector2(s * (0.3 + 0.4 * Float(k)), s * 0.8)
      let body = try world.addBody(BodyDefinition(shape: paddle, position: place))
      try world.addJoint(
        JointDefinition(
          k == 0
            ? .revolute(frictionTorque: 400_000, motorSpeed: 5)
            : .prismatic(
              axis: Vector2(1, 0), limits: -60...60, frictionForce: 2000, motorSpeed: -80),
          a: body, anchorB: place))
    }
  }

  /// Adds what the last step told, and the answers to some questions, to `told`.
  mutating func listen() {
    for event in world.contactEvents.began {
      tell(event.speed)
      tell(event.impulse)
    }
    for event in world.sensorEvents.entered { tell(Float(event.sensor.slot)) }
    for event in world.sensorEvents.left { tell(-Float(event.sensor.slot)) }
    for joint in world.brokenJoints { tell(Float(joint.slot)) }
    let s = Float(side)
    let (from, to) = (
      Vector2(random.nextFloat(0, s), random.nextFloat(0, s)),
      Vector2(random.nextFloat(0, s), random.nextFloat(0, s))
    )
    var hits: [RayHit] = []
    world.castRay(from: from, to: to, into: &hits)
    for hit in hits { tell(hit.fraction) }
    if let shape = try? BodyShape.capsule(halfLength: 12, radius: 6) {
      world.cast(shape, from: from, to: to, angle: to.x, into: &hits)
      for hit in hits { tell(hit.point.x + hit.normal.y) }
      var overlaps: [ContactPartner] = []
      world.overlaps(of: shape, at: from, angle: to.y, into: &overlaps)
      tell(Float(overlaps.count))
    }
    var joints: [JointID] = []
    world.forEachJoint { joints.append($0) }
    for id in joints {
      if let joint = world.joint(id) { tell(joint.force + joint.angle) }
    }
  }

  private mutating func tell(_ number: Float) { answers.add(number.bitPattern) }
}
