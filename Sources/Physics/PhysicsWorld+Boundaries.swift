extension PhysicsWorld {
  /// Adds a boundary under a number of the caller's choice, and wakes the bodies that it touches or
  /// comes near. It meets the bodies whose collision mask has a bit of `collisionGroup`; all of its
  /// pieces together are one thing in contact events.
  ///
  /// Throws `duplicateBoundary` when the number is taken, `degenerateBoundary` for a segment
  /// without length, a normal without length or a chain of fewer than two points, `valueOutOfRange`
  /// for numbers that are not finite.
  public mutating func addBoundary(
    _ boundary: Boundary, id: BoundaryID, collisionGroup: UInt32 = .max
  ) throws(PhysicsError) {
    guard !containsBoundary(id) else { throw .duplicateBoundary(id) }
    var pieces = try EdgeRecord.pieces(of: boundary, id: id)
    for k in 0..<pieces.count {
      pieces[k].collisionGroup = collisionGroup
      pieces[k].hasSiblings = pieces.count > 1
    }
    owned().add(pieces)
  }

  /// Removes a boundary; its contacts end in the next step, and what was near it wakes.
  public mutating func removeBoundary(id: BoundaryID) throws(PhysicsError) {
    guard containsBoundary(id) else { throw .unknownBoundary(id) }
    owned().removeEdges(id)
  }

  /// Whether a boundary of this number exists.
  public func containsBoundary(_ id: BoundaryID) -> Bool {
    for e in 0..<storage.edges.count where storage.edges[e].exists && storage.edges[e].id == id {
      return true
    }
    return false
  }
}
