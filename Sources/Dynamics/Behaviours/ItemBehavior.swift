/// Gives its items properties: material, mass, damping. UIKit's `UIDynamicItemBehavior`.
///
/// A property that was never set is not stated, and leaves the item what another item behaviour
/// states, or the default. Of several behaviours that state a property of one item, the last wins,
/// in depth-first order of addition. Removing the behaviour takes its statements back.
public struct ItemBehavior: ItemListBehavior {
  /// The items that get the properties.
  public internal(set) var items: [ItemID]
  var values = ItemProperties()
  var stated = StatedProperties()
  /// Velocities to add when the behaviour meets its items.
  var kicks: [VelocityKick] = []

  /// States what is given and leaves the rest open; ranges and defaults stand at the properties.
  public init(
    items: [ItemID] = [], elasticity: Float? = nil, friction: Float? = nil, density: Float? = nil,
    resistance: Float? = nil, angularResistance: Float? = nil, charge: Float? = nil,
    isAnchored: Bool? = nil, allowsRotation: Bool? = nil
  ) {
    self.items = items
    if let elasticity { self.elasticity = elasticity }
    if let friction { self.friction = friction }
    if let density { self.density = density }
    if let resistance { self.resistance = resistance }
    if let angularResistance { self.angularResistance = angularResistance }
    if let charge { self.charge = charge }
    if let isAnchored { self.isAnchored = isAnchored }
    if let allowsRotation { self.allowsRotation = allowsRotation }
  }

  /// Bounciness 0…1; a contact uses the larger of the two. Default 0.
  public var elasticity: Float {
    get { values.elasticity }
    set {
      values.elasticity = newValue
      stated.insert(.elasticity)
    }
  }
  /// At least 0, where 0 slides; a contact uses √(a·b), a boundary the item's own. Default 0.
  public var friction: Float {
    get { values.friction }
    set {
      values.friction = newValue
      stated.insert(.friction)
    }
  }
  /// Mass a 10 000 pt²: 0.01…10 000. Default 1.
  public var density: Float {
    get { values.density }
    set {
      values.density = newValue
      stated.insert(.density)
    }
  }
  /// Linear damping, at least 0: per sub-step of h seconds, velocity × 1 / (1 + h·resistance).
  /// Default 0.
  public var resistance: Float {
    get { values.resistance }
    set {
      values.resistance = newValue
      stated.insert(.resistance)
    }
  }
  /// The same for the spin. Default 0.
  public var angularResistance: Float {
    get { values.angularResistance }
    set {
      values.angularResistance = newValue
      stated.insert(.angularResistance)
    }
  }
  /// What electric and magnetic fields act on. Default 0.
  public var charge: Float {
    get { values.charge }
    set {
      values.charge = newValue
      stated.insert(.charge)
    }
  }
  /// Whether the item collides but never moves, like a boundary. Default false.
  public var isAnchored: Bool {
    get { values.isAnchored }
    set {
      values.isAnchored = newValue
      stated.insert(.isAnchored)
    }
  }
  /// Whether the item turns; otherwise its rotational inertia is infinite. Default true.
  public var allowsRotation: Bool {
    get { values.allowsRotation }
    set {
      values.allowsRotation = newValue
      stated.insert(.allowsRotation)
    }
  }

  /// Adds to an item's velocity, in pt/s. Before the behaviour is in an animator the sum waits and
  /// is applied when it is added. Throws `itemNotInBehavior`, `valueOutOfRange`.
  public mutating func addLinearVelocity(
    _ velocity: Vector2, for item: ItemID
  ) throws(DynamicsError) {
    try velocity.require(.velocity)
    guard items.contains(item) else { throw .itemNotInBehavior(item) }
    kicks.append(VelocityKick(item: item, velocity: velocity, spin: 0))
  }

  /// Adds to an item's spin, in rad/s. Before the behaviour is in an animator the sum waits and is
  /// applied when it is added. Throws `itemNotInBehavior`, `valueOutOfRange`.
  public mutating func addAngularVelocity(
    _ spin: Float, for item: ItemID
  ) throws(DynamicsError) {
    try spin.require(.velocity)
    guard items.contains(item) else { throw .itemNotInBehavior(item) }
    kicks.append(VelocityKick(item: item, velocity: .zero, spin: spin))
  }
}

/// A velocity that waits for its item.
struct VelocityKick: Equatable, Sendable {
  var item: ItemID
  var velocity: Vector2
  var spin: Float
}
