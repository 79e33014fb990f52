/// Whom a boundary meets, and what it is made of.
public struct BoundaryProperties: Equatable, Sendable, BitwiseCopyable {
  /// The groups of the boundary, a bit each: it meets the bodies whose collision mask has one of
  /// them. All groups by default.
  public var collisionGroup: UInt32 = .max
  /// Coulomb friction, 0…100 000; a contact uses √(a·b) with the body's. Nil takes the body's own.
  public var friction: Float?
  /// Bounciness, 0…1; a contact uses the larger of it and the body's. Nil takes the body's own.
  public var restitution: Float?
  /// Whether a segment or chain is solid from one side only: from the left hand of whoever walks it
  /// from its first point to the last. With y down, a line drawn from left to right carries what
  /// falls onto it and lets pass what comes from below; a body is carried once all of it is above.
  /// Half-planes are solid from one side anyway.
  public var isOneWay = false

  /// A boundary for all groups that takes the material of what touches it.
  public init() {}

  var isValid: Bool {
    PhysicsLimit.friction.contains(friction ?? 0) && (restitution ?? 0) >= 0
      && (restitution ?? 0) <= 1
  }
}

extension EdgeRecord {
  /// The properties that a piece shares with its boundary.
  var properties: BoundaryProperties {
    get {
      var properties = BoundaryProperties()
      properties.collisionGroup = collisionGroup
      properties.friction = friction < 0 ? nil : friction
      properties.restitution = restitution < 0 ? nil : restitution
      properties.isOneWay = isOneWay
      return properties
    }
    set {
      assert(newValue.isValid)
      collisionGroup = newValue.collisionGroup
      friction = newValue.friction ?? -1
      restitution = newValue.restitution ?? -1
      isOneWay = newValue.isOneWay
    }
  }
}
