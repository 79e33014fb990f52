/// Everything a new body needs.
public struct BodyDefinition: Equatable, Sendable {
  /// The body's form about its centre of mass; of several shapes the first.
  public var shape: BodyShape
  /// The other shapes of a body that has several, about the same centre of mass.
  public private(set) var furtherShapes: [BodyShape] = []
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
    shape: BodyShape, position: Vector2, angle: Float = 0,
    properties: BodyProperties = BodyProperties()
  ) {
    self.shape = shape
    self.position = position
    self.angle = angle
    self.properties = properties
  }

  /// A body of several shapes with their common centre of mass at `position`.
  public init(
    shape: CompoundShape, position: Vector2, angle: Float = 0,
    properties: BodyProperties = BodyProperties()
  ) {
    self.init(
      shape: shape.shapes[0], position: position, angle: angle, properties: properties)
    furtherShapes = Array(shape.shapes.dropFirst())
  }

  /// The first number besides the place that is outside its documented range; nil when there is
  /// none.
  var refusalAnywhere: PhysicsError.Refusal? {
    angle.refusal(.angle, within: PhysicsLimit.angle)
      ?? velocity.refusal(.velocity, within: .greatestFiniteMagnitude)
      ?? angularVelocity.refusal(.angularVelocity, within: .greatestFiniteMagnitude)
      ?? properties.refusal
  }
}

/// Whether a body moves.
public enum BodyKind: UInt8, Equatable, Sendable, BitwiseCopyable {
  /// Moves under gravity, forces and contacts.
  case dynamic
  /// Takes part in collisions and never moves: behaves like a boundary.
  case anchored
  /// Moves at the velocity and spin that it is given, through boundaries and whatever else, and
  /// pushes what moves: a lift, a paddle, a wall that closes in. No force, contact or damping
  /// changes its speed, and it never sleeps. In a world that has one, fast and elastic bodies have
  /// the whole world solved in smaller parts.
  case kinematic
}

/// The changeable properties of a body.
public struct BodyProperties: Equatable, Sendable, BitwiseCopyable {
  /// Whether the body moves.
  public var kind: BodyKind = .dynamic
  /// Mass a 10 000 pt², 0.01…10 000: a 100×100 item of density 1 has mass 1.
  public var density: Float = 1
  /// Bounciness 0…1; a contact uses the larger of the two.
  public var restitution: Float = 0
  /// Coulomb friction, 0…100 000; a contact uses √(a·b).
  public var friction: Float = 0
  /// Resistance to motion: each sub-step of h seconds, velocity × 1 / (1 + h·damping).
  /// 0…100 000.
  public var linearDamping: Float = 0
  /// Resistance to spin, likewise.
  public var angularDamping: Float = 0
  /// Whether the body turns; otherwise its rotational inertia is infinite.
  public var allowsRotation = true
  /// Whether the body is a sensor: it passes through everything and pushes nothing, and the step
  /// tells what it overlaps (`PhysicsWorld.sensorEvents`). Its kind says whether it stays where it
  /// is put or moves under gravity, forces and joints.
  public var isSensor = false
  /// Multiplies the world's gravity for this body, −1200…1200.
  public var gravityScale: Float = 1
  /// The groups this body belongs to, a bit each.
  public var collisionGroup: UInt32 = 1
  /// The groups this body collides with. Two bodies collide when each is in the other's mask.
  public var collisionMask: UInt32 = .max
  /// A number of the caller's that travels with the body and its snapshots.
  public var userData: UInt32 = 0

  /// A dynamic body of density 1 without bounce, friction and damping.
  public init() {}

  /// The first number outside its documented range; nil when there is none.
  var refusal: PhysicsError.Refusal? {
    density.refusal(.density, in: PhysicsLimit.density)
      ?? restitution.refusal(.restitution, in: 0...1)
      ?? friction.refusal(.friction, in: PhysicsLimit.friction)
      ?? linearDamping.refusal(.linearDamping, in: PhysicsLimit.damping)
      ?? angularDamping.refusal(.angularDamping, in: PhysicsLimit.damping)
      ?? gravityScale.refusal(.gravityScale, within: PhysicsLimit.gravityScale)
  }

  var isValid: Bool { refusal == nil }
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
