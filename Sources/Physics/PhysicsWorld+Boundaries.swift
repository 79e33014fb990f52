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

extension WorldStorage {
  /// Puts each piece into the lowest free place.
  func add(_ pieces: [EdgeRecord]) {
    var place = 0
    for piece in pieces {
      while place < edges.count && edges[place].exists { place += 1 }
      if place == edges.count { edges.append(piece) } else { edges[place] = piece }
    }
    now.listsAreValid = false
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
    for e in 0..<edges.count where edges[e].exists && edges[e].id == id {
      wakeBodies(near: edges[e])
      edges[e] = EdgeRecord()
    }
    now.listsAreValid = false
  }

  /// Wakes the sleepers that a piece touches or comes as near as contacts are looked for, with
  /// their groups. The rest sleep on: nothing about them has changed.
  private func wakeBodies(near edge: EdgeRecord) {
    guard now.sleeperCount > 0 else { return }
    for slot in 0..<slots.count where slots[slot].exists && slots[slot].isAsleep {
      let row = Int(slots[slot].row)
      guard edge.isNear(position(ofRow: row), reach: bodies.forms[row].w + Lookup.speculation),
        properties(ofSlot: slot).collisionMask & edge.collisionGroup != 0
      else { continue }
      wake(slot: slot)
    }
  }

}

extension EdgeRecord {
  static func pieces(
    of boundary: Boundary, id: BoundaryID
  ) throws(PhysicsError) -> [EdgeRecord] {
    switch boundary {
    case .segment(let a, let b): return [try segment(a, b, id)]
    case .chain(let points, let closed): return try chain(points, closed, id)
    case .halfPlane(let normal, let offset): return [try halfPlane(normal, offset, id)]
    case .inside(let r):
      guard r.width > 0, r.height > 0 else { throw .degenerateBoundary }
      return [
        try halfPlane(Vector2(1, 0), r.minX, id), try halfPlane(Vector2(-1, 0), -r.maxX, id),
        try halfPlane(Vector2(0, 1), r.minY, id), try halfPlane(Vector2(0, -1), -r.maxY, id),
      ]
    }
  }

  private static func segment(
    _ a: Vector2, _ b: Vector2, _ id: BoundaryID
  ) throws(PhysicsError) -> EdgeRecord {
    guard a.isFinite, b.isFinite else { throw .valueOutOfRange }
    let length = (b - a).length
    guard length > 0.01, length < 1e6 else { throw .degenerateBoundary }
    let t = (b - a) / length
    return EdgeRecord(
      id: id, exists: true, a: a, b: b, normal: Vector2(t.y, -t.x), length: length)
  }

  private static func chain(
    _ points: [Vector2], _ closed: Bool, _ id: BoundaryID
  ) throws(PhysicsError) -> [EdgeRecord] {
    guard points.count >= (closed ? 3 : 2) else { throw .degenerateBoundary }
    var pieces: [EdgeRecord] = []
    let count = closed ? points.count : points.count - 1
    for i in 0..<count {
      pieces.append(try segment(points[i], points[i + 1 == points.count ? 0 : i + 1], id))
    }
    for i in 0..<count where closed || count > 1 {
      if closed || i > 0 {
        pieces[i].isJoinedAtA = true
        pieces[i].beforeA = pieces[i == 0 ? count - 1 : i - 1].a
      }
      if closed || i + 1 < count {
        pieces[i].isJoinedAtB = true
        pieces[i].afterB = pieces[i + 1 == count ? 0 : i + 1].b
      }
    }
    return pieces
  }

  private static func halfPlane(
    _ normal: Vector2, _ offset: Float, _ id: BoundaryID
  ) throws(PhysicsError) -> EdgeRecord {
    guard normal.isFinite, offset.isFinite else { throw .valueOutOfRange }
    let length = normal.length
    guard length > 1e-6 else { throw .degenerateBoundary }
    let unit = normal / length
    return EdgeRecord(
      id: id, exists: true, isHalfPlane: true, a: unit * (offset / length), normal: unit)
  }
}
