// Before the move: what makes the anchors meet where the move will put them.

extension JointSolver {
  /// One sweep over a slider's rows; returns the largest correction in points, an angle's at
  /// 100 pt.
  mutating func solvePlaces() -> Float {
    assert(joint.kind == .prismatic)
    let before = (impulses: joint.impulses, a: a, b: b)
    let largest = placeSlide()
    if correctsPositions { notePositionCorrection(before.impulses, before.a, before.b) }
    return largest
  }

  /// A correction of positions is no part of what the joint carries: it is kept apart, to be taken
  /// back.
  private mutating func notePositionCorrection(
    _ old: SIMD8<Float>, _ oldA: JointBody, _ oldB: JointBody
  ) {
    joint.impulses = old
    joint.positionCorrectionA += Lanes(
      a.velocity.x - oldA.velocity.x, a.velocity.y - oldA.velocity.y, a.spin - oldA.spin, 0)
    joint.positionCorrectionB += Lanes(
      b.velocity.x - oldB.velocity.x, b.velocity.y - oldB.velocity.y, b.spin - oldB.spin, 0)
  }

  /// What of a row's error may remain after the move.
  private func leftover(_ c: Float, _ speed: Float) -> Float {
    guard correctsPositions else { return c }
    let most = speed * h
    return c > most ? c - most : c < -most ? c + most : 0
  }

  private mutating func placeAngle() -> Float {
    let k = turnCompliance
    guard k > 0 else { return 0 }
    let angle = relativeAngle
    let off = angle + (b.spin - a.spin) * h - leftover(angle, Self.positionCorrectionSpin)
    joint.impulses[2] -= off / (h * k)
    turn(-off / (h * k))
    return magnitude(off) * 100
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
    if !correctsPositions { brakeSlide(axis, armA) }
    guard joint.hasLimits else { return largest }
    let (slide, nextSlide) = (d.dot(axis) - joint.offset, next.dot(nextAxis) - joint.offset)
    largest = larger(
      largest,
      limit(
        axis, nextSlide - joint.lower, slide - joint.lower, row: 3, armA, b.arm))
    return larger(
      largest,
      limit(
        -axis, joint.upper - nextSlide, joint.upper - slide, row: 4, armA, b.arm))
  }

  /// A row along `n` whose error will be `next` and now is `c`.
  private mutating func place(
    _ n: Vector2, _ next: Float, _ c: Float, row: Int, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let off = next - leftover(c, joint.reach)
    let impulse = -off / (h * k)
    joint.impulses[row] += impulse
    push(n * impulse, armA, armB)
    return magnitude(off)
  }

  /// A row along `n` whose room will be `next` and now is `room`: it pushes only.
  private mutating func limit(
    _ n: Vector2, _ next: Float, _ room: Float, row: Int, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let aim = room < 0 ? leftover(room, joint.reach) : 0
    let change = unilateral(-(next - aim) / (h * k), row)
    push(n * change, armA, armB)
    return magnitude(change) * h * k
  }
}
