/// Where two convex shapes touch, or nearly do: a normal and up to two points.
struct Manifold {
  /// From the first shape to the second, of length 1.
  var normal: Vector2 = .zero
  /// How many of the points count, 0…2.
  var count = 0
  /// Midway between the two surfaces.
  var first = Point()
  var second = Point()

  struct Point {
    var position: Vector2 = .zero
    /// Gap along the normal; negative is overlap.
    var separation: Float = 0
  }

  /// Two placed cores grown by radii. Points farther apart than `reach` are left out.
  static func between(
    _ a: ConvexCore, radius ra: Float, _ b: ConvexCore, radius rb: Float, reach: Float
  ) -> Manifold {
    assert(ra >= 0 && rb >= 0 && a.count > 0 && b.count > 0)
    if a.count == 1 {
      if b.count == 1 { return points(a[0], ra, b[0], rb, reach) }
      return point(a[0], ra, against: b, rb, reach).flipped
    }
    if b.count == 1 { return point(b[0], rb, against: a, ra, reach) }
    return cores(a, ra, b, rb, reach)
  }

  var flipped: Manifold {
    var other = self
    other.normal = -normal
    return other
  }

  private static func points(
    _ a: Vector2, _ ra: Float, _ b: Vector2, _ rb: Float, _ reach: Float
  ) -> Manifold {
    let d = b - a
    let distance = d.length
    let normal = distance > 1e-4 ? d / distance : Vector2(0, 1)
    let separation = distance - ra - rb
    guard separation <= reach else { return Manifold() }
    return Manifold(
      normal: normal, count: 1,
      first: Point(position: a + normal * (ra + separation * 0.5), separation: separation))
  }

  /// The core is the first shape, the point the second.
  private static func point(
    _ p: Vector2, _ rp: Float, against core: ConvexCore, _ rc: Float, _ reach: Float
  ) -> Manifold {
    var best = -Float.infinity
    var index = 0
    for i in 0..<core.count {
      let (a, b) = core.edge(i)
      let d = b - a
      let s = Vector2(d.y, -d.x).normalized.dot(p - a)
      if s > best {
        best = s
        index = i
      }
    }
    guard best - rp - rc <= reach else { return Manifold() }
    let (a, b) = core.edge(index)
    let d = b - a
    var normal = Vector2(d.y, -d.x).normalized
    var distance = best
    let along = (p - a).dot(d)
    if best > 1e-4, along < 0 || along > d.lengthSquared {
      let corner = along < 0 ? a : b
      let off = p - corner
      distance = off.length
      normal = off / distance
    }
    let separation = distance - rp - rc
    guard separation <= reach else { return Manifold() }
    return Manifold(
      normal: normal, count: 1,
      first: Point(position: p - normal * (rp + separation * 0.5), separation: separation))
  }

  /// The edge of `a` along whose normal `b` lies farthest away, and how far.
  private static func widest(_ a: ConvexCore, _ b: ConvexCore) -> (separation: Float, edge: Int) {
    var best = -Float.infinity
    var index = 0
    for i in 0..<a.count {
      let (p, q) = a.edge(i)
      let d = q - p
      let n = Vector2(d.y, -d.x).normalized
      let reach = (b.x * n.x + b.y * n.y).min()
      let s = reach - n.dot(p)
      if s > best {
        best = s
        index = i
      }
    }
    return (best, index)
  }

  private static func cores(
    _ a: ConvexCore, _ ra: Float, _ b: ConvexCore, _ rb: Float, _ reach: Float
  ) -> Manifold {
    assert(a.count > 1 && b.count > 1, "a point has no sides")
    let onA = widest(a, b)
    let onB = widest(b, a)
    guard (onA.separation > onB.separation ? onA : onB).separation - ra - rb <= reach else {
      return Manifold()
    }
    // The first shape's face wins near ties, so that the choice does not flicker.
    if onB.separation > onA.separation + 0.05 {
      return face(b, rb, onB.edge, a, ra, reach).flipped
    }
    return face(a, ra, onA.edge, b, rb, reach)
  }

  /// Clips the edge of `incident` that faces the reference edge against that edge's ends.
  private static func face(
    _ reference: ConvexCore, _ rr: Float, _ edge: Int, _ incident: ConvexCore, _ ri: Float,
    _ reach: Float
  ) -> Manifold {
    let (p, q) = reference.edge(edge)
    let length = (q - p).length
    let t = (q - p) / length
    let n = Vector2(t.y, -t.x)
    let (a, b) = incident.edge(against: n)
    // Runs against the reference edge: `b` has the smaller coordinate along t.
    let (low, high) = ((b - p).dot(t), (a - p).dot(t))
    let (lowHeight, highHeight) = ((b - p).dot(n), (a - p).dot(n))
    let span = high - low
    let slope = span > 1e-6 ? (highHeight - lowHeight) / span : 0
    let run = slope > 0 ? -low : high - length
    if isPast(run, rise: slope > 0 ? lowHeight : highHeight, slope > 0 ? slope : -slope) {
      return corners(slope > 0 ? p : q, rr, slope > 0 ? b : a, ri, n, reach)
    }
    if low >= length || high <= 0 {
      return corners(low >= length ? q : p, rr, low >= length ? b : a, ri, n, reach)
    }
    let from = low > 0 ? low : 0
    let to = high < length ? high : length
    var result = Manifold(normal: n)
    guard span > 1e-6 else {
      // A capsule that stands on the face: its nearer end.
      result.add(p + t * from, n, lowHeight < highHeight ? lowHeight : highHeight, rr, ri, reach)
      return result
    }
    let fromHeight = lowHeight + (from - low) * slope
    let toHeight = lowHeight + (to - low) * slope
    result.add(p + t * from, n, fromHeight, rr, ri, reach)
    result.add(p + t * to, n, toHeight, rr, ri, reach)
    return result
  }

  /// Whether the incident edge's lower corner, `run` past the reference edge's end, is what is
  /// nearest to it, as with boxes (`BoxPoints.isPast`).
  private static func isPast(_ run: Float, rise: Float, _ slope: Float) -> Bool {
    guard run > 0 && rise > 0 && run <= rise * slope else { return false }
    return rise + run * slope - (rise * rise + run * run).squareRoot() > 0.25
  }

  private mutating func add(
    _ base: Vector2, _ n: Vector2, _ height: Float, _ rr: Float, _ ri: Float, _ reach: Float
  ) {
    assert(count < 2, "two points are enough")
    let separation = height - rr - ri
    guard separation <= reach else { return }
    let point = Point(position: base + n * (rr + separation * 0.5), separation: separation)
    if count == 0 { first = point } else { second = point }
    count += 1
  }

  /// Two corners past each other's ends: the normal joins them.
  private static func corners(
    _ a: Vector2, _ ra: Float, _ b: Vector2, _ rb: Float, _ n: Vector2, _ reach: Float
  ) -> Manifold {
    let d = b - a
    guard d.dot(n) > 0 else { return Manifold() }
    return points(a, ra, b, rb, reach)
  }
}
