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
    guard a.isPlace else { throw .outside(.position, a, within: PhysicsLimit.place) }
    guard b.isPlace else { throw .outside(.position, b, within: PhysicsLimit.place) }
    let length = (b - a).length
    guard PhysicsLimit.segment.contains(length) else { throw .degenerateBoundary }
    let t = (b - a) / length
    return EdgeRecord(
      id: id, exists: true, a: a, b: b, normal: Vector2(t.y, -t.x), length: length)
  }

  private static func chain(
    _ points: [Vector2], _ closed: Bool, _ id: BoundaryID
  ) throws(PhysicsError) -> [EdgeRecord] {
    guard points.count >= (closed ? 3 : 2) else { throw .degenerateBoundary }
    let count = closed ? points.count : points.count - 1
    guard count <= PhysicsLimit.boundaryPieces else {
      throw .tooManyBoundaryPieces(limit: PhysicsLimit.boundaryPieces)
    }
    var pieces: [EdgeRecord] = []
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
    guard normal.isPlace else { throw .outside(.normal, normal, within: PhysicsLimit.place) }
    let length = normal.length
    guard length >= PhysicsLimit.normal.lowerBound else { throw .degenerateBoundary }
    let unit = normal / length
    let foot = unit * (offset / length)
    guard foot.isPlace else { throw .outside(.position, foot, within: PhysicsLimit.place) }
    return EdgeRecord(id: id, exists: true, isHalfPlane: true, a: foot, normal: unit)
  }
}
