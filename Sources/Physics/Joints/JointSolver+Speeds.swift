// After the move: what takes away the speeds that would part the anchors.

extension JointSolver {
  /// One sweep over a slider's rows; returns the largest change of speed in pt/s, a spin's at
  /// 100 pt.
  mutating func solveSpeeds() -> Float {
    assert(joint.kind == .prismatic)
    return speedSlide()
  }

  /// The same for a slider that something holds back: it gives way, but what it holds is not
  /// thrown. Only what takes the anchors farther from where they should be is stopped, and nothing
  /// is remembered of it. That the world's anchor travels does not count, or what is stuck would be
  /// driven against what holds it.
  mutating func stopParting() -> Float {
    assert(joint.kind == .prismatic)
    let n = joint.axis.rotated(by: a.rotation).perpendicular
    let error = reach.dot(n) - joint.length
    let armA = a.arm + reach
    let k = compliance(n, armA, b.arm)
    let speed = closing(n, armA, b.arm) - joint.anchorTravelVelocity.dot(n)
    guard k > 0, error * speed > 0 else { return 0 }
    push(n * (-speed / k), armA, b.arm)
    return magnitude(speed)
  }

  private mutating func speedAngle() -> Float {
    let k = turnCompliance
    guard k > 0 else { return 0 }
    let spin = b.spin - a.spin
    joint.impulses[2] -= spin / k
    turn(-spin / k)
    return magnitude(spin) * 100
  }

  private mutating func speedSlide() -> Float {
    var largest = speedAngle()
    let axis = joint.axis.rotated(by: a.rotation)
    let d = reach
    let armA = a.arm + d
    largest = larger(largest, speed(axis.perpendicular, row: 0, armA, b.arm))
    if !joint.isPressing { brakeSlide(axis, armA) }
    guard joint.hasLimits else { return largest }
    let slide = d.dot(axis) - joint.offset
    largest = larger(
      largest, speedLimit(axis, slide - joint.lower, row: 3, armA, b.arm))
    return larger(
      largest, speedLimit(-axis, joint.upper - slide, row: 4, armA, b.arm))
  }

  /// A slider's friction, or its motor: brings the speed along the axis to the wanted one with at
  /// most its force.
  mutating func brakeSlide(_ axis: Vector2, _ armA: Vector2) {
    guard joint.frictionTorque > 0 else { return }
    let k = compliance(axis, armA, b.arm)
    guard k > 0 else { return }
    let old = joint.impulses[5]
    let wanted = old - (closing(axis, armA, b.arm) - joint.motorSpeed) / k
    let most = slideStrength(k) * h
    let new = wanted.brought(within: most)
    assert(magnitude(new) <= most, "friction has its limits")
    joint.impulses[5] = new
    push(axis * (new - old), armA, b.arm)
  }

  private mutating func speed(
    _ n: Vector2, row: Int, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let speed = closing(n, armA, armB)
    let impulse = -speed / k
    joint.impulses[row] += impulse
    push(n * impulse, armA, armB)
    return magnitude(speed)
  }

  private mutating func speedLimit(
    _ n: Vector2, _ room: Float, row: Int, _ armA: Vector2, _ armB: Vector2
  ) -> Float {
    let k = compliance(n, armA, armB)
    guard k > 0 else { return 0 }
    let free = room > 0 ? room / h : 0
    let change = unilateral(-(closing(n, armA, armB) + free) / k, row)
    push(n * change, armA, armB)
    return magnitude(change) * k
  }
}
