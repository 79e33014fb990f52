import Physics

extension PhysicsScene {
  mutating func fillLoosely(_ count: Int, _ columns: Int) throws(PhysicsError) {
    var last: BodyID?
    for i in 0..<count {
      let place = Vector2(Float(i % columns) * 70 + 80, Float(i / columns) * 70 + 80)
      let id = try world.addBody(try definition(at: place))
      bodies.append(id)
      isBox.append(false)
      if kind == .joints {
        if let other = last, i % 5 != 0, i % columns != 0 {
          try world.addJoint(joint(i, id, other))
        }
        last = id
      }
    }
  }

  /// Circles and boxes of one size, within two points of each other.
  mutating func fillCrowd(_ count: Int) throws(PhysicsError) {
    let circle = try BodyShape.circle(radius: 20)
    let box = try BodyShape.box(width: 40, height: 40, cornerRadius: 4)
    for i in 0..<count {
      let place = Vector2(random.nextFloat(-2, 2), random.nextFloat(-2, 2))
      var definition = BodyDefinition(shape: i % 2 == 0 ? circle : box, position: place)
      definition.properties.friction = 0.2
      bodies.append(try world.addBody(definition))
      isBox.append(i % 2 != 0)
    }
  }

  /// A body of any shape, 8 to 60 pt large.
  mutating func definition(at place: Vector2) throws(PhysicsError) -> BodyDefinition {
    let size = random.nextFloat(8, 60)
    let shape: BodyShape
    switch random.next(below: 4) {
    case 0: shape = try .circle(radius: size * 0.5)
    case 1: shape = try .box(width: size, height: random.nextFloat(8, 60), cornerRadius: 2)
    case 2: shape = try .capsule(halfLength: size * 0.25, radius: size * 0.25)
    default:
      let r = size * 0.5
      shape = try .polygon([
        Vector2(0, -r), Vector2(r, -0.2 * r), Vector2(0.6 * r, r), Vector2(-0.6 * r, r),
        Vector2(-r, -0.2 * r),
      ])
    }
    var definition = BodyDefinition(
      shape: shape, position: place, angle: random.nextFloat(-3, 3))
    definition.velocity = Vector2(random.nextFloat(-200, 200), random.nextFloat(-200, 200))
    definition.angularVelocity = random.nextFloat(-5, 5)
    definition.properties.restitution = random.nextFloat(0, 0.8)
    definition.properties.friction = random.nextFloat(0, 0.8)
    definition.properties.density = random.nextFloat(0.3, 3)
    definition.properties.linearDamping = random.next(below: 4) == 0 ? 0.5 : 0
    return definition
  }

  private func joint(_ i: Int, _ a: BodyID, _ b: BodyID) -> JointDefinition {
    let kinds: [JointDefinition.Kind] = [
      .distance(length: nil), .distance(length: nil, frequency: 3, dampingRatio: 0.3),
      .rope(length: 90), .weld(angle: nil), .weld(angle: nil, frequency: 5, dampingRatio: 0.7),
      .revolute(limits: -1...1, frictionTorque: 500),
      .prismatic(axis: Vector2(1, 0), limits: -20...40),
    ]
    var joint = JointDefinition(kinds[i % kinds.count], a: a, b: b, anchorB: .zero)
    if i % kinds.count >= 3 && i % kinds.count < 6 {
      // Held between the two, 70 pt apart, wherever they are turned.
      let way = (world.body(a)!.position - world.body(b)!.position) * 0.5
      joint.anchorA = (-way).unrotated(by: world.body(a)!.rotation)
      joint.anchorB = way.unrotated(by: world.body(b)!.rotation)
    }
    joint.collides = i % 2 == 0
    return joint
  }

  mutating func churn() {
    let inner = Float(side) - 80
    if random.next(below: 3) == 0 && !bodies.isEmpty {
      let k = Int(random.next(below: UInt32(bodies.count)))
      try? world.removeBody(bodies[k])
      bodies.remove(at: k)
    }
    if random.next(below: 3) == 0 {
      let place = Vector2(random.nextFloat(80, inner), random.nextFloat(80, inner))
      if let new = try? definition(at: place), let id = try? world.addBody(new) {
        bodies.append(id)
      }
    }
    if random.next(below: 60) == 0 {
      let ledge = BoundaryID(1)
      if world.containsBoundary(ledge) {
        try? world.removeBoundary(id: ledge)
      } else {
        let y = random.nextFloat(80, inner)
        try? world.addBoundary(.segment(Vector2(80, y), Vector2(inner, y)), id: ledge)
      }
    }
    if random.next(below: 20) == 0 && !bodies.isEmpty {
      let k = Int(random.next(below: UInt32(bodies.count)))
      try? world.setVelocity(
        Vector2(random.nextFloat(-5000, 5000), random.nextFloat(-5000, 5000)), of: bodies[k])
    }
  }
}
