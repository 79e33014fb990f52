import Physics

// Mechanisms that put joints to the test; `Benchmarks/physics/bench_box2d3_joints.c` builds the
// same ones for Box2D.
extension PhysicsScene {
  /// A joint of a mechanism, and how far apart its anchors belong, in points.
  struct Hold {
    let joint: JointID
    let length: Float
  }

  /// The largest distance of a joint's anchors from where they belong, in points: how firm the
  /// mechanism is. 0 in scenes that don't measure it.
  public var anchorError: Double {
    var worst: Float = 0
    for hold in holds {
      let (a, b) = world.anchors(of: hold.joint)!
      let off = (b - a).length - hold.length
      worst = max(worst, abs(off))
    }
    return Double(worst)
  }

  /// Width and height of the walls about the chains, in points.
  static let chainRoom = 2600.0
  private static let links = 10

  mutating func fillMechanism(_ count: Int) throws(PhysicsError) {
    switch kind {
    case .grid: try fillGrid(count)
    case .bridge: try fillBridge(count)
    case .ragdolls: try fillChains(count)
    case .cradle: try fillCradle(count)
    case .pit, .settled, .joints, .churn, .medley, .fixtures, .elastic, .crowd, .compounds: break
    }
  }

  private mutating func hinge(
    _ a: BodyID, _ anchorA: Vector2, _ b: BodyID?, _ anchorB: Vector2,
    limits: ClosedRange<Float>? = nil
  ) throws(PhysicsError) {
    var joint = JointDefinition(
      .revolute(limits: limits), a: a, anchorA: anchorA, b: b, anchorB: anchorB)
    joint.collides = false
    holds.append(Hold(joint: try world.addJoint(joint), length: 0))
  }

  private mutating func add(_ definition: BodyDefinition, isBox: Bool) throws(PhysicsError) {
    bodies.append(try world.addBody(definition))
    self.isBox.append(isBox)
  }

  /// A square of discs that pass through each other, each hinged to its neighbours half-way; seven
  /// of the uppermost row never move.
  private mutating func fillGrid(_ count: Int) throws(PhysicsError) {
    var columns = 1
    while columns * columns < count { columns += 1 }
    let disc = try BodyShape.circle(radius: 20)
    for i in 0..<count {
      let (x, y) = (i / columns, i % columns)
      var definition = BodyDefinition(
        shape: disc, position: Vector2(Float(x) * 50, Float(y) * 50))
      definition.properties.collisionMask = 0
      let isHeld = y == 0 && x >= columns / 2 - 3 && x <= columns / 2 + 3
      if isHeld { definition.properties.kind = .anchored }
      try add(definition, isBox: false)
      if y > 0 { try hinge(bodies[i - 1], Vector2(0, 25), bodies[i], Vector2(0, -25)) }
      if x > 0 { try hinge(bodies[i - columns], Vector2(25, 0), bodies[i], Vector2(-25, 0)) }
    }
  }

  /// Planks of 50×12 along an arc, hinged to each other and, at both ends, to the world.
  private mutating func fillBridge(_ count: Int) throws(PhysicsError) {
    let plank = try BodyShape.box(width: 50, height: 12)
    let (left, right) = (Vector2(-25, 0), Vector2(25, 0))
    var end = Vector2.zero
    for i in 0..<count {
      let angle = 0.5 - (Float(i) + 0.5) / Float(count)
      let half = right.rotated(by: Rotation(angle: angle))
      try add(
        BodyDefinition(shape: plank, position: end + half, angle: angle), isBox: true)
      if i == 0 {
        try hinge(bodies[0], left, nil, end)
      } else {
        try hinge(bodies[i - 1], right, bodies[i], left)
      }
      end += half + half
    }
    if count > 0 { try hinge(bodies[count - 1], right, nil, end) }
  }

  /// Chains of ten capsules whose hinges have limits, as limbs do, falling into a heap.
  private mutating func fillChains(_ count: Int) throws(PhysicsError) {
    let link = try BodyShape.capsule(halfLength: 10, radius: 5)
    for i in 0..<count {
      let (chain, k) = (i / Self.links, i % Self.links)
      let top = Vector2(
        Float(chain % 40) * 60 + 130, Float(2400 - chain / 40 * 240 - Self.links * 20))
      var definition = BodyDefinition(
        shape: link, position: top + Vector2(0, Float(k) * 20), angle: 0.5 * DeterministicMath.pi)
      definition.velocity = Vector2(Float(chain % 7 - 3) * 30, 0)
      definition.properties.friction = 0.6
      try add(definition, isBox: false)
      guard k > 0 else { continue }
      try hinge(bodies[i - 1], Vector2(10, 0), bodies[i], Vector2(-10, 0), limits: -0.8...0.8)
    }
  }

  /// Elastic discs side by side on rods of 200 pt, the first raised by 45°.
  private mutating func fillCradle(_ count: Int) throws(PhysicsError) {
    let disc = try BodyShape.circle(radius: 20)
    for i in 0..<count {
      let pin = Vector2(Float(i) * 40, 0)
      let hangs: Float = 200 * 0.707_106_77
      let place = i == 0 ? Vector2(-hangs, hangs) : Vector2(0, 200)
      var definition = BodyDefinition(shape: disc, position: pin + place)
      definition.properties.restitution = 1
      try add(definition, isBox: false)
      let rod = JointDefinition(.distance(length: 200), a: bodies[i], anchorB: pin)
      holds.append(Hold(joint: try world.addJoint(rod), length: 200))
    }
  }
}
