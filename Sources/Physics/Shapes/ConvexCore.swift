/// Up to eight corners of a convex outline in lanes, clockwise on screen (x right, y down: the
/// cross product of consecutive edges is positive). Unused lanes repeat the first corner, so that
/// minima over all lanes are right.
struct ConvexCore: Equatable, Sendable, BitwiseCopyable {
  var x: SIMD8<Float>
  var y: SIMD8<Float>
  var count: Int

  subscript(_ i: Int) -> Vector2 { Vector2(x[i], y[i]) }

  init(point p: Vector2) {
    x = SIMD8(repeating: p.x)
    y = SIMD8(repeating: p.y)
    count = 1
  }

  init(segment a: Vector2, _ b: Vector2) {
    self.init(point: a)
    x[1] = b.x
    y[1] = b.y
    count = 2
  }

  init(box half: Vector2) {
    let (w, h) = (half.x, half.y)
    x = SIMD8(-w, w, w, -w, -w, -w, -w, -w)
    y = SIMD8(-h, -h, h, h, -h, -h, -h, -h)
    count = 4
  }

  /// The outline in clockwise order about its centre of area; nil when it is not strictly convex.
  init?(outline corners: [Vector2]) {
    let whole = PolygonMeasures(corners)
    guard whole.area > 0.0005 else { return nil }
    let (count, center, double) = (corners.count, whole.center, whole.signedDouble)
    self.init(point: .zero)
    self.count = count
    for i in 0..<8 {
      let from = i < count ? (double > 0 ? i : count - 1 - i) : (double > 0 ? 0 : count - 1)
      x[i] = corners[from].x - center.x
      y[i] = corners[from].y - center.y
    }
    guard isConvex else { return nil }
  }

  /// Whether the outline turns clockwise at every corner and goes round once.
  var isConvex: Bool {
    var turn: Float = 0
    for i in 0..<count {
      let a = self[i]
      let b = self[i + 1 == count ? 0 : i + 1]
      let c = self[i + 2 >= count ? i + 2 - count : i + 2]
      let cross = (b - a).cross(c - b)
      guard cross > 0.0001 * ((b - a).length * (c - b).length) else { return false }
      turn += DeterministicMath.arcTangent(y: cross, x: (b - a).dot(c - b))
    }
    // A star's edges all turn the same way too, but go round twice.
    return turn < 3 * DeterministicMath.pi
  }

  /// Whether the origin lies within the outline or on it.
  var holdsOrigin: Bool {
    for i in 0..<count where edge(i).0.cross(edge(i).1) < 0 { return false }
    return true
  }

  /// The middle of the corners.
  var middle: Vector2 {
    var sum = Vector2.zero
    for i in 0..<count { sum += self[i] }
    return sum / Float(count)
  }

  /// The corners turned and moved into another frame.
  @inline(__always)
  func placed(_ r: Rotation, at p: Vector2) -> ConvexCore {
    var other = self
    other.x = x * r.cosine - y * r.sine + p.x
    other.y = x * r.sine + y * r.cosine + p.y
    return other
  }

  /// The ends of the edge that starts at corner `i`.
  @inline(__always)
  func edge(_ i: Int) -> (Vector2, Vector2) { (self[i], self[i + 1 == count ? 0 : i + 1]) }

  /// The edge whose outward normal looks most against a direction.
  func edge(against n: Vector2) -> (Vector2, Vector2) {
    assert(count > 1, "a point has no sides")
    var facing = Float.infinity
    var index = 0
    for i in 0..<count {
      let (p, q) = edge(i)
      let d = (q - p).normalized
      let along = d.y * n.x - d.x * n.y
      if along < facing {
        facing = along
        index = i
      }
    }
    return edge(index)
  }
}
