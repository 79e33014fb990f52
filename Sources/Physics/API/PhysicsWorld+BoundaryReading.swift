extension PhysicsWorld {
  /// Puts the numbers of all boundaries into `result`, in ascending order. Replaces what was there
  /// and keeps its memory.
  public func boundaries(into result: inout [BoundaryID]) {
    result.removeAll(keepingCapacity: true)
    for e in 0..<storage.edges.count where storage.edges[e].exists {
      let id = storage.edges[e].id
      if !result.contains(id) { result.append(id) }
    }
    result.sort { $0.value < $1.value }
  }

  /// What a boundary is made of; nil for a number that none has.
  ///
  /// It is the boundary that was added but for two things: a half-plane's normal has length 1, and
  /// a chain of two points is a segment. A rectangle comes back to the rounding of its width and
  /// height.
  public func boundary(_ id: BoundaryID) -> Boundary? {
    var pieces: [EdgeRecord] = []
    for e in 0..<storage.edges.count where storage.edges[e].exists && storage.edges[e].id == id {
      pieces.append(storage.edges[e])
    }
    guard let first = pieces.first, let last = pieces.last else { return nil }
    if first.isHalfPlane {
      // Only a rectangle has more than one: left, right, top, bottom.
      guard pieces.count == 4 else {
        return .halfPlane(normal: first.normal, offset: first.a.dot(first.normal))
      }
      let (minX, minY) = (first.a.x, pieces[2].a.y)
      return .inside(
        Rectangle(x: minX, y: minY, width: pieces[1].a.x - minX, height: last.a.y - minY))
    }
    guard pieces.count > 1 else { return .segment(first.a, first.b) }
    var points: [Vector2] = []
    for piece in pieces { points.append(piece.a) }
    if !first.isJoinedAtA { points.append(last.b) }
    return .chain(points, closed: first.isJoinedAtA)
  }

  /// A boundary's groups and material; nil for a number that none has.
  public func properties(ofBoundary id: BoundaryID) -> BoundaryProperties? {
    for e in 0..<storage.edges.count where storage.edges[e].exists && storage.edges[e].id == id {
      return storage.edges[e].properties
    }
    return nil
  }
}
