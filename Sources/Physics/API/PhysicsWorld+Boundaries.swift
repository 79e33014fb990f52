extension PhysicsWorld {
  /// Adds a boundary under a number of the caller's choice, and wakes the bodies that it touches or
  /// comes near. It meets the bodies whose collision mask has a bit of `collisionGroup`; all of its
  /// pieces together are one thing in contact events.
  ///
  /// Throws `duplicateBoundary` when the number is taken, `degenerateBoundary` for a segment
  /// shorter than 0.01 pt, a normal shorter than 0.001, a rectangle without an area or a chain of
  /// fewer than two points (three when closed), `valueOutOfRange` for points beyond
  /// `PhysicsLimit.place`, and `tooManyBoundaryPieces` when all boundaries together would have more
  /// than `PhysicsLimit.boundaryPieces`.
  public mutating func addBoundary(
    _ boundary: Boundary, id: BoundaryID, collisionGroup: UInt32 = .max
  ) throws(PhysicsError) {
    var properties = BoundaryProperties()
    properties.collisionGroup = collisionGroup
    try addBoundary(boundary, id: id, properties: properties)
  }

  /// Adds a boundary like `addBoundary(_:id:collisionGroup:)`, with a material of its own or solid
  /// from one side. Throws besides `valueOutOfRange` for properties outside their documented
  /// ranges.
  public mutating func addBoundary(
    _ boundary: Boundary, id: BoundaryID, properties: BoundaryProperties
  ) throws(PhysicsError) {
    if let refusal = properties.refusal { throw .valueOutOfRange(refusal) }
    guard !containsBoundary(id) else { throw .duplicateBoundary(id) }
    var pieces = try EdgeRecord.pieces(of: boundary, id: id)
    guard boundaryPieceCount + pieces.count <= PhysicsLimit.boundaryPieces else {
      throw .tooManyBoundaryPieces(limit: PhysicsLimit.boundaryPieces)
    }
    for k in 0..<pieces.count {
      pieces[k].properties = properties
      pieces[k].hasSiblings = pieces.count > 1
    }
    owned().add(pieces)
  }

  /// Pieces of all boundaries together: of a chain its segments, of a rectangle its four sides.
  public var boundaryPieceCount: Int {
    var count = 0
    for e in 0..<storage.edges.count where storage.edges[e].exists { count += 1 }
    return count
  }

  /// Removes a boundary; its contacts end in the next step, and what was near it wakes. Throws
  /// `unknownBoundary`.
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

  /// Counts the pieces of each boundary by its number, which must be from 0 to below the counts'
  /// own; returns whether all are.
  package func countPieces(ofBoundaries counts: inout [Int32]) -> Bool {
    for count in counts.indices { counts[count] = 0 }
    for e in 0..<storage.edges.count where storage.edges[e].exists {
      let number = storage.edges[e].id.value
      guard number >= 0, Int(number) < counts.count else { return false }
      counts[Int(number)] += 1
    }
    return true
  }
}
