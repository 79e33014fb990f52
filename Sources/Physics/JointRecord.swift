/// A joint as the world keeps it.
struct JointRecord: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case distance, rope, weld, revolute, prismatic
  }

  var exists = false
  var kind = Kind.distance
  var collides = true
  var hasLimits = false
  var generation: UInt16 = .max
  var slotA: UInt16 = 0
  /// −1 for the world.
  var slotB: Int32 = -1
  var anchorA = Vector2.zero
  var anchorB = Vector2.zero
  /// In the frame of the first body, of length 1.
  var axis = Vector2.zero
  /// Of distance and rope; of a slider, the distance across the axis that counts as zero.
  var length: Float = 0
  /// Relative angle that counts as zero.
  var angle: Float = 0
  /// Along the axis, the distance that counts as zero.
  var offset: Float = 0
  var frequency: Float = 0
  var dampingRatio: Float = 0
  var lower: Float = 0
  var upper: Float = 0
  var frictionTorque: Float = 0
  /// What the rows have applied in the last sub-step: linear two, angular, lower and upper limit,
  /// friction.
  var impulses = SIMD8<Float>.zero

  var isSpring: Bool { frequency > 0 }
}

/// The coefficients that carry a damped oscillator exactly over a step: of the two-step recurrence
/// x″ = p·x′ − q·x, whose roots are those of the differential equation.
struct SpringStep {
  /// What remains of the speed.
  let keep: Float
  /// Speed gained per point of displacement, negative.
  let pull: Float

  init(frequency: Float, dampingRatio z: Float, step h: Float) {
    let omega = 2 * DeterministicMath.pi * frequency
    let decay = DeterministicMath.exponential(-z * omega * h)
    let p: Float
    let q = decay * decay
    if z < 1 {
      p = 2 * decay * DeterministicMath.cosine(omega * (1 - z * z).squareRoot() * h)
    } else {
      let split = omega * (z * z - 1).squareRoot()
      p =
        DeterministicMath.exponential((split - z * omega) * h)
        + DeterministicMath.exponential((-split - z * omega) * h)
    }
    keep = q
    pull = -(1 + q - p) / h
  }

  /// The speed after the step, for the displacement and speed before it.
  @inline(__always)
  func speed(_ displacement: Float, _ speed: Float) -> Float {
    keep * speed + pull * displacement
  }
}
