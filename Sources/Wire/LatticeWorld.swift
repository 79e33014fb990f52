/// What a stream carries: the world at a tick, on its profile's lattice.
public struct LatticeWorld: Equatable, Sendable {
  /// Number of the tick; the low 32 bits (wraps after 828 days).
  public var tick: UInt32
  /// Gravity in units of the scene's magnitude.
  public var gravity: QuantizedGravity
  /// The bodies in ascending order of their slots, at most 16 384.
  public var bodies: [LatticeBody]
  /// What is drawn besides the bodies.
  public var scenery: Scenery
  /// Whose lattice it is.
  public var profile: CodecProfile

  public init(
    tick: UInt32 = 0, gravity: QuantizedGravity = .down, bodies: [LatticeBody] = [],
    scenery: Scenery = Scenery(), profile: CodecProfile = .strict
  ) {
    self.tick = tick
    self.gravity = gravity
    self.bodies = bodies
    self.scenery = scenery
    self.profile = profile
  }

  /// Takes over `other` and keeps the memory of its own array, so that two worlds that follow each
  /// other don't allocate.
  public mutating func assign(_ other: LatticeWorld) {
    tick = other.tick
    gravity = other.gravity
    bodies.removeAll(keepingCapacity: true)
    bodies.append(contentsOf: other.bodies)
    // Lists that are equal share their memory; they rarely change.
    if scenery != other.scenery { scenery.assign(other.scenery) }
    profile = other.profile
  }

  /// The index of the body in `slot`, if there is one. Takes log₂(bodies) comparisons.
  public func index(ofSlot slot: UInt16) -> Int? {
    var low = 0
    var high = bodies.count
    while low < high {
      let middle = (low + high) / 2
      if bodies[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    assert(low == 0 || bodies[low - 1].slot < slot, "bodies are in the order of their slots")
    return low < bodies.count && bodies[low].slot == slot ? low : nil
  }
}

/// Gravity as every replica and every client sees it: a vector of length ≤ 1 in 1/16 384 of the
/// scene's magnitude, y down.
@frozen
public struct QuantizedGravity: Equatable, Sendable {
  public var x: Int16
  public var y: Int16

  @inlinable
  public init(x: Int16, y: Int16) {
    self.x = x
    self.y = y
  }

  /// Steps in 1.
  public static let unit: Float = 16_384
  /// Straight down at full magnitude.
  public static let down = QuantizedGravity(x: 0, y: 16_384)
}
