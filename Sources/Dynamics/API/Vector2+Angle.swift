/// Vectors by angle, as gravity and pushes are said.
extension Vector2 {
  /// A vector of `length` points along `angle`, in radians clockwise from the x axis: π/2 is down.
  public init(angle: Float, length: Float) {
    self = Vector2(DeterministicMath.cosine(angle), DeterministicMath.sine(angle)) * length
  }

  /// The vector's direction in −π…π radians, clockwise from the x axis; 0 for the zero vector. What
  /// `atan2(y, x)` is elsewhere, with the same bits on every machine.
  public var angle: Float { DeterministicMath.arcTangent(y: y, x: x) }
}
