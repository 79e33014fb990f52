/// A straight piece of a boundary: a segment, or the rim of a half-plane.
struct EdgeRecord: Equatable, Sendable, BitwiseCopyable {
  var id = BoundaryID(0)
  var exists = false
  var isHalfPlane = false
  /// Whether another segment of the same chain goes on from `a`, from `b`.
  var isJoinedAtA = false
  var isJoinedAtB = false
  /// Whether the boundary has other pieces.
  var hasSiblings = false
  /// Whether a segment is solid only on the side that its normal points to.
  var isOneWay = false
  /// The groups of the boundary, a bit each: bodies whose mask has none of them pass.
  var collisionGroup = UInt32.max
  /// The boundary's own material; negative where it takes that of what touches it.
  var friction: Float = -1
  var restitution: Float = -1
  /// One end; of a half-plane, the point of its rim nearest to the origin.
  var a = Vector2.zero
  var b = Vector2.zero
  /// Of length 1; of a half-plane, into the free side.
  var normal = Vector2.zero
  /// The ends beyond `a` and `b` of the neighbouring segments.
  var beforeA = Vector2.zero
  var afterB = Vector2.zero
  var length: Float = 0

  /// Along the segment from `a` to `b`: the normal's right hand.
  var tangent: Vector2 { normal.perpendicular }

  var hasMaterial: Bool { friction >= 0 || restitution >= 0 }

  /// Whether what is not there is marked as it always is, so that saving gives the same bytes.
  var isMaterialInOrder: Bool {
    (friction >= 0 || friction == -1) && (restitution >= 0 || restitution == -1)
  }

  /// Whether numbers from outside make an edge.
  var isSound: Bool {
    guard properties.isValid else { return false }
    let places = magnitude(a.x) + magnitude(a.y) + magnitude(b.x) + magnitude(b.y)
    let beyond =
      magnitude(beforeA.x) + magnitude(beforeA.y) + magnitude(afterB.x) + magnitude(afterB.y)
    return places + beyond <= SnapshotLimit.place && magnitude(normal.lengthSquared - 1) <= 1e-3
      && length >= 0 && length <= SnapshotLimit.place
  }

  /// On which side of its line a point lies: ±1 along the normal.
  func side(of p: Vector2) -> Float { (p - a).dot(normal) >= 0 ? 1 : -1 }

  /// Whether a centre is past an end, where it may change sides: by more than a point, as what is
  /// pressed into the tip of a corner never is.
  func isPassed(by center: Vector2) -> Bool {
    let along = (center - a).dot(tangent)
    return along < -1 || along > length + 1
  }

  /// Whether a point lies closer than `reach`; behind a half-plane it is close however deep.
  func isNear(_ p: Vector2, reach: Float) -> Bool {
    let off = p - a
    let across = off.dot(normal)
    if isHalfPlane { return across < reach }
    let along = off.dot(tangent)
    let past = along < 0 ? -along : along > length ? along - length : 0
    return past * past + across * across < reach * reach
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
