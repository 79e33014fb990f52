/// A number that was refused: what it was to be, and what it may be. `Property` lists what numbers
/// are given for, in the solver (`PhysicsError.Property`) or above it.
public struct RefusedNumber<Property: Equatable & Sendable>: Equatable, Sendable {
  /// What the number was given for.
  public let property: Property
  /// The number; of a vector or a rectangle, the first of its numbers that does not fit.
  public let value: Float
  /// What would have been taken. Where only what is above 0 is, the range begins with the smallest
  /// number above it.
  public let allowed: ClosedRange<Float>

  /// A number that was given for a property and is not in the range, or no number.
  public init(property: Property, value: Float, allowed: ClosedRange<Float>) {
    self.property = property
    self.value = value
    self.allowed = allowed
  }

  /// Compares bits, so that what is no number equals itself.
  public static func == (a: RefusedNumber, b: RefusedNumber) -> Bool {
    a.property == b.property && a.value.bitPattern == b.value.bitPattern && a.allowed == b.allowed
  }
}

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
