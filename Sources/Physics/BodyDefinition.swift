/// Whether a body moves.
public enum BodyKind: UInt8, Equatable, Sendable, BitwiseCopyable {
  /// Moves under gravity, forces and contacts.
  case dynamic
  /// Takes part in collisions and never moves: behaves like a boundary.
  case anchored
}

/// The changeable properties of a body.
public struct BodyProperties: Equatable, Sendable, BitwiseCopyable {
  /// Whether the body moves.
  public var kind: BodyKind = .dynamic
  /// Mass a 10 000 pt²: a 100×100 item of density 1 has mass 1. Greater than 0.
  public var density: Float = 1
  /// Bounciness 0…1; a contact uses the larger of the two.
  public var restitution: Float = 0
  /// Coulomb friction, at least 0; a contact uses √(a·b).
  public var friction: Float = 0
  /// Resistance to motion: each sub-step of h seconds, velocity × 1 / (1 + h·damping). At least 0.
  public var linearDamping: Float = 0
  /// Resistance to spin, likewise. At least 0.
  public var angularDamping: Float = 0
  /// Whether the body turns; otherwise its rotational inertia is infinite.
  public var allowsRotation = true
  /// Multiplies the world's gravity for this body.
  public var gravityScale: Float = 1
  /// The groups this body belongs to, a bit each.
  public var collisionGroup: UInt32 = 1
  /// The groups this body collides with. Two bodies collide when each is in the other's mask.
  public var collisionMask: UInt32 = .max
  /// A number of the caller's that travels with the body and its snapshots.
  public var userData: UInt32 = 0

  /// A dynamic body of density 1 without bounce, friction and damping.
  public init() {}

  var isValid: Bool {
    density > 0 && density.isFinite && restitution >= 0 && restitution <= 1
      && friction >= 0 && friction.isFinite && linearDamping >= 0 && linearDamping.isFinite
      && angularDamping >= 0 && angularDamping.isFinite && gravityScale.isFinite
  }
}

/// Everything a new body needs.
public struct BodyDefinition: Equatable, Sendable {
  /// The body's form about its centre of mass.
  public var shape: Shape
  /// The centre of mass, in points.
  public var position: Vector2
  /// Radians, clockwise on screen.
  public var angle: Float
  /// Points a second.
  public var velocity: Vector2 = .zero
  /// Radians a second, clockwise on screen.
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

  var isValid: Bool {
    position.isFinite && angle.isFinite && velocity.isFinite && angularVelocity.isFinite
      && properties.isValid
  }
}

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
