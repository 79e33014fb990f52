/// Where a body is and how it moves, at the end of the last step.
@frozen
public struct BodyState: Equatable, Sendable, BitwiseCopyable {
  /// Centre of mass, in points.
  public var position: Vector2
  /// Turn from the shape's own frame.
  public var rotation: Rotation
  /// Points a second.
  public var velocity: Vector2
  /// Radians a second, clockwise on screen.
  public var angularVelocity: Float
  /// Whether the body rests and is not stepped until something changes.
  public var isAsleep: Bool

  /// The turn as an angle in −π…π radians.
  public var angle: Float { rotation.angle }

  @usableFromInline
  init(
    position: Vector2, rotation: Rotation, velocity: Vector2, angularVelocity: Float,
    isAsleep: Bool
  ) {
    self.position = position
    self.rotation = rotation
    self.velocity = velocity
    self.angularVelocity = angularVelocity
    self.isAsleep = isAsleep
  }
}
