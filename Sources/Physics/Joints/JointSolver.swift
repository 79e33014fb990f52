/// Solves one slider or spring in one sub-step: its two bodies, in and out, and its impulses.
/// Hinges and rigid welds, rods and ropes are solved by the same scheme, four at a time
/// (`HingeBatch`, `RodBatch`).
///
/// Rigid rows follow the RATTLE scheme (H. C. Andersen, 1983). Before the move, impulses along the
/// rows as they stand make the anchors meet where the move will put them; after it, what velocity
/// would part them is taken away along the rows as they then stand. Together that neither gains nor
/// loses energy. What is already apart (a jumped anchor, something in the way) is corrected by a
/// push that moves the bodies and is taken back after the move, so that it leaves no speed behind.
struct JointSolver {
  var a: JointBody
  var b: JointBody
  var joint: JointRecord
  let h: Float
  /// Whether the rows correct what is apart, or keep it as it is.
  var correctsPositions = false

  /// - Parameter turns: whether the bodies' rotations are asked for though they are held at their
  ///   centres.
  init(_ world: borrowing WorldStorage, _ joint: JointRecord, step h: Float, turns: Bool = true) {
    assert(joint.exists && h > 0)
    self.joint = joint
    self.h = h
    a = JointBody(world, slot: Int(joint.slotA), anchor: joint.anchorA, turns: turns)
    b =
      joint.slotB < 0
      ? JointBody(
        worldPoint: joint.anchorB + joint.anchorTravel, velocity: joint.anchorTravelVelocity)
      : JointBody(world, slot: Int(joint.slotB), anchor: joint.anchorB, turns: turns)
  }

  static var positionCorrectionSpeed: Float { PhysicsWorld.positionCorrectionSpeed }
  /// The fastest correction of an angle, in rad/s.
  static let positionCorrectionSpin: Float = 60
  /// How a joint's reach grows in a sub-step in which nothing stopped it, to twice in a tick, and
  /// shrinks in one in which something did.
  static let recovery: Float = 1.122_462
  static let setback: Float = 0.25
  /// The same as a way in points and as an angle, in a sub-step.
  static var largestPositionCorrection: Float { positionCorrectionSpeed * subStep }
  static var largestPositionCorrectionTurn: Float { positionCorrectionSpin * subStep }
  private static var subStep: Float { PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps) }

  /// From the first anchor to the second.
  var reach: Vector2 { b.anchor - a.anchor }

  /// The same where the move will put them.
  var nextReach: Vector2 { b.anchor(after: h) - a.anchor(after: h) }

  /// The second body's angle against the first's, counted from the joint's zero, in −π…π.
  var relativeAngle: Float {
    (b.rotation * a.rotation.inverse * Rotation(angle: -joint.angle)).angle
  }

  /// From the first anchor to the second, of length 1; downwards when they coincide.
  var direction: Vector2 {
    let d = reach
    let length = d.length
    return length > 1e-4 ? d / length : Vector2(0, 1)
  }

  /// Applies what a slider's rows had applied in the last sub-step, along the rows as they stand
  /// now.
  mutating func warmStart() {
    assert(joint.kind == .prismatic)
    let i = joint.impulses
    let axis = joint.axis.rotated(by: a.rotation)
    let impulse = axis.perpendicular * i[0] + axis * (i[3] - i[4] + i[5])
    a.push(-impulse, at: a.arm + reach)
    b.push(impulse, at: b.arm)
    turn(i[2])
  }

  /// Errors below this many points are not worth looking out for.
  static let tolerance: Float = 0.5

  /// How far apart the anchors are from where they should be, in points.
  var gap: Float {
    switch joint.kind {
    case .distance: magnitude(reach.length - joint.length)
    case .rope: larger(reach.length - joint.length, 0)
    case .weld, .revolute: reach.length
    case .prismatic:
      magnitude(reach.dot(joint.axis.rotated(by: a.rotation).perpendicular) - joint.length)
    }
  }

  /// After the move: whether the anchors have not come together half as far as they were to, though
  /// they are apart.
  var hasFailed: Bool {
    let most = joint.reach * h
    let asked = joint.apart < most ? joint.apart : most
    let now = gap
    return now > Self.tolerance && joint.apart - now < asked * 0.5
  }

  /// Speed of the second arm's end against the first's along `n`.
  func closing(_ n: Vector2, _ armA: Vector2, _ armB: Vector2) -> Float {
    (b.velocity + armB.perpendicular * b.spin - a.velocity - armA.perpendicular * a.spin).dot(n)
  }

  /// How much an angular impulse changes the relative spin.
  var turnCompliance: Float { a.inverseInertia + b.inverseInertia }

  /// How much an impulse along `n` changes the speed of the arms' ends along it.
  func compliance(_ n: Vector2, _ armA: Vector2, _ armB: Vector2) -> Float {
    let ra = armA.cross(n)
    let rb = armB.cross(n)
    return a.inverseMass + b.inverseMass + ra * ra * a.inverseInertia + rb * rb * b.inverseInertia
  }

  mutating func push(_ impulse: Vector2, _ armA: Vector2, _ armB: Vector2) {
    a.push(-impulse, at: armA)
    b.push(impulse, at: armB)
  }

  mutating func turn(_ impulse: Float) {
    a.turn(-impulse)
    b.turn(impulse)
  }

  func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  /// Adds to a row that must not pull, as far as it may; returns what was added.
  mutating func unilateral(_ change: Float, _ row: Int) -> Float {
    // A correction starts from nothing: what the row carries is not its to take back.
    let old = correctsPositions ? 0 : joint.impulses[row]
    let new = old + change > 0 ? old + change : 0
    joint.impulses[row] += new - old
    return new - old
  }
}
