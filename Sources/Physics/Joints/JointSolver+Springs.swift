extension JointSolver {
  /// Before the move: gives the bodies the speed that takes them where the spring does. What is
  /// missing to the speed at the end is kept for after the move.
  mutating func applySpring(_ spring: SpringStep) {
    joint.rest = .zero
    switch joint.kind {
    case .distance:
      let n = direction
      joint.rest.x = pull(along: n, displacement: reach.dot(n) - joint.length, spring)
    case .weld:
      let off = reach
      joint.rest.x = pull(along: Vector2(1, 0), displacement: off.x, spring)
      joint.rest.y = pull(along: Vector2(0, 1), displacement: off.y, spring)
      let k = turnCompliance
      guard k > 0 else { return }
      let spin = b.spin - a.spin
      let (mean, end) = spring.speeds(relativeAngle, spin)
      turn((mean - spin) / k)
      joint.rest.z = end - mean
    default: break
    }
  }

  private mutating func pull(
    along n: Vector2, displacement: Float, _ spring: SpringStep
  ) -> Float {
    let k = compliance(n, a.arm, b.arm)
    guard k > 0 else { return 0 }
    let speed = closing(n, a.arm, b.arm)
    let (mean, end) = spring.speeds(displacement, speed)
    push(n * ((mean - speed) / k), a.arm, b.arm)
    return end - mean
  }

  /// After the move: the rest of the spring's work.
  mutating func finishSpring() {
    switch joint.kind {
    case .distance: add(joint.rest.x, along: direction)
    case .weld:
      add(joint.rest.x, along: Vector2(1, 0))
      add(joint.rest.y, along: Vector2(0, 1))
      let k = turnCompliance
      if k > 0 { turn(joint.rest.z / k) }
    default: break
    }
  }

  private mutating func add(_ speed: Float, along n: Vector2) {
    let k = compliance(n, a.arm, b.arm)
    if k > 0 { push(n * (speed / k), a.arm, b.arm) }
  }
}

/// The exact solution of the damped oscillator x″ = −2ζω·x′ − ω²·x over one sub-step: place and
/// speed at its end are fixed combinations of those at its start, for any stiffness.
struct SpringStep {
  /// The place gained, divided by the step: the speed to move with.
  private let meanOfPlace: Float
  private let meanOfSpeed: Float
  /// The speed at the end.
  private let endOfPlace: Float
  private let endOfSpeed: Float

  init(frequency: Float, dampingRatio z: Float, step h: Float) {
    assert(frequency > 0 && z >= 0 && h > 0)
    let omega = 2 * DeterministicMath.pi * frequency
    // e^(−ζωt)·cos and e^(−ζωt)·sin/ω_d, or their hyperbolic twins.
    var (cosine, sine): (Float, Float)
    let split = z * z - 1
    if split < -1e-4 {
      let decay = DeterministicMath.exponential(-z * omega * h)
      let damped = omega * (-split).squareRoot()
      cosine = decay * DeterministicMath.cosine(damped * h)
      sine = decay * DeterministicMath.sine(damped * h) / damped
    } else if split > 1e-4 {
      let rate = omega * split.squareRoot()
      let slow = DeterministicMath.exponential((rate - z * omega) * h)
      let fast = DeterministicMath.exponential((-rate - z * omega) * h)
      cosine = (slow + fast) * 0.5
      sine = (slow - fast) * 0.5 / rate
    } else {
      let decay = DeterministicMath.exponential(-z * omega * h)
      cosine = decay
      sine = decay * h
    }
    let squared = omega * omega
    meanOfSpeed = sine / h
    endOfPlace = -squared * sine
    endOfSpeed = cosine - z * omega * sine
    if (1 + 2 * z) * omega * h < 0.1 {
      // The place gained is −ω² times the integral of `sine`: as a series, because the difference
      // from 1 would lose its digits.
      let turn = omega * h
      meanOfPlace =
        -squared * h
        * (0.5 - turn * (z * 0.333_333_34 - turn * (4 * z * z - 1) * 0.041_666_668))
    } else {
      meanOfPlace = (cosine + z * omega * sine - 1) / h
    }
  }

  /// The speed to move with during the sub-step, and the speed at its end, for the displacement
  /// and speed at its start.
  func speeds(_ displacement: Float, _ speed: Float) -> (mean: Float, end: Float) {
    (
      meanOfPlace * displacement + meanOfSpeed * speed,
      endOfPlace * displacement + endOfSpeed * speed
    )
  }
}
