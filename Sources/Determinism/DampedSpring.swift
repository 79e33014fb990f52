/// The exact solution of the damped oscillator x″ = −2ζω·x′ − ω²·x over one step: place and speed
/// at its end are fixed combinations of those at its start, for any stiffness.
package struct DampedSpring: Equatable, Sendable {
  /// The place gained, divided by the step: the speed to move with.
  private let meanOfPlace: Float
  private let meanOfSpeed: Float
  /// The speed at the end.
  private let endOfPlace: Float
  private let endOfSpeed: Float
  private let (frequency, dampingRatio, step): (Float, Float, Float)

  /// A spring of `frequency` hertz, above 0, and a damping ratio ζ of at least 0, where 1 is
  /// critical; `step` in seconds, above 0.
  package init(frequency: Float, dampingRatio z: Float, step h: Float) {
    assert(frequency > 0 && z >= 0 && h > 0)
    (self.frequency, dampingRatio, step) = (frequency, z, h)
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

  /// The same spring on a mass that is less by the square of `ease`, 1 or more.
  package func faster(_ ease: Float) -> DampedSpring {
    assert(ease >= 1)
    return DampedSpring(frequency: frequency * ease, dampingRatio: dampingRatio * ease, step: step)
  }

  /// The speed to move with during the step, and the speed at its end, for the displacement and
  /// speed at its start.
  package func speeds(_ displacement: Float, _ speed: Float) -> (mean: Float, end: Float) {
    (
      meanOfPlace * displacement + meanOfSpeed * speed,
      endOfPlace * displacement + endOfSpeed * speed
    )
  }
}
