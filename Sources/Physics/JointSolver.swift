/// Solves one joint in one sub-step: its two bodies, in and out, and its impulses.
///
/// Rigid rows follow the RATTLE scheme (H. C. Andersen, 1983). Before the move, impulses along the
/// rows as they stand make the anchors meet where the move will put them; after it, what velocity
/// would part them is taken away along the rows as they then stand. Together that neither gains nor
/// loses energy. What is already apart (a jumped anchor, something in the way) is mended by a push
/// that moves the bodies and is taken back after the move, so that it leaves no speed behind.
struct JointSolver {
  var a: JointBody
  var b: JointBody
  var joint: JointRecord
  let h: Float
  /// Whether the rows mend what is apart, or keep it as it is.
  var mends = false

  init(_ world: WorldStorage, _ joint: JointRecord, step h: Float) {
    self.joint = joint
    self.h = h
    a = JointBody(world, slot: Int(joint.slotA), anchor: joint.anchorA)
    b =
      joint.slotB < 0
      ? JointBody(worldPoint: joint.anchorB + joint.lag, velocity: joint.lagVelocity)
      : JointBody(world, slot: Int(joint.slotB), anchor: joint.anchorB)
  }

  /// Fastest mending, in pt/s: 8 pt a sub-step. Walls, which come after the joints, stop it.
  static let mendingSpeed: Float = 3000
  /// And in rad/s.
  private static let mendingSpin: Float = 60

  /// From the first anchor to the second.
  var reach: Vector2 { b.anchor - a.anchor }

  /// The same where the move will put them.
  private var nextReach: Vector2 { b.anchor(after: h) - a.anchor(after: h) }

  /// How far apart the anchors will be; negative when the move takes one past the other, so that a
  /// row along `n` is pushed back the way it came and not on.
  private func nextLength(along n: Vector2) -> Float {
    let next = nextReach
    let along = next.dot(n)
    return along > 0 ? next.length : along
  }

  private var reachVelocity: Vector2 { b.anchorVelocity - a.anchorVelocity }

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

  /// A rod without length is a point.
  private var isPoint: Bool { joint.length < 0.01 }

  /// Applies what the rows had applied in the last sub-step, along the rows as they stand now.
  mutating func warmStart() {
    let i = joint.impulses
    switch joint.kind {
    case .distance where isPoint: push(Vector2(i[0], i[1]))
    case .distance, .rope: push(direction * i[0])
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
    let asked = joint.apart < Self.mendingSpeed * h ? joint.apart : Self.mendingSpeed * h
    let now = gap
    return now > Self.tolerance && joint.apart - now < asked * 0.5
  }

  // MARK: Before the move

  /// One sweep over the rows; returns the largest correction in points, an angle's at 100 pt.
  mutating func solvePlaces() -> Float {
    let before = (joint, a, b)
    var largest: Float = 0
    switch joint.kind {
    case .distance where isPoint: largest = placePoint()
    case .distance:
      let n = direction
      let c = reach.dot(n) - joint.length
      largest = place(n, nextLength(along: n) - joint.length, c, row: 0, a.arm, b.arm)
    case .rope:
      let n = direction
      let slack = joint.length - reach.dot(n)
      let next = joint.length - nextLength(along: n)
      largest = limit(-n, next, slack, row: 0, a.arm, b.arm, sign: -1)
    case .weld:
      largest = placeAngle()
      largest = larger(largest, placePoint())
    case .revolute:
      brake()
      largest = placeTurnLimits()
      largest = larger(largest, placePoint())
    case .prismatic: largest = placeSlide()
    }
    if mends { noteMending(before.0, before.1, before.2) }
    return largest
  }

  private func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  /// A mending push is no part of what the joint carries: it is kept apart, to be taken back.
  private mutating func noteMending(_ old: JointRecord, _ oldA: JointBody, _ oldB: JointBody) {
    joint.impulses = old.impulses
    joint.mendingA += Lanes(
      a.velocity.x - oldA.velocity.x, a.velocity.y - oldA.velocity.y, a.spin - oldA.spin, 0)
    joint.mendingB += Lanes(
      b.velocity.x - oldB.velocity.x, b.velocity.y - oldB.velocity.y, b.spin - oldB.spin, 0)
  }

  /// What of a row's error may remain after the move.
  private func leftover(_ c: Float, _ speed: Float) -> Float {
    guard mends else { return c }
    let most = speed * h
    return c > most ? c - most : c < -most ? c + most : 0
  }

  private mutating func placePoint() -> Float {
    let c = reach
    var aim = c
    if mends {
      let length = c.length
      aim = length > 0 ? c * (leftover(length, Self.mendingSpeed) / length) : .zero
    }
    let off = nextReach - aim
    pushPoint(off / h)
    return off.length
  }

  /// Takes a relative velocity of the anchors away.
  private mutating func pushPoint(_ velocity: Vector2) {
    let m = a.inverseMass + b.inverseMass
    let (ra, rb) = (a.arm, b.arm)
    let (ia, ib) = (a.inverseInertia, b.inverseInertia)
    let kxx = m + ia * ra.y * ra.y + ib * rb.y * rb.y
    let kxy = -ia * ra.x * ra.y - ib * rb.x * rb.y
    let kyy = m + ia * ra.x * ra.x + ib * rb.x * rb.x
    let determinant = kxx * kyy - kxy * kxy
    guard determinant > 0 else { return }
    let impulse =
      Vector2(kxy * velocity.y - kyy * velocity.x, kxy * velocity.x - kxx * velocity.y)
      / determinant
    joint.impulses[0] += impulse.x
    joint.impulses[1] += impulse.y
    push(impulse)
  }

  private mutating func placeAngle() -> Float {
    let k = a.inverseInertia + b.inverseInertia
    guard k > 0 else { return 0 }
    let angle = relativeAngle
    let off = angle + (b.spin - a.spin) * h - leftover(angle, Self.mendingSpin)
    joint.impulses[2] -= off / (h * k)
    turn(-off / (h * k))
    return magnitude(off) * 100
  }

  private mutating func placeTurnLimits() -> Float {
    guard joint.hasLimits else { return 0 }
    let angle = relativeAngle
    let low = turnLimit(1, angle - joint.lower, row: 3)
    return larger(low, turnLimit(-1, joint.upper - angle, row: 4))
  }

  private mutating func turnLimit(_ sign: Float, _ room: Float, row: Int) -> Float {
    let k = a.inverseInertia + b.inverseInertia
    guard k > 0 else { return 0 }
    let aim = room < 0 ? leftover(room, Self.mendingSpin) : 0
    let off = room + sign * (b.spin - a.spin) * h - aim
    let change = unilateral(-off / (h * k), row)
    turn(sign * change)
    return magnitude(change) * h * k * 100
  }

  private mutating func placeSlide() -> Float {
    var largest = placeAngle()
    let axis = joint.axis.rotated(by: a.rotation)
    let nextAxis = axis.rotated(by: Rotation(angle: a.spin * h))
    let (across, d, next) = (axis.perpendicular, reach, nextReach)
    let armA = a.arm + d
    largest = larger(
      largest,
      place(
        across, next.dot(nextAxis.perpendicular) - joint.length, d.dot(across) - joint.length,
        row: 0, armA, b.arm))
    guard joint.hasLimits else { return largest }
    let (slide, nextSlide) = (d.dot(axis) - joint.offset, next.dot(nextAxis) - joint.offset)
    largest = larger(
      largest,
      limit(
        axis, nextSlide - joint.lower, slide - joint.lower, row: 3, armA, b.arm, sign: 1))
    return larger(
      largest,
      limit(
        -axis, joint.upper - nextSlide, joint.upper - slide, row: 4, armA, b.arm, sign: 1))
  }

  /// A row along `n` whose error will be `next` and now is `c`.
  private mutating func place(
    _ n: Vector2, _ next: Float, _ c: Float, row: Int, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let off = next - leftover(c, Self.mendingSpeed)
    let impulse = -off / (h * k)
    joint.impulses[row] += impulse
    push(n * impulse, armA, armB)
    return magnitude(off)
  }

  /// A row along `n` whose room will be `next` and now is `room`: it pushes only. `sign` is that
  /// of its impulse as it is kept.
  private mutating func limit(
    _ n: Vector2, _ next: Float, _ room: Float, row: Int, _ armA: Vector2, _ armB: Vector2,
    sign: Float
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let aim = room < 0 ? leftover(room, Self.mendingSpeed) : 0
    let change = unilateral(-(next - aim) / (h * k), row, sign: sign)
    push(n * change, armA, armB)
    return magnitude(change) * h * k
  }

  /// Adds to a row that must not pull, as far as it may; returns what was added.
  private mutating func unilateral(_ change: Float, _ row: Int, sign: Float = 1) -> Float {
    // Mending starts from nothing: what the row carries is not its to take back.
    let old = mends ? 0 : sign * joint.impulses[row]
    let new = old + change > 0 ? old + change : 0
    joint.impulses[row] += sign * (new - old)
    return new - old
  }

  /// Friction of a hinge.
  private mutating func brake() {
    let k = a.inverseInertia + b.inverseInertia
    guard joint.frictionTorque > 0, k > 0, !mends else { return }
    let most = joint.frictionTorque * h
    let old = joint.impulses[5]
    var new = old - (b.spin - a.spin) / k
    new = new > most ? most : new < -most ? -most : new
    joint.impulses[5] = new
    turn(new - old)
  }

  // MARK: After the move

  /// One sweep over the rows; returns the largest change of speed in pt/s, a spin's at 100 pt.
  mutating func solveSpeeds() -> Float {
    switch joint.kind {
    case .distance where isPoint: return speedPoint()
    case .distance: return speed(direction, row: 0, a.arm, b.arm)
    case .rope:
      let n = direction
      let room = joint.length - reach.dot(n)
      return speedLimit(-n, room, row: 0, a.arm, b.arm, sign: -1)
    case .weld:
      let turn = speedAngle()
      return larger(turn, speedPoint())
    case .revolute:
      brake()
      let turn = speedTurnLimits()
      return larger(turn, speedPoint())
    case .prismatic: return speedSlide()
    }
  }

  private mutating func speedPoint() -> Float {
    let v = reachVelocity
    pushPoint(v)
    return v.length
  }

  private mutating func speedAngle() -> Float {
    let k = a.inverseInertia + b.inverseInertia
    guard k > 0 else { return 0 }
    let spin = b.spin - a.spin
    joint.impulses[2] -= spin / k
    turn(-spin / k)
    return magnitude(spin) * 100
  }

  private mutating func speedTurnLimits() -> Float {
    guard joint.hasLimits else { return 0 }
    let angle = relativeAngle
    let low = speedTurnLimit(1, angle - joint.lower, row: 3)
    return larger(low, speedTurnLimit(-1, joint.upper - angle, row: 4))
  }

  private mutating func speedTurnLimit(_ sign: Float, _ room: Float, row: Int) -> Float {
    let k = a.inverseInertia + b.inverseInertia
    guard k > 0 else { return 0 }
    let free = room > 0 ? room / h : 0
    let change = unilateral(-(sign * (b.spin - a.spin) + free) / k, row)
    turn(sign * change)
    return magnitude(change) * k * 100
  }

  private mutating func speedSlide() -> Float {
    var largest = speedAngle()
    let axis = joint.axis.rotated(by: a.rotation)
    let d = reach
    let armA = a.arm + d
    largest = larger(largest, speed(axis.perpendicular, row: 0, armA, b.arm))
    guard joint.hasLimits else { return largest }
    let slide = d.dot(axis) - joint.offset
    largest = larger(
      largest, speedLimit(axis, slide - joint.lower, row: 3, armA, b.arm, sign: 1))
    return larger(
      largest, speedLimit(-axis, joint.upper - slide, row: 4, armA, b.arm, sign: 1))
  }

  private mutating func speed(
    _ n: Vector2, row: Int, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let speed = closing(n, armA, armB)
    joint.impulses[row] -= speed / k
    push(n * (-speed / k), armA, armB)
    return magnitude(speed)
  }

  private mutating func speedLimit(
    _ n: Vector2, _ room: Float, row: Int, _ armA: Vector2, _ armB: Vector2, sign: Float
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let free = room > 0 ? room / h : 0
    let change = unilateral(-(closing(n, armA, armB) + free) / k, row, sign: sign)
    push(n * change, armA, armB)
    return magnitude(change) * k
  }

  // MARK: Both

  /// Speed of the second arm's end against the first's along `n`.
  func closing(_ n: Vector2, _ armA: Vector2, _ armB: Vector2) -> Float {
    (b.velocity + armB.perpendicular * b.spin - a.velocity - armA.perpendicular * a.spin).dot(n)
  }

  func compliance(_ n: Vector2, _ armA: Vector2, _ armB: Vector2) -> Float {
    let ra = armA.cross(n)
    let rb = armB.cross(n)
    return a.inverseMass + b.inverseMass + ra * ra * a.inverseInertia + rb * rb * b.inverseInertia
  }

  private mutating func push(_ impulse: Vector2) { push(impulse, a.arm, b.arm) }

  mutating func push(_ impulse: Vector2, _ armA: Vector2, _ armB: Vector2) {
    a.push(-impulse, at: armA)
    b.push(impulse, at: armB)
  }

  mutating func turn(_ impulse: Float) {
    a.turn(-impulse)
    b.turn(impulse)
  }
}
