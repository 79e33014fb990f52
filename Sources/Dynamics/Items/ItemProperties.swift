/// The properties of an item as its behaviours leave them.
public struct ItemProperties: Equatable, Sendable, BitwiseCopyable {
  /// The defaults.
  public init() {}

  /// Bounciness 0…1.
  public internal(set) var elasticity: Float = 0
  /// Coulomb friction, at least 0.
  public internal(set) var friction: Float = 0
  /// Mass a 10 000 pt², 0.01…10 000.
  public internal(set) var density: Float = 1
  /// Linear damping in 1/s.
  public internal(set) var resistance: Float = 0
  /// Damping of the spin in 1/s.
  public internal(set) var angularResistance: Float = 0
  /// Electric charge.
  public internal(set) var charge: Float = 0
  /// Whether the item never moves.
  public internal(set) var isAnchored = false
  /// Whether the item turns.
  public internal(set) var allowsRotation = true

  /// Takes over what another behaviour states.
  mutating func overlay(_ other: ItemProperties, where stated: StatedProperties) {
    if stated.contains(.elasticity) { elasticity = other.elasticity }
    if stated.contains(.friction) { friction = other.friction }
    if stated.contains(.density) { density = other.density }
    if stated.contains(.resistance) { resistance = other.resistance }
    if stated.contains(.angularResistance) { angularResistance = other.angularResistance }
    if stated.contains(.charge) { charge = other.charge }
    if stated.contains(.isAnchored) { isAnchored = other.isAnchored }
    if stated.contains(.allowsRotation) { allowsRotation = other.allowsRotation }
  }

  func validate() throws(DynamicsError) {
    try elasticity.require(.elasticity, in: 0...1)
    try friction.require(.friction, in: 0...Float.largest)
    try density.require(.density, in: PhysicsLimit.density)
    try resistance.require(.resistance, in: 0...Float.largest)
    try angularResistance.require(.angularResistance, in: 0...Float.largest)
    try charge.require(.charge)
  }
}

/// Which properties a behaviour has set.
struct StatedProperties: OptionSet, Equatable, Sendable, BitwiseCopyable {
  var rawValue: UInt8
  static let elasticity = StatedProperties(rawValue: 1)
  static let friction = StatedProperties(rawValue: 2)
  static let density = StatedProperties(rawValue: 4)
  static let resistance = StatedProperties(rawValue: 8)
  static let angularResistance = StatedProperties(rawValue: 16)
  static let charge = StatedProperties(rawValue: 32)
  static let isAnchored = StatedProperties(rawValue: 64)
  static let allowsRotation = StatedProperties(rawValue: 128)
}

extension Animator {
  /// Collects the properties of some items again from all item behaviours, in depth-first order.
  mutating func refreshProperties(of list: [ItemID]) {
    for item in list {
      assert(contains(item), "behaviours hold items that exist")
      items[Int(item.slot)].isStale = true
      items[Int(item.slot)].properties = ItemProperties()
    }
    for slot in order {
      guard case .item(let value) = behaviorRecords[Int(slot)].value else { continue }
      for item in value.items where items[Int(item.slot)].isStale {
        items[Int(item.slot)].properties.overlay(value.values, where: value.stated)
      }
    }
    for item in list {
      items[Int(item.slot)].isStale = false
      writeProperties(Int(item.slot))
    }
  }

  /// Tells the solver an item's properties.
  mutating func writeProperties(_ slot: Int) {
    guard let body = items[slot].body else { return }
    assert(items[slot].exists && world.contains(body))
    let properties = bodyProperties(slot)
    checked { () throws(PhysicsError) in try world.setProperties(properties, of: body) }
  }

  func bodyProperties(_ slot: Int) -> BodyProperties {
    var properties = items[slot].bodyProperties
    properties.collisionMask = solverMask(items[slot])
    return properties
  }
}
