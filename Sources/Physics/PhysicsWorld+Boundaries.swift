extension PhysicsWorld {
  /// Adds a boundary under a number of the caller's choice, and wakes every body.
  ///
  /// Throws `duplicateBoundary` when the number is taken, `degenerateBoundary` for a segment
  /// without length, a normal without length or a chain of fewer than two points, `valueOutOfRange`
  /// for numbers that are not finite.
  public mutating func addBoundary(
    _ boundary: Boundary, id: BoundaryID
  ) throws(PhysicsError) {
    guard !containsBoundary(id) else { throw .duplicateBoundary(id) }
    let pieces = try EdgeRecord.pieces(of: boundary, id: id)
    owned().add(pieces)
  }

  /// Removes a boundary; its contacts end in the next step, and every body wakes.
  public mutating func removeBoundary(id: BoundaryID) throws(PhysicsError) {
    guard containsBoundary(id) else { throw .unknownBoundary(id) }
    owned().removeEdges(id)
  }

  /// Whether a boundary of this number exists.
  public func containsBoundary(_ id: BoundaryID) -> Bool {
    for e in 0..<storage.edgeCount where storage.edges[e].exists && storage.edges[e].id == id {
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
      while place < edgeCount && edges[place].exists { place += 1 }
      if place == edgeCount {
        edgeCount += 1
        edges.reserve(edgeCount)
      }
      edges[place] = piece
    }
    listsAreValid = false
    wakeAll()
  }

  func removeEdges(_ id: BoundaryID) {
    for k in 0..<edgePairs.count where edges[Int(edgePairs.edges[k])].id == id {
      let slot = Int(rowSlots[Int(edgePairs.rows[k])])
      if edgePairs.touches[k] & 1 != 0 && slot >= 0 {
        pendingEnded.append(ending(slot, edge: Int(edgePairs.edges[k])))
      }
    }
    edgePairs.remove { edges[Int($0)].id == id }
    for e in 0..<edgeCount where edges[e].id == id { edges[e] = EdgeRecord() }
    listsAreValid = false
    wakeAll()
  }
}

extension EdgePairList {
  mutating func remove(_ isGone: (Int32) -> Bool) {
    var kept = 0
    for k in 0..<count where !isGone(edges[k]) {
      rows[kept] = rows[k]
      edges[kept] = edges[k]
      sides[kept] = sides[k]
      impulses[kept] = impulses[k]
      touches[kept] = touches[k]
      kept += 1
    }
    count = kept
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
