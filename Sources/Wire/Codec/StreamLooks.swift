/// What is in a slot, without where it is.
struct StreamLooks {
  var generation: UInt16 = 0
  var kind: UInt8 = 0
  /// Diameter or edge in points; 0 means that the slot is empty.
  var size: UInt8 = 0

  @inline(__always)
  var isPresent: Bool { size != 0 }

  /// How far from its centre, in points, a body may still touch another: a circle of 40 pt 21, a
  /// box of 40 pt (whose corners reach 28) 26. Even pictures are circles.
  @inline(__always)
  var reach: Double { Double(size) * (kind & 0x11 == 0 ? 0.525 : 0.65) }

  @inline(__always)
  func isSame(as other: StreamLooks) -> Bool {
    generation == other.generation && kind == other.kind && size == other.size
  }
}

extension StreamBody {
  /// The body at the lattice's nearest place: what every client of the strict profile has, and what
  /// those of the visual one come near.
  public func onLattice(of profile: CodecProfile) -> LatticeBody {
    let place = StreamTargets.nearest(
      StreamTargets.place(of: self, stepsPerPoint: profile.stepsPerPoint))
    return LatticeBody(
      slot: slot, generation: generation, kind: kind, size: size, x: Int32(place[0]),
      y: Int32(place[1]), angle: UInt16(truncatingIfNeeded: Int(place[2])))
  }
}

/// A body as a stream takes it, before any lattice.
public struct StreamBody: Equatable, Sendable {
  /// The body's place in the world, below the stream's number of slots.
  public var slot: UInt16
  /// How many bodies had the slot before.
  public var generation: UInt16
  /// 0…31. Up to 15 a picture, even ones circles, odd ones rounded boxes; 16 the card, 17 the
  /// square.
  public var kind: UInt8
  /// Diameter or edge in points, 1…255.
  public var size: UInt8
  /// Centre in points.
  public var x: Float
  public var y: Float
  /// Angle in radians, clockwise on screen, any number of turns.
  public var angle: Float

  public init(
    slot: UInt16, generation: UInt16, kind: UInt8, size: UInt8, x: Float, y: Float, angle: Float
  ) {
    self.slot = slot
    self.generation = generation
    self.kind = kind
    self.size = size
    self.x = x
    self.y = y
    self.angle = angle
  }
}
