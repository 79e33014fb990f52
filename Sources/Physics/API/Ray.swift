/// A ray on its way: what it has met first so far.
struct Ray {
  let start: Vector2
  let way: Vector2
  /// Beyond the end as long as nothing is met.
  var fraction: Float = 2
  var normal = Vector2.zero
  var target: ContactPartner?

  init(start: Vector2, way: Vector2) {
    self.start = start
    self.way = way
  }

  func comesWithin(_ radius: Float, of center: Vector2) -> Bool {
    let squared = way.lengthSquared
    let along = squared > 0 ? (center - start).dot(way) / squared : 0
    let share = along < 0 ? 0 : along > 1 ? 1 : along
    return (start + way * share - center).lengthSquared <= radius * radius
  }

  /// Meets the outline of a core grown by a radius: its sides moved outwards and discs at corners.
  mutating func meet(_ core: ConvexCore, radius: Float) -> Bool {
    let inside = Manifold.between(
      core, radius: radius, ConvexCore(point: start), radius: 0, reach: 0)
    guard inside.count == 0 else { return false }
    var found = false
    if core.count > 1 {
      for i in 0..<core.count {
        let (a, b) = core.edge(i)
        let d = (b - a).normalized
        let n = Vector2(d.y, -d.x)
        found = meetLine(a + n * radius, b + n * radius, n) || found
      }
    }
    guard radius > 0 else { return found }
    for i in 0..<core.count { found = meetDisc(core[i], radius) || found }
    return found
  }

  /// Meets a piece of a boundary.
  mutating func meet(_ edge: EdgeRecord) {
    let isBehind = (start - edge.a).dot(edge.normal) < 0
    let n = isBehind && !edge.isHalfPlane && !edge.isOneWay ? -edge.normal : edge.normal
    guard let share = crossing(edge.a, n) else { return }
    if !edge.isHalfPlane && !holds(share, edge.a, edge.b) { return }
    guard share < fraction || (share == fraction && comesBefore(edge.id)) else { return }
    _ = take(share, n)
    target = .boundary(edge.id)
  }

  /// Of boundaries at the same distance, whether this one comes before what was met.
  private func comesBefore(_ id: BoundaryID) -> Bool {
    guard case .boundary(let other) = target else { return false }
    return id.value < other.value
  }

  /// Where the ray comes down onto the line through `a`, as a share of it.
  private func crossing(_ a: Vector2, _ n: Vector2) -> Float? {
    let height = (start - a).dot(n)
    let fall = -way.dot(n)
    guard height > 0, fall >= height else { return nil }
    return height / fall
  }

  /// Whether a point of the ray lies between two others on their line.
  private func holds(_ share: Float, _ a: Vector2, _ b: Vector2) -> Bool {
    let along = (start + way * share - a).dot(b - a)
    return along >= 0 && along <= (b - a).lengthSquared
  }

  private mutating func meetLine(_ a: Vector2, _ b: Vector2, _ n: Vector2) -> Bool {
    guard let share = crossing(a, n), share < fraction, holds(share, a, b) else { return false }
    return take(share, n)
  }

  private mutating func meetDisc(_ center: Vector2, _ radius: Float) -> Bool {
    let d = start - center
    let a = way.lengthSquared
    let b = d.dot(way)
    let c = d.lengthSquared - radius * radius
    let discriminant = b * b - a * c
    guard a > 0, c >= 0, b < 0, discriminant >= 0 else { return false }
    let share = (-b - discriminant.squareRoot()) / a
    guard share <= 1, share < fraction else { return false }
    return take(share, (d + way * share) / radius)
  }

  private mutating func take(_ share: Float, _ n: Vector2) -> Bool {
    assert(share >= 0 && share <= 1, "a hit lies between the ends")
    fraction = share
    normal = n
    return true
  }
}

/// The part of a way within `PhysicsLimit.ray`, in which no product of lengths runs out of the
/// numbers that there are. A way that lies within it is the whole part, bit for bit.
struct RayPart {
  let start: Vector2
  let way: Vector2
  /// The share of the whole way at which it comes near the origin, and from there the shares at
  /// which the part begins and ends: so that each is precise however long the way is.
  private let middle: Double
  private let first: Double
  private let last: Double

  /// Nil for ends that are not finite, and for a way that has no part there.
  init?(from start: Vector2, to end: Vector2) {
    guard start.isFinite, end.isFinite else { return nil }
    if Self.holds(start) && Self.holds(end) {
      self.start = start
      way = end - start
      (middle, first, last) = (0, 0, 1)
      return
    }
    // Differences and products of any two `Float`s are well within the range of a `Double`.
    let (dx, dy) = (Double(end.x) - Double(start.x), Double(end.y) - Double(start.y))
    let nearest = -(Double(start.x) * dx + Double(start.y) * dy) / (dx * dx + dy * dy)
    let middle = Self.holds(start) || !(nearest > 0) ? 0 : Self.holds(end) ? 1 : min(nearest, 1)
    let x = middle == 1 ? Double(end.x) : Double(start.x) + dx * middle
    let y = middle == 1 ? Double(end.y) : Double(start.y) + dy * middle
    var (first, last) = (-middle, 1 - middle)
    guard Self.cut(x, dx, &first, &last), Self.cut(y, dy, &first, &last) else { return nil }
    let from = Self.place(x + dx * first, y + dy * first)
    self.start = from
    way = Self.place(x + dx * last, y + dy * last) - from
    (self.middle, self.first, self.last) = (middle, first, last)
  }

  /// A share of the part as a share of the whole way.
  func share(_ fraction: Float) -> Float {
    let share = Float(middle + (first + (last - first) * Double(fraction)))
    return share < 0 ? 0 : share > 1 ? 1 : share
  }

  private static func holds(_ place: Vector2) -> Bool {
    place.x.isWithin(PhysicsLimit.ray) && place.y.isWithin(PhysicsLimit.ray)
  }

  /// Narrows the shares of a way to those where one of its coordinates, which is `from` at share 0
  /// and grows by `by` to share 1, is within the limit. False when none are left.
  private static func cut(
    _ from: Double, _ by: Double, _ first: inout Double, _ last: inout Double
  ) -> Bool {
    let limit = Double(PhysicsLimit.ray)
    guard by != 0 else { return from >= -limit && from <= limit }
    let (low, high) = ((-limit - from) / by, (limit - from) / by)
    first = max(first, min(low, high))
    last = min(last, max(low, high))
    return first <= last
  }

  /// A place of the part: what rounding took past the limit is brought back.
  private static func place(_ x: Double, _ y: Double) -> Vector2 {
    let limit = PhysicsLimit.ray
    return Vector2(Float(x).brought(within: limit), Float(y).brought(within: limit))
  }
}
