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
