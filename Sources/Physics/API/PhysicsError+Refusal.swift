extension PhysicsError {
  /// A number outside of its range, or none.
  static func outside(
    _ property: Property, _ value: Float, _ allowed: ClosedRange<Float>
  ) -> PhysicsError {
    .valueOutOfRange(Refusal(property: property, value: value, allowed: allowed))
  }

  /// A vector of which a component is farther from 0 than `limit`, or no number.
  static func outside(
    _ property: Property, _ vector: Vector2, within limit: Float
  ) -> PhysicsError {
    outside(property, vector.x.isWithin(limit) ? vector.y : vector.x, -limit...limit)
  }

  /// A number that is not finite.
  static func infinite(_ property: Property, _ value: Float) -> PhysicsError {
    outside(property, value, -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude)
  }

  /// A vector of which a component is not finite.
  static func infinite(_ property: Property, _ vector: Vector2) -> PhysicsError {
    infinite(property, vector.x.isFinite ? vector.y : vector.x)
  }

  /// A size of a shape outside of its range, or no number.
  static func outsideSize(
    _ property: Property, _ value: Float, _ allowed: ClosedRange<Float>
  ) -> PhysicsError {
    .sizeOutOfRange(Refusal(property: property, value: value, allowed: allowed))
  }
}

extension Float {
  /// What is refused of a number outside of its range; nil for one that is taken.
  func refusal(
    _ property: PhysicsError.Property, in allowed: ClosedRange<Float>
  ) -> PhysicsError.Refusal? {
    if allowed.contains(self) { return nil }
    return PhysicsError.Refusal(property: property, value: self, allowed: allowed)
  }

  /// What is refused of a number that is farther from 0 than `limit`; nil for one that is taken.
  func refusal(
    _ property: PhysicsError.Property, within limit: Float
  ) -> PhysicsError.Refusal? {
    refusal(property, in: -limit...limit)
  }
}

extension Vector2 {
  /// What is refused of a vector with a component farther from 0 than `limit`; nil for one that is
  /// taken.
  func refusal(
    _ property: PhysicsError.Property, within limit: Float
  ) -> PhysicsError.Refusal? {
    x.refusal(property, within: limit) ?? y.refusal(property, within: limit)
  }
}
