/// Solves one joint in one sub-step: its two bodies, in and out, and its impulses.
struct JointSolver {
  var a: JointBody
  var b: JointBody
  var joint: JointRecord
  let h: Float
  let biased: Bool
  /// Rigid rows are a stiff implicit spring, as contacts are.
  private let biasRate: Float
  private let massScale: Float
  private let impulseScale: Float

  init(_ world: WorldStorage, _ joint: JointRecord, step h: Float, biased: Bool) {
    self.joint = joint
    self.h = h
    self.biased = biased
    a = JointBody(world, slot: Int(joint.slotA), anchor: joint.anchorA)
    b =
      joint.slotB < 0
      ? JointBody(worldPoint: joint.anchorB)
      : JointBody(world, slot: Int(joint.slotB), anchor: joint.anchorB)
    // As stiff as the sub-step carries, and well damped.
    let omega = 2 * DeterministicMath.pi * 90
    let a1 = 2 * Self.dampingRatio + h * omega
    let a2 = h * omega * a1
    let a3 = 1 / (1 + a2)
    biasRate = biased ? omega / a1 : 0
    massScale = biased ? a2 * a3 : 1
    impulseScale = biased ? a3 : 0
  }

  private static let dampingRatio: Float = 2

  /// From the first anchor to the second.
  var reach: Vector2 { b.anchor - a.anchor }

  /// The second body's angle against the first's, counted from the joint's zero, in −π…π.
  var relativeAngle: Float {
    (b.rotation * a.rotation.inverse * Rotation(angle: -joint.angle)).angle
  }

  /// Applies what the rows had applied in the last sub-step.
  mutating func warmStart() {
    let i = joint.impulses
    switch joint.kind {
    case .distance, .rope:
      let n = direction
      push(n * (i[0] - i[3]))
    case .weld, .revolute:
      push(Vector2(i[0], i[1]))
      turn(i[2] + i[3] - i[4] + i[5])
    case .prismatic:
      let axis = joint.axis.rotated(by: a.rotation)
      let impulse = axis.perpendicular * i[0] + axis * (i[3] - i[4])
      a.push(-impulse, at: a.arm + reach)
      b.push(impulse, at: b.arm)
      turn(i[2])
    }
  }

  /// The spring's part of the sub-step.
  mutating func applySpring(_ spring: SpringStep) {
    switch joint.kind {
    case .distance:
      let d = reach
      let n = direction
      pull(along: n, displacement: d.dot(n) - joint.length, spring)
    case .weld:
      pull(along: Vector2(1, 0), displacement: reach.x, spring)
      pull(along: Vector2(0, 1), displacement: reach.y, spring)
      let k = a.inverseInertia + b.inverseInertia
      guard k > 0 else { return }
      let speed = b.spin - a.spin
      turn((spring.speed(relativeAngle, speed) - speed) / k)
    default: break
    }
  }

  private mutating func pull(along n: Vector2, displacement: Float, _ spring: SpringStep) {
    let k = compliance(n, a.arm, b.arm)
    guard k > 0 else { return }
    let speed = (b.anchorVelocity - a.anchorVelocity).dot(n)
    push(n * ((spring.speed(displacement, speed) - speed) / k))
  }

  /// The rigid rows and limits.
  mutating func solve() {
    switch joint.kind {
    case .distance:
      let n = direction
      let c = reach.dot(n) - joint.length
      joint.impulses[0] = solveLinear(n, c, joint.impulses[0])
    case .rope:
      let n = direction
      let slack = joint.length - reach.dot(n)
      joint.impulses[3] = solveLimit(-n, slack, joint.impulses[3])
    case .weld:
      solveAngle(relativeAngle)
      solvePoint()
    case .revolute:
      solveTorque()
      solvePoint()
    case .prismatic: solveSlide()
    }
  }

  /// From the first anchor to the second, of length 1; downwards when they coincide.
  private var direction: Vector2 {
    let d = reach
    let length = d.length
    return length > 1e-4 ? d / length : Vector2(0, 1)
  }

  private mutating func solvePoint() {
    let c = reach
    joint.impulses[0] = solveLinear(Vector2(1, 0), c.x, joint.impulses[0])
    joint.impulses[1] = solveLinear(Vector2(0, 1), c.y, joint.impulses[1])
  }

  private mutating func solveTorque() {
    if joint.frictionTorque > 0 {
      let limit = joint.frictionTorque * h
      let k = a.inverseInertia + b.inverseInertia
      if k > 0 {
        let old = joint.impulses[5]
        var new = old - (b.spin - a.spin) / k
        new = new > limit ? limit : new < -limit ? -limit : new
        joint.impulses[5] = new
        turn(new - old)
      }
    }
    guard joint.hasLimits else { return }
    let angle = relativeAngle
    joint.impulses[3] = solveTurnLimit(1, angle - joint.lower, joint.impulses[3])
    joint.impulses[4] = solveTurnLimit(-1, joint.upper - angle, joint.impulses[4])
  }

  private mutating func solveSlide() {
    solveAngle(relativeAngle)
    let axis = joint.axis.rotated(by: a.rotation)
    let d = reach
    let armA = a.arm + d
    let across = axis.perpendicular
    joint.impulses[0] = solveRow(
      across, d.dot(across) - joint.length, joint.impulses[0], armA, b.arm, lowest: -.infinity,
      speculates: false)
    guard joint.hasLimits else { return }
    let slide = d.dot(axis) - joint.offset
    joint.impulses[3] = solveRow(
      axis, slide - joint.lower, joint.impulses[3], armA, b.arm, lowest: 0, speculates: true)
    joint.impulses[4] = solveRow(
      -axis, joint.upper - slide, joint.impulses[4], armA, b.arm, lowest: 0, speculates: true)
  }

  private mutating func solveLinear(_ n: Vector2, _ c: Float, _ old: Float) -> Float {
    solveRow(n, c, old, a.arm, b.arm, lowest: -.infinity, speculates: false)
  }

  private mutating func solveLimit(_ n: Vector2, _ slack: Float, _ old: Float) -> Float {
    solveRow(n, slack, old, a.arm, b.arm, lowest: 0, speculates: true)
  }

  /// One row along `n`; returns its new impulse. With `speculates`, a positive value is room that
  /// may be used up within the sub-step.
  private mutating func solveRow(
    _ n: Vector2, _ c: Float, _ old: Float, _ armA: Vector2, _ armB: Vector2, lowest: Float,
    speculates: Bool
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let speed =
      (b.velocity + armB.perpendicular * b.spin - a.velocity - armA.perpendicular * a.spin).dot(n)
    let free = speculates && c > 0
    let bias = free ? c / h : biasRate * c
    let scale = free ? 1 : massScale
    let relax = free ? 0 : impulseScale
    var new = old - scale * (speed + bias) / k - relax * old
    new = new > lowest ? new : lowest
    let impulse = n * (new - old)
    a.push(-impulse, at: armA)
    b.push(impulse, at: armB)
    return new
  }

  private mutating func solveAngle(_ c: Float) {
    let k = a.inverseInertia + b.inverseInertia
    guard k > 0 else { return }
    let old = joint.impulses[2]
    let speed = b.spin - a.spin
    let new = old - massScale * (speed + biasRate * c) / k - impulseScale * old
    joint.impulses[2] = new
    turn(new - old)
  }

  private mutating func solveTurnLimit(_ sign: Float, _ c: Float, _ old: Float) -> Float {
    let k = a.inverseInertia + b.inverseInertia
    guard k > 0 else { return 0 }
    let speed = sign * (b.spin - a.spin)
    let bias = c > 0 ? c / h : biasRate * c
    let scale = c > 0 ? 1 : massScale
    let relax = c > 0 ? 0 : impulseScale
    var new = old - scale * (speed + bias) / k - relax * old
    new = new > 0 ? new : 0
    turn(sign * (new - old))
    return new
  }

  private func compliance(_ n: Vector2, _ armA: Vector2, _ armB: Vector2) -> Float {
    let ra = armA.cross(n)
    let rb = armB.cross(n)
    return a.inverseMass + b.inverseMass + ra * ra * a.inverseInertia + rb * rb * b.inverseInertia
  }

  private mutating func push(_ impulse: Vector2) {
    a.push(-impulse, at: a.arm)
    b.push(impulse, at: b.arm)
  }

  private mutating func turn(_ impulse: Float) {
    a.turn(-impulse)
    b.turn(impulse)
  }
}
