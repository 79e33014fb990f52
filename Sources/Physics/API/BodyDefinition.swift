/// Everything a new body needs.
public struct BodyDefinition: Equatable, Sendable {
  /// The body's form about its centre of mass.
  public var shape: Shape
  /// The centre of mass, in points, within `PhysicsLimit.place` either way.
  public var position: Vector2
  /// Radians, clockwise on screen, within `PhysicsLimit.angle` either way.
  public var angle: Float
  /// Points a second, finite; what is faster than the speed limit starts at the speed limit.
  public var velocity: Vector2 = .zero
  /// Radians a second, clockwise on screen, finite; what is faster starts at the spin limit.
  public var angularVelocity: Float = 0
  /// Material, mass, damping, filter.
  public var properties: BodyProperties

  /// A body of `shape` at `position`.
  public init(
    shape: Shape, position: Vector2, angle: Float = 0,
    properties: BodyProperties = BodyProperties()
  ) {
    self.shape = shape
    self.position = position
    self.angle = angle
    self.properties = properties
  }

  var isValid: Bool { position.isPlace && isValidAnywhere }

  /// Whether all is valid but for the place.
  var isValidAnywhere: Bool {
    angle.isWithin(PhysicsLimit.angle) && velocity.isFinite
      && angularVelocity.isFinite && properties.isValid
  }
}
