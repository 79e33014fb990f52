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

extension WorldStorage {
  /// Puts each piece into the lowest free place.
  func add(_ pieces: [EdgeRecord]) {
    assert(!pieces.isEmpty && pieces.allSatisfy { $0.exists && $0.isSound })
    assert(pieces.allSatisfy { $0.id == pieces[0].id }, "pieces of one boundary")
    var place = 0
    for piece in pieces {
      while place < edges.count && edges[place].exists { place += 1 }
      if place == edges.count { edges.append(piece) } else { edges[place] = piece }
      state.edgesWithMaterial += piece.hasMaterial ? 1 : 0
    }
    assert(edges.count <= PhysicsLimit.boundaryPieces)
    forgetLists()
    for piece in pieces { wakeBodies(near: piece) }
  }

  func removeEdges(_ id: BoundaryID) {
    for k in 0..<edgePairs.count where edges[Int(edgePairs[k].edge)].id == id {
      let slot = Int(bodies.slots[Int(edgePairs[k].row)])
      guard edgePairs[k].touch & 1 != 0 && slot >= 0 else { continue }
      edgePairs[k].touch = 0
      if !siblingTouches(k, 1) {
        pendingEnded.append(ending(slot, edge: Int(edgePairs[k].edge)))
      }
    }
    edgePairs.remove { edges[Int($0)].id == id }
    assert(edgePairsAreSound)
    for e in 0..<edges.count where edges[e].exists && edges[e].id == id {
      wakeBodies(near: edges[e])
      state.edgesWithMaterial -= edges[e].hasMaterial ? 1 : 0
      assert(state.edgesWithMaterial >= 0, "what goes had come")
      edges[e] = EdgeRecord()
    }
    forgetLists()
  }

  /// Wakes the sleepers that a piece touches or comes as near as contacts are looked for, with
  /// their groups. The rest sleep on: nothing about them has changed.
  private func wakeBodies(near edge: EdgeRecord) {
    guard state.sleeperCount > 0 else { return }
    for slot in 0..<slots.count where slots[slot].exists && slots[slot].isAsleep {
      let row = Int(slots[slot].row)
      guard edge.isNear(position(ofRow: row), reach: bodies.forms[row].w + Lookup.speculation),
        properties(ofSlot: slot).collisionMask & edge.collisionGroup != 0
      else { continue }
      wake(slot: slot)
    }
  }

}
