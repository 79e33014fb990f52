/// Lets its items collide with each other and with boundaries. UIKit's `UICollisionBehavior`.
///
/// Items collide only with items of a common collision behaviour, and with its boundaries.
public struct CollisionBehavior: ItemListBehavior {
  /// What the items collide with.
  public enum Mode: UInt8, Equatable, Sendable {
    /// The other items of the behaviour.
    case items
    /// The behaviour's boundaries.
    case boundaries
    /// Both.
    case everything
  }

  /// The items that collide.
  public internal(set) var items: [ItemID]
  /// What the items collide with; everything by default.
  public var mode: Mode = .everything
  /// How far the animator's reference bounds are moved inwards to become a boundary; nil, the
  /// default, when they are none. The events name this boundary nil.
  public private(set) var referenceInsets: Insets?
  private(set) var entries: [BoundaryEntry] = []

  /// Everything collides, unless `mode` says otherwise; no boundaries yet but the animator's
  /// reference bounds, if they are to be one.
  public init(
    items: [ItemID] = [], mode: Mode = .everything,
    translatesReferenceBoundsIntoBoundary: Bool = false
  ) {
    self.items = items
    self.mode = mode
    self.translatesReferenceBoundsIntoBoundary = translatesReferenceBoundsIntoBoundary
  }

  /// Whether the animator's reference bounds keep the items in. Setting it true clears the insets.
  public var translatesReferenceBoundsIntoBoundary: Bool {
    get { referenceInsets != nil }
    set { referenceInsets = newValue ? .zero : nil }
  }

  /// Makes the reference bounds, moved inwards by `insets` points, a boundary. Throws
  /// `valueOutOfRange` for insets that are not finite; insets that leave no area are refused when
  /// the behaviour is added.
  public mutating func setTranslatesReferenceBoundsIntoBoundary(
    with insets: Insets
  ) throws(DynamicsError) {
    try insets.validate()
    referenceInsets = insets
  }

  /// Adds a boundary under a number of the caller's. Throws `duplicateBoundary`,
  /// `degenerateBoundary`, `emptyPath`, `valueOutOfRange`.
  public mutating func addBoundary(
    _ path: BoundaryPath, id: BoundaryID
  ) throws(DynamicsError) {
    guard place(of: id) == nil else { throw .duplicateBoundary(id) }
    try path.validate()
    entries.append(BoundaryEntry(id: id, path: path))
  }

  /// Adds a line between two points as a boundary. Throws as `addBoundary(_:id:)` does.
  public mutating func addBoundary(
    from start: Vector2, to end: Vector2, id: BoundaryID
  ) throws(DynamicsError) {
    try addBoundary(.segment(start, end), id: id)
  }

  /// Removes a boundary. Throws `unknownBoundary`.
  public mutating func removeBoundary(id: BoundaryID) throws(DynamicsError) {
    guard let place = place(of: id) else { throw .unknownBoundary(id) }
    entries.remove(at: place)
  }

  /// Removes every boundary but the reference bounds.
  public mutating func removeAllBoundaries() { entries.removeAll() }

  /// The boundary of this identifier, or nil.
  public func boundary(id: BoundaryID) -> BoundaryPath? {
    guard let place = place(of: id) else { return nil }
    return entries[place].path
  }

  /// The identifiers in order of addition.
  public var boundaryIdentifiers: [BoundaryID] {
    var identifiers: [BoundaryID] = []
    for entry in entries { identifiers.append(entry.id) }
    return identifiers
  }

  /// How many pieces the boundaries are made of, the reference bounds included.
  var pieceCount: Int {
    var count = referenceInsets == nil ? 0 : 4
    for entry in entries { count += entry.path.pieceCount }
    return count
  }

  func place(of id: BoundaryID) -> Int? {
    for i in 0..<entries.count where entries[i].id == id { return i }
    return nil
  }
}

/// A boundary under its identifier.
struct BoundaryEntry: Equatable, Sendable {
  var id: BoundaryID
  var path: BoundaryPath
}

/// Distances from the four edges of a rectangle, in points; positive moves an edge inwards.
public struct Insets: Equatable, Sendable, BitwiseCopyable {
  /// From the upper edge.
  public var top: Float
  /// From the left edge.
  public var left: Float
  /// From the lower edge.
  public var bottom: Float
  /// From the right edge.
  public var right: Float

  /// Each edge for itself.
  public init(top: Float, left: Float, bottom: Float, right: Float) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// No insets.
  public static let zero = Insets(top: 0, left: 0, bottom: 0, right: 0)

  func validate() throws(DynamicsError) {
    try top.require(.bounds)
    try left.require(.bounds)
    try bottom.require(.bounds)
    try right.require(.bounds)
  }

  func applied(to r: Rect2) -> Rect2 {
    Rect2(
      x: r.x + left, y: r.y + top, width: r.width - left - right, height: r.height - top - bottom)
  }
}
