extension PhysicsWorld {
  /// Adds a boundary under a number of the caller's choice; bodies near it wake.
  ///
  /// Throws `duplicateBoundary` when the number is taken, `degenerateBoundary` for a segment without
  /// length, a normal without length or a chain of fewer than two points, `valueOutOfRange` for
  /// numbers that are not finite.
  public mutating func addBoundary(
    _ boundary: Boundary, id: BoundaryID
  ) throws(PhysicsError) {
    guard !containsBoundary(id) else { throw .duplicateBoundary(id) }
    let pieces = try Self.pieces(of: boundary, id: id)
    edges.append(contentsOf: pieces)
    wakeAll()
  }

  /// Removes a boundary; bodies that touched it wake and their contacts end in the next step.
  public mutating func removeBoundary(id: BoundaryID) throws(PhysicsError) {
    guard containsBoundary(id) else { throw .unknownBoundary(id) }
    for contact in contacts where contact.touching && contact.b < 0 {
      if edges[Int(-1 - contact.b)].id == id { pendingEnded.append(contactEvent(contact)) }
    }
    contacts.removeAll { $0.b < 0 && edges[Int(-1 - $0.b)].id == id }
    var place: [Int32] = []
    var kept: Int32 = 0
    for edge in edges {
      place.append(kept)
      kept += edge.id == id ? 0 : 1
    }
    for i in 0..<contacts.count where contacts[i].b < 0 {
      contacts[i].b = -1 - place[Int(-1 - contacts[i].b)]
    }
    edges.removeAll { $0.id == id }
    wakeAll()
  }

  /// Whether a boundary of this number exists.
  public func containsBoundary(_ id: BoundaryID) -> Bool {
    for edge in edges where edge.id == id { return true }
    return false
  }

  static func pieces(
    of boundary: Boundary, id: BoundaryID
  ) throws(PhysicsError) -> [EdgeRecord] {
    var pieces: [EdgeRecord] = []
    switch boundary {
    case .segment(let a, let b):
      pieces.append(try segment(a, b, id))
    case .chain(let points, let closed):
      guard points.count >= 2 else { throw .degenerateBoundary }
      for i in 1..<points.count { pieces.append(try segment(points[i - 1], points[i], id)) }
      if closed { pieces.append(try segment(points[points.count - 1], points[0], id)) }
    case .halfPlane(let normal, let offset):
      pieces.append(try halfPlane(normal, offset, id))
    case .inside(let r):
      guard r.width > 0, r.height > 0 else { throw .degenerateBoundary }
      pieces.append(try halfPlane(Vector2(1, 0), r.minX, id))
      pieces.append(try halfPlane(Vector2(-1, 0), -r.maxX, id))
      pieces.append(try halfPlane(Vector2(0, 1), r.minY, id))
      pieces.append(try halfPlane(Vector2(0, -1), -r.maxY, id))
    }
    return pieces
  }

  private static func segment(
    _ a: Vector2, _ b: Vector2, _ id: BoundaryID
  ) throws(PhysicsError) -> EdgeRecord {
    guard a.isFinite, b.isFinite else { throw .valueOutOfRange }
    guard (b - a).length > 0.01 else { throw .degenerateBoundary }
    return EdgeRecord(id: id, isHalfPlane: false, a: a, b: b)
  }

  private static func halfPlane(
    _ normal: Vector2, _ offset: Float, _ id: BoundaryID
  ) throws(PhysicsError) -> EdgeRecord {
    guard normal.isFinite, offset.isFinite else { throw .valueOutOfRange }
    let length = normal.length
    guard length > 1e-6 else { throw .degenerateBoundary }
    let unit = normal / length
    return EdgeRecord(id: id, isHalfPlane: true, a: unit * (offset / length), b: unit)
  }
}
