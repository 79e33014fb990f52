/// Contacts of a convex body with a segment that is solid from both sides.
enum EdgeManifold {
  /// The normal points from the segment to the body. `side` is ±1 along the segment's normal: the
  /// side that the body came from and is pushed back to.
  static func between(
    _ edge: EdgeRecord, side: Float, core: ConvexCore, radius: Float, center: Vector2,
    reach: Float
  ) -> Manifold {
    assert(edge.exists && (side == 1 || side == -1) && radius >= 0)
    let normal = edge.normal * side
    let ends = (
      a: overhang(edge, atA: true, normal, center), b: overhang(edge, atA: false, normal, center)
    )
    assert(ends.a >= 0 && ends.b >= 0)
    if core.count == 1 { return circle(edge, normal, ends, core[0], radius, reach) }
    return polygon(edge, normal, side, ends, core, radius, reach)
  }

  private static func circle(
    _ edge: EdgeRecord, _ normal: Vector2, _ ends: (a: Float, b: Float), _ p: Vector2,
    _ radius: Float, _ reach: Float
  ) -> Manifold {
    let along = (p - edge.a).dot(edge.tangent)
    if along >= -ends.a && along <= edge.length + ends.b {
      let gap = (p - edge.a).dot(normal) - radius
      guard gap <= reach else { return Manifold() }
      return single(normal, p - normal * (radius + gap * 0.5), gap)
    }
    let atA = along < 0
    guard ownsCorner(edge, atA: atA, p) else { return Manifold() }
    let corner = atA ? edge.a : edge.b
    let off = p - corner
    let distance = off.length
    let gap = distance - radius
    guard gap <= reach, distance > 1e-4 else { return Manifold() }
    let n = off / distance
    return single(n, corner + n * (gap * 0.5), gap)
  }

  /// How far a face extends past its end. At an inner corner both walls are extended, so that a
  /// body pressed into it is not pushed out through the tip. Bodies centred outside the corner
  /// ignore this.
  ///
  ///                |   normal
  ///     other wall |     ^
  ///                |  o  |        o  the body's centre, inside the corner
  ///                |     |
  ///     ...........+-------------
  ///      overhang  end       this face
  private static func overhang(
    _ edge: EdgeRecord, atA: Bool, _ normal: Vector2, _ center: Vector2
  ) -> Float {
    guard atA ? edge.isJoinedAtA : edge.isJoinedAtB else { return 0 }
    let (end, far) = atA ? (edge.a, edge.b) : (edge.b, edge.a)
    let other = (atA ? edge.beforeA : edge.afterB) - end
    guard other.dot(normal) > 0 else { return 0 }
    let slack = outside * other.length
    let inside = other.cross(far - end) < 0 ? -other.cross(center - end) : other.cross(center - end)
    guard inside > -slack, other.dot(center - end) <= other.lengthSquared + slack else { return 0 }
    // Beyond the tip of a sharp corner both walls' lines are near, too.
    let inward = (other.normalized + (far - end).normalized).normalized
    return (center - end).dot(inward) > -outside ? innerOverhang : 0
  }

  /// How far behind the other wall, past its far end, or before the tip, in points, a centre still
  /// counts as in the corner.
  private static let outside: Float = 1

  /// Farther than anything is ever pressed into a wall.
  private static let innerOverhang: Float = 64

  /// Whether a body past an end touches that end: always at a free one. Where two segments join,
  /// the one that starts there has the contact, and only where the other's face has none.
  private static func ownsCorner(_ edge: EdgeRecord, atA: Bool, _ p: Vector2) -> Bool {
    guard atA ? edge.isJoinedAtA : edge.isJoinedAtB else { return true }
    guard atA else { return false }
    let other = edge.beforeA - edge.a
    return (p - edge.a).dot(other) <= 0
  }

  private static func single(_ n: Vector2, _ p: Vector2, _ gap: Float) -> Manifold {
    Manifold(normal: n, count: 1, first: Manifold.Point(position: p, separation: gap))
  }

  private static func polygon(
    _ edge: EdgeRecord, _ normal: Vector2, _ side: Float, _ ends: (a: Float, b: Float),
    _ core: ConvexCore, _ radius: Float, _ reach: Float
  ) -> Manifold {
    let nearest = (core.x * normal.x + core.y * normal.y).min() - edge.a.dot(normal)
    guard nearest - radius <= reach else { return Manifold() }
    // A free end may meet a flat side of the body, head on.
    if !(edge.isJoinedAtA && edge.isJoinedAtB) {
      let segment = ConvexCore(segment: edge.a, edge.b)
      if let meeting = endOn(segment, edge, core, radius, nearest, reach) { return meeting }
    }
    return clip(edge, normal, side, ends, core, radius, reach)
  }

  /// The contact with one of the body's own sides, if that side parts the two more widely.
  private static func endOn(
    _ segment: ConvexCore, _ edge: EdgeRecord, _ core: ConvexCore, _ radius: Float,
    _ nearest: Float, _ reach: Float
  ) -> Manifold? {
    var best = -Float.infinity
    var atA = false
    for i in 0..<core.count {
      let (p, q) = core.edge(i)
      let d = (q - p).normalized
      let n = Vector2(d.y, -d.x)
      let (a, b) = ((edge.a - p).dot(n), (edge.b - p).dot(n))
      let s = a < b ? a : b
      if s > best {
        best = s
        atA = a < b
      }
    }
    guard best > nearest + 0.05, !(atA ? edge.isJoinedAtA : edge.isJoinedAtB) else { return nil }
    return Manifold.between(segment, radius: 0, core, radius: radius, reach: reach)
  }

  /// Clips the body's side that faces the segment against the segment's ends.
  private static func clip(
    _ edge: EdgeRecord, _ normal: Vector2, _ side: Float, _ ends: (a: Float, b: Float),
    _ core: ConvexCore, _ radius: Float, _ reach: Float
  ) -> Manifold {
    // Run so that the normal is the left hand of the way, as on a body's outline.
    let (from, tangent) = side > 0 ? (edge.a, edge.tangent) : (edge.b, -edge.tangent)
    let (p, q) = core.edge(against: normal)
    let (low, high) = ((q - from).dot(tangent), (p - from).dot(tangent))
    let (lowGap, highGap) = ((q - from).dot(normal), (p - from).dot(normal))
    let atStart = side > 0 ? -ends.a : -ends.b
    let atEnd = edge.length + (side > 0 ? ends.b : ends.a)
    let start = low > atStart ? low : atStart
    let end = high < atEnd ? high : atEnd
    guard start < end else {
      if high > atStart && low < atEnd {
        // The facing side is perpendicular to the segment, so it projects to a single point: use
        // its nearer end.
        let p = lowGap < highGap ? q : p
        let gap = (lowGap < highGap ? lowGap : highGap) - radius
        guard gap <= reach else { return Manifold() }
        return single(normal, p - normal * (radius + gap * 0.5), gap)
      }
      let far = low >= edge.length
      return corner(edge, from, tangent, far ? q : p, far, side, radius, reach)
    }
    let slope = high - low > 1e-6 ? (highGap - lowGap) / (high - low) : 0
    var manifold = Manifold(normal: normal)
    for i in 0..<2 {
      let at = i == 0 ? start : end
      let gap = lowGap + (at - low) * slope - radius
      guard gap <= reach else { continue }
      let point = Manifold.Point(
        position: from + tangent * at + normal * (gap * 0.5), separation: gap)
      if manifold.count == 0 { manifold.first = point } else { manifold.second = point }
      manifold.count += 1
    }
    return manifold
  }

  /// Past an end: the body's nearest corner as a disc.
  private static func corner(
    _ edge: EdgeRecord, _ from: Vector2, _ tangent: Vector2, _ p: Vector2, _ isFar: Bool,
    _ side: Float, _ radius: Float, _ reach: Float
  ) -> Manifold {
    guard radius > 0 else { return Manifold() }
    let atA = isFar != (side > 0)
    guard ownsCorner(edge, atA: atA, p) else { return Manifold() }
    let end = atA ? edge.a : edge.b
    let off = p - end
    let distance = off.length
    let gap = distance - radius
    guard gap <= reach, distance > 1e-4 else { return Manifold() }
    let n = off / distance
    return single(n, end + n * (gap * 0.5), gap)
  }
}
