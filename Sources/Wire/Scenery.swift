/// What a page draws besides the bodies: boundaries that are there now, who holds which body, rods.
///
/// All three lists ascend, by id or by slot, without repetition.
public struct Scenery: Equatable, Sendable {
  /// At most `mostBoundaries`, ascending by id.
  public var boundaries: [SceneryBoundary]
  /// At most `mostHolders`, ascending by slot.
  public var holders: [SceneryHolder]
  /// At most `mostRods`, ascending by slot; a slot may have several.
  public var rods: [SceneryRod]

  public init(
    boundaries: [SceneryBoundary] = [], holders: [SceneryHolder] = [], rods: [SceneryRod] = []
  ) {
    self.boundaries = boundaries
    self.holders = holders
    self.rods = rods
  }

  /// Boundaries at most: three times what the richest scene has.
  public static let mostBoundaries = 32
  /// Bodies that are held at a time.
  public static let mostHolders = 256
  /// Rods at most: more couldn't be told apart on a screen.
  public static let mostRods = 64

  /// Whether there is nothing to draw.
  public var isEmpty: Bool { boundaries.isEmpty && holders.isEmpty && rods.isEmpty }

  /// Empties the lists and keeps their memory.
  public mutating func removeAll() {
    boundaries.removeAll(keepingCapacity: true)
    holders.removeAll(keepingCapacity: true)
    rods.removeAll(keepingCapacity: true)
  }

  /// Takes over `other` and keeps the memory of its own lists. What is out of order or beyond a
  /// limit is left out.
  public mutating func assign(_ other: Scenery) {
    removeAll()
    for boundary in other.boundaries { append(boundary) }
    for holder in other.holders { append(holder) }
    for rod in other.rods { append(rod) }
  }

  /// Appends if it is in order and there is room; returns whether it did.
  @discardableResult
  mutating func append(_ boundary: SceneryBoundary) -> Bool {
    guard boundaries.count < Scenery.mostBoundaries else { return false }
    if let last = boundaries.last, last.id >= boundary.id { return false }
    boundaries.append(boundary)
    return true
  }

  /// Appends if it is in order and there is room; returns whether it did.
  @discardableResult
  mutating func append(_ holder: SceneryHolder) -> Bool {
    guard holders.count < Scenery.mostHolders else { return false }
    if let last = holders.last, last.slot >= holder.slot { return false }
    holders.append(holder)
    return true
  }

  /// Appends if it is in order and there is room; returns whether it did.
  @discardableResult
  mutating func append(_ rod: SceneryRod) -> Bool {
    guard rods.count < Scenery.mostRods else { return false }
    if let last = rods.last, last.slot > rod.slot { return false }
    rods.append(rod)
    return true
  }
}

/// A segment to draw, in 1/8 pt.
public struct SceneryBoundary: Equatable, Sendable {
  /// Names the boundary in events.
  public var id: UInt8
  public var ax: Int16
  public var ay: Int16
  public var bx: Int16
  public var by: Int16

  public init(id: UInt8, ax: Int16, ay: Int16, bx: Int16, by: Int16) {
    self.id = id
    self.ax = ax
    self.ay = ay
    self.bx = bx
    self.by = by
  }
}

/// Who holds a body.
public struct SceneryHolder: Equatable, Sendable {
  /// The body's slot.
  public var slot: UInt16
  /// The number of the person who holds it, by the name that PROTOCOL.md has for it.
  public var client: UInt16

  public init(slot: UInt16, client: UInt16) {
    self.slot = slot
    self.client = client
  }
}

/// A rod from a point of the world to a point of a body.
public struct SceneryRod: Equatable, Sendable {
  /// The body's slot.
  public var slot: UInt16
  /// The anchor in 1/8 pt of the world.
  public var x: Int16
  public var y: Int16
  /// Where it is fixed to the body: 1/8 pt from its centre, in the body's own axes.
  public var attachX: Int16
  public var attachY: Int16

  public init(slot: UInt16, x: Int16, y: Int16, attachX: Int16, attachY: Int16) {
    self.slot = slot
    self.x = x
    self.y = y
    self.attachX = attachX
    self.attachY = attachY
  }
}
