import Determinism

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

/// A body as a client sees it: on its stream's lattice and 1024 angles a turn.
@frozen
public struct LatticeBody: Equatable, Sendable {
  /// The body's place in the world; lower slots are reused first.
  public var slot: UInt16
  /// How many bodies had the slot before; with the slot it names the body.
  public var generation: UInt16
  /// 0…31. Up to 15 a picture, even ones circles, odd ones rounded boxes; 16 the card, 17 the
  /// square.
  public var kind: UInt8
  /// Diameter or edge in points, 1…255.
  public var size: UInt8
  /// Angle in 1/1024 turns, 0…1023, clockwise on screen.
  public var angle: UInt16
  /// Centre in lattice steps (1/16 pt strict, 1/12 pt visual), within ±524 287.
  public var x: Int32
  public var y: Int32

  /// A body on the lattice. Positions beyond the lattice are moved to its edge, the angle wraps.
  @inlinable
  public init(
    slot: UInt16, generation: UInt16, kind: UInt8, size: UInt8, x: Int32, y: Int32, angle: UInt16
  ) {
    self.slot = slot
    self.generation = generation
    self.kind = kind & (WireLimits.bodyKinds - 1)
    self.size = size
    self.angle = angle & (LatticeBody.anglesPerTurn - 1)
    self.x = LatticeBody.clamp(x)
    self.y = LatticeBody.clamp(y)
  }

  /// Angles in a turn.
  public static let anglesPerTurn: UInt16 = 1024
  /// The largest coordinate.
  public static let limit: Int32 = (1 << (Int32(WireLimits.coordinateBits) - 1)) - 1

  @inlinable
  static func clamp(_ value: Int32) -> Int32 {
    value < -limit ? -limit : value > limit ? limit : value
  }

  /// Whether `other` is the same body with the same looks, wherever it is.
  @inlinable
  public func isSameSticker(as other: LatticeBody) -> Bool {
    slot == other.slot && generation == other.generation && kind == other.kind
      && size == other.size
  }
}

extension LatticeWorld {
  /// Whether the same bodies are at about the same places as in `other`: as near as they stay to
  /// the last frame while frames are held back.
  public func isCalm(since other: LatticeWorld) -> Bool {
    guard bodies.count == other.bodies.count, profile == other.profile else { return false }
    for index in 0..<bodies.count where !bodies[index].isCalm(since: other.bodies[index]) {
      return false
    }
    return true
  }
}

extension LatticeBody {
  func isCalm(since other: LatticeBody) -> Bool {
    let turned = StreamShape.calmSteps &+ Int32(angle) &- Int32(other.angle)
    return isSameSticker(as: other)
      && abs(x &- other.x) <= StreamShape.calmSteps
      && abs(y &- other.y) <= StreamShape.calmSteps
      && turned & 1023 <= 2 &* StreamShape.calmSteps
  }
}

extension QuantizedGravity {
  func isNear(_ other: QuantizedGravity) -> Bool {
    abs(Int32(x) &- Int32(other.x)) <= StreamShape.calmGravity
      && abs(Int32(y) &- Int32(other.y)) <= StreamShape.calmGravity
  }
}

extension LatticeWorld {
  /// A hash of tick, bodies and places (FNV-1a over 32-bit words), by which decoders are compared
  /// across builds.
  public var placesHash: UInt64 {
    var hash = FNVHash()
    hash.add(tick)
    for body in bodies {
      hash.add(UInt32(body.slot) &<< 16 | UInt32(body.generation))
      hash.add(UInt32(bitPattern: body.x))
      hash.add(UInt32(bitPattern: body.y))
      hash.add(UInt32(body.kind) &<< 24 | UInt32(body.size) &<< 16 | UInt32(body.angle))
    }
    return hash.value
  }
}
