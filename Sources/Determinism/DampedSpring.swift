/// The damped oscillator x″ = −2ζω·x′ − ω²·x over one step, for any stiffness: its exact
/// solution, in which place and speed at the end are fixed combinations of those at the start,
/// and a step that joins others.
package struct DampedSpring: Equatable, Sendable {
  /// The place gained, divided by the step: the speed to move with.
  private let meanOfPlace: Float
  private let meanOfSpeed: Float
  /// The speed at the end.
  private let endOfPlace: Float
  private let endOfSpeed: Float
  /// What the spring does before a move of the step, and again after it.
  package let kick: Kick

  /// A spring of `frequency` hertz, above 0, and a damping ratio ζ of at least 0, where 1 is
  /// critical; `step` in seconds, above 0.
  package init(frequency: Float, dampingRatio z: Float, step h: Float) {
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
    let left = DeterministicMath.exponential(-z * omega * h)
    if (1 + 2 * z) * omega * h < 0.1 {
      // As series, because differences from 1 would lose their digits. The place gained is −ω²
      // times the integral of `sine`.
      let turn = omega * h
      meanOfPlace =
        -squared * h
        * (0.5 - turn * (z * 0.333_333_34 - turn * (4 * z * z - 1) * 0.041_666_668))
      let pull = squared * h * (0.5 - turn * turn * (1 + 4 * z * z) * 0.041_666_668)
      kick = Kick(left: left, pull: pull)
    } else {
      meanOfPlace = (cosine + z * omega * sine - 1) / h
      kick = Kick(left: left, pull: (1 - 2 * cosine / (1 + left * left)) / h)
    }
  }

  /// Two changes of speed, one before a move and one after it, in the method of Verlet: they follow
  /// from places alone, and so energy stays near what it was, whatever else moves the body. Damping
  /// comes before the first and after the second one. A step of all four has the trace and the
  /// determinant of the exact one, and with that its frequency and decay, for any stiffness; places
  /// from rest are within 0.1 % of its up to 10 Hz at 360 steps a second, and 3 % at 30.
  package struct Kick: BitwiseCopyable, Equatable, Sendable {
    /// The share of the speed that damping leaves.
    package var left: Float
    /// The speed that is taken for each point of displacement.
    package var pull: Float

    package init(left: Float, pull: Float) { (self.left, self.pull) = (left, pull) }
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
