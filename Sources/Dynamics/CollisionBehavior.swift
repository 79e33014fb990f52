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

  /// Everything collides; no boundaries yet.
  public init(items: [ItemID] = []) { self.items = items }

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
    guard insets.isInRange else { throw .valueOutOfRange(.bounds) }
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

  private func place(of id: BoundaryID) -> Int? {
    for i in 0..<entries.count where entries[i].id == id { return i }
    return nil
  }
}

/// A boundary under its identifier.
struct BoundaryEntry: Equatable, Sendable {
  var id: BoundaryID
  var path: BoundaryPath
}

/// The form of a collision boundary. All are thin lines, solid from both sides.
public enum BoundaryPath: Equatable, Sendable {
  /// From one point to another.
  case segment(Vector2, Vector2)
  /// From point to point, and back to the first when `closed`.
  case path([Vector2], closed: Bool)
  /// The four sides of a rectangle.
  case rectangle(Rectangle)

  func validate() throws(DynamicsError) {
    switch self {
    case .segment(let a, let b):
      try Self.validate([a, b], closed: false)
    case .path(let points, let closed):
      // There and back again is one segment, and no closed path.
      guard points.count >= (closed ? 3 : 2) else { throw .emptyPath }
      try Self.validate(points, closed: closed)
    case .rectangle(let r):
      guard r.x.isInRange, r.y.isInRange, r.width.isInRange, r.height.isInRange else {
        throw .valueOutOfRange(.bounds)
      }
      guard r.width > 0, r.height > 0 else { throw .degenerateBoundary }
      try Self.validate(Self.corners(of: r), closed: true)
    }
  }

  private static func validate(_ points: [Vector2], closed: Bool) throws(DynamicsError) {
    for point in points where !point.isInRange { throw .valueOutOfRange(.position) }
    let pieces = closed ? points.count : points.count - 1
    for i in 0..<pieces {
      let next = i + 1 == points.count ? 0 : i + 1
      guard (points[next] - points[i]).length > 0.01 else { throw .degenerateBoundary }
    }
  }

  var physicsBoundary: Boundary {
    switch self {
    case .segment(let a, let b): return .segment(a, b)
    case .path(let points, let closed): return .chain(points, closed: closed)
    case .rectangle(let r): return .chain(Self.corners(of: r), closed: true)
    }
  }

  private static func corners(of r: Rectangle) -> [Vector2] {
    [
      Vector2(r.minX, r.minY), Vector2(r.maxX, r.minY), Vector2(r.maxX, r.maxY),
      Vector2(r.minX, r.maxY),
    ]
  }
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

  var isInRange: Bool { top.isInRange && left.isInRange && bottom.isInRange && right.isInRange }

  func applied(to r: Rectangle) -> Rectangle {
    Rectangle(
      x: r.x + left, y: r.y + top, width: r.width - left - right, height: r.height - top - bottom)
  }
}
