/// The largest coordinate, speed, size or factor that a caller may set, either way: 100 000. There
/// a point's lattice is still finer than a hundredth, angles keep their phase, and no product of
/// three such numbers leaves single precision.
let largestValue: Float = 100_000

/// How far motion takes what a caller sets; beyond it a snapshot is forged.
enum MotionLimit {
  /// Coordinates of an item that rests, in points: half of where the solver takes a body back, so
  /// that a centre of mass fits beside it.
  static let place = PhysicsLimit.farPlace / 2
  /// Speeds in pt/s and rad/s of an item that rests: a group's member, 16 384 pt from the middle at
  /// the spin limit, gets to 6 · 10⁶.
  static let speed: Float = 1e7
  /// An attachment's length in points: from one such place to another.
  static let length: Float = 1e12
}

extension Vector2 {
  /// Whether no coordinate is farther from 0 than `limit`; not when one is no number.
  func isWithin(_ limit: Float) -> Bool { x.isWithin(limit) && y.isWithin(limit) }
}

extension Rotation {
  /// Whether cosine and sine are those of a direction, but for rounding: what a body takes.
  var isDirection: Bool {
    let squared = cosine * cosine + sine * sine
    return squared > 0.95 && squared < 1.05
  }
}

extension Float {
  /// The largest number that a caller may set.
  static var largest: Float { largestValue }
  /// What a side of the reference bounds may be: above 0, and within the coordinates.
  static var extent: ClosedRange<Float> { leastNonzeroMagnitude...(2 * largestValue) }

  /// Whether a caller may set this number.
  var isInRange: Bool { self >= -largestValue && self <= largestValue }

  /// Throws `valueOutOfRange` for a number outside of a range, and for what is none.
  func require(
    _ property: DynamicsError.Property,
    in allowed: ClosedRange<Float> = -largestValue...largestValue
  ) throws(DynamicsError) {
    guard allowed.contains(self) else { throw .outside(property, self, allowed) }
  }
}

extension Vector2 {
  /// Whether a caller may set these coordinates.
  var isInRange: Bool { x.isInRange && y.isInRange }

  /// Throws `valueOutOfRange` for a coordinate that a caller may not set.
  func require(_ property: DynamicsError.Property) throws(DynamicsError) {
    try x.require(property)
    try y.require(property)
  }
}

extension DynamicsError {
  static func outside(
    _ property: Property, _ value: Float, _ allowed: ClosedRange<Float>
  ) -> DynamicsError {
    .valueOutOfRange(Refusal(property: property, value: value, allowed: allowed))
  }
}
