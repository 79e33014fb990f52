/// A ray on its way: what it has met first so far.
struct Ray {
  let start: Vector2
  let way: Vector2
  var fraction: Float = 1
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

  mutating func meet(_ edge: EdgeRecord) -> Bool {
    let n = (start - edge.a).dot(edge.normal) >= 0 ? edge.normal : -edge.normal
    guard edge.isHalfPlane else { return meetLine(edge.a, edge.b, n) }
    let height = (start - edge.a).dot(edge.normal)
    let fall = -way.dot(edge.normal)
    guard height >= 0, fall > 0, height <= fall * fraction else { return false }
    return take(height / fall, edge.normal)
  }

  private mutating func meetLine(_ a: Vector2, _ b: Vector2, _ n: Vector2) -> Bool {
    let height = (start - a).dot(n)
    let fall = -way.dot(n)
    guard height >= 0, fall > 0, height < fall * fraction else { return false }
    let share = height / fall
    let along = (start + way * share - a).dot(b - a)
    guard along >= 0, along <= (b - a).lengthSquared else { return false }
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
    guard share < fraction else { return false }
    return take(share, (d + way * share) / radius)
  }

  private mutating func take(_ share: Float, _ n: Vector2) -> Bool {
    fraction = share
    normal = n
    return true
  }
}
