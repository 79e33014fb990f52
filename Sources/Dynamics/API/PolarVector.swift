/// A vector that can be set as a direction or as angle and magnitude; each form updates the other.
struct PolarVector: Equatable, Sendable {
  private(set) var vector: Vector2
  private(set) var angle: Float
  private(set) var magnitude: Float

  init(_ vector: Vector2) {
    self.vector = vector
    angle = vector.angle
    magnitude = vector.length
  }

  /// Keeps the angle when the vector has none.
  mutating func set(vector: Vector2) {
    if vector != .zero { angle = vector.angle }
    self.vector = vector
    magnitude = vector.length
  }

  /// A negative magnitude points the other way.
  mutating func set(angle: Float, magnitude: Float) {
    self.angle = angle
    self.magnitude = magnitude
    vector = Vector2(angle: angle, length: magnitude)
  }

  init(restoredVector vector: Vector2, angle: Float, magnitude: Float) {
    self.vector = vector
    self.angle = angle
    self.magnitude = magnitude
  }

  func validate() throws(DynamicsError) {
    try vector.require(.direction)
    try angle.require(.direction)
    try magnitude.require(.direction)
  }
}

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
