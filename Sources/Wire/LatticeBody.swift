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
