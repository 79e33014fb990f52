@testable import Physics

/// An outline as plain geometry in `Double`: tests measure gaps with it, apart from the solver's
/// own manifolds.
struct Silhouette {
  typealias Point = SIMD2<Double>

  /// Corners of the core in order: one for a disc, two for a capsule or a segment.
  let corners: [Point]
  /// By how much the core is grown, in points.
  let radius: Double

  init(_ shape: BodyShape, _ state: BodyState) {
    let core = shape.core
    let (c, s) = (Double(state.rotation.cosine), Double(state.rotation.sine))
    let (px, py) = (Double(state.position.x), Double(state.position.y))
    corners = (0..<core.count).map { i in
      let (x, y) = (Double(core.x[i]), Double(core.y[i]))
      return Point(px + c * x - s * y, py + s * x + c * y)
    }
    radius = Double(shape.radius)
  }

  init(_ a: Vector2, _ b: Vector2) {
    corners = [Point(a), Point(b)]
    radius = 0
  }

  /// Distance of two outlines in points; how deep they stand in each other when negative.
  func gap(to other: Silhouette) -> Double {
    var apart = -Double.infinity
    for n in normals + other.normals {
      let (low, high) = extent(along: n)
      let (otherLow, otherHigh) = other.extent(along: n)
      apart = max(apart, otherLow - high, low - otherHigh)
    }
    if apart >= 0 || apart == -.infinity { apart = min(reach(to: other), other.reach(to: self)) }
    return apart - radius - other.radius
  }

  /// Distance to a boundary, likewise; to its nearest piece when it has several.
  func gap(to boundary: Boundary) -> Double {
    switch boundary {
    case .segment(let a, let b): return gap(to: Silhouette(a, b))
    case .chain(let points, let closed):
      let ends = closed ? points.dropFirst() + points.prefix(1) : points.dropFirst()
      return zip(points, ends).map { gap(to: Silhouette($0, $1)) }.min() ?? .infinity
    case .halfPlane(let normal, let offset):
      let length = Double(normal.length)
      return extent(along: Point(normal) / length).low - radius - Double(offset) / length
    case .inside(let r):
      let (low, high) = (extent(along: Point(1, 0)), extent(along: Point(0, 1)))
      let sides = min(low.low - Double(r.minX), Double(r.maxX) - low.high)
      return min(sides, high.low - Double(r.minY), Double(r.maxY) - high.high) - radius
    }
  }

  /// Across the core's edges, of length 1; none for a point.
  private var normals: [Point] {
    corners.indices.compactMap { i in
      let way = corners[(i + 1) % corners.count] - corners[i]
      let length = way.length
      return length > 0 ? Point(way.y, -way.x) / length : nil
    }
  }

  private func extent(along n: Point) -> (low: Double, high: Double) {
    var (low, high) = (Double.infinity, -Double.infinity)
    for corner in corners {
      low = min(low, corner.dot(n))
      high = max(high, corner.dot(n))
    }
    return (low, high)
  }

  /// Shortest way from a corner to an edge of the other core.
  private func reach(to other: Silhouette) -> Double {
    var shortest = Double.infinity
    for (i, a) in other.corners.enumerated() {
      let way = other.corners[(i + 1) % other.corners.count] - a
      let squared = way.dot(way)
      for corner in corners {
        let share = squared > 0 ? min(max((corner - a).dot(way) / squared, 0), 1) : 0
        shortest = min(shortest, (corner - a - way * share).length)
      }
    }
    return shortest
  }
}

extension SIMD2<Double> {
  init(_ v: Vector2) { self.init(Double(v.x), Double(v.y)) }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y }

  var length: Double { dot(self).squareRoot() }
}
