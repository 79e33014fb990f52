extension JointSolver {
  /// Before the move: gives the bodies the speed that takes them where the spring does. What is
  /// missing to the speed at the end is kept for after the move.
  mutating func applySpring(_ spring: DampedSpring) {
    joint.rest = .zero
    switch joint.kind {
    case .distance where joint.length > 0:
      let n = direction
      joint.rest.x = pull(along: n, displacement: reach.dot(n) - joint.length, spring)
    case .distance: pullTogether(spring)
    case .weld:
      pullTogether(spring)
      let k = turnCompliance
      guard k > 0 else { return }
      let spin = b.spin - a.spin
      let (mean, end) = spring.speeds(relativeAngle, spin)
      turn((mean - spin) / k)
      joint.rest.z = end - mean
    default: break
    }
  }

  /// Without a length there is no direction: the anchors are pulled together both ways.
  private mutating func pullTogether(_ spring: DampedSpring) {
    let off = reach
    joint.rest.x = pull(along: Vector2(1, 0), displacement: off.x, spring)
    joint.rest.y = pull(along: Vector2(0, 1), displacement: off.y, spring)
  }

  private mutating func pull(
    along n: Vector2, displacement: Float, _ spring: DampedSpring
  ) -> Float {
    let k = compliance(n, a.arm, b.arm)
    let still = a.inverseMass + b.inverseMass
    guard k > 0, still > 0 else { return 0 }
    let speed = closing(n, a.arm, b.arm)
    // Beside the centres less mass opposes the pull: there the same spring is faster. If its
    // stiffness changed with the arms instead, a body that turns would gain energy from it.
    let ease = (k / still).squareRoot()
    let spring = ease > 1.000_1 ? spring.faster(ease) : spring
    let (mean, end) = spring.speeds(displacement, speed)
    push(n * ((mean - speed) / k), a.arm, b.arm)
    return end - mean
  }

  /// After the move: the rest of the spring's work.
  mutating func finishSpring() {
    switch joint.kind {
    case .distance where joint.length > 0: add(joint.rest.x, along: direction)
    case .distance: addBothWays()
    case .weld:
      addBothWays()
      let k = turnCompliance
      if k > 0 { turn(joint.rest.z / k) }
    default: break
    }
  }

  private mutating func addBothWays() {
    add(joint.rest.x, along: Vector2(1, 0))
    add(joint.rest.y, along: Vector2(0, 1))
  }

  private mutating func add(_ speed: Float, along n: Vector2) {
    let k = compliance(n, a.arm, b.arm)
    if k > 0 { push(n * (speed / k), a.arm, b.arm) }
  }
}
