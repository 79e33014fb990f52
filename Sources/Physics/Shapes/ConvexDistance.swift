/// How far apart two convex cores are, and where. For questions from outside, which are few: every
/// corner is held against every side, which needs no search that could fail to end.
struct ConvexDistance {
  /// In points; negative where the cores overlap: the way out along the shortest axis.
  var distance: Float
  /// From the first to the second, of length 1.
  var normal: Vector2
  /// The point of the second core that is nearest to the first.
  var point: Vector2

  init(_ a: ConvexCore, _ b: ConvexCore) {
    assert(a.count > 0 && b.count > 0)
    let (onA, onB) = (Self.widest(a, b), Self.widest(b, a))
    if onA.gap < 0 && onB.gap < 0 {
      let useA = onA.gap >= onB.gap
      distance = useA ? onA.gap : onB.gap
      normal = useA ? onA.normal : -onB.normal
      point = Self.deepest(b, along: normal)
      return
    }
    var best = Float.infinity
    var way = Vector2.zero
    var place = b[0]
    for i in 0..<a.count {
      for k in 0..<b.count {
        let (p, q) = b.edge(k)
        let near = Self.nearest(to: a[i], p, q)
        let squared = (near - a[i]).lengthSquared
        if squared < best { (best, way, place) = (squared, near - a[i], near) }
      }
    }
    for k in 0..<b.count {
      for i in 0..<a.count {
        let (p, q) = a.edge(i)
        let near = Self.nearest(to: b[k], p, q)
        let squared = (b[k] - near).lengthSquared
        if squared < best { (best, way, place) = (squared, b[k] - near, b[k]) }
      }
    }
    distance = best.squareRoot()
    point = place
    // Cores that only touch tell no direction; the axis that all but parts them does.
    let axis = onA.gap >= onB.gap ? onA.normal : -onB.normal
    normal = distance > 1e-4 ? way / distance : axis
  }

  /// The side of `a` from whose line `b` lies farthest away, and how far. A point has no sides: it
  /// is told apart by distance alone.
  private static func widest(
    _ a: ConvexCore, _ b: ConvexCore
  ) -> (gap: Float, normal: Vector2) {
    guard a.count > 1 else {
      let other = b.count > 1 ? -Float.infinity : 0
      return (other, Vector2(0, 1))
    }
    var best = -Float.infinity
    var normal = Vector2(0, 1)
    for i in 0..<a.count {
      let (p, q) = a.edge(i)
      let d = (q - p).normalized
      let n = Vector2(d.y, -d.x)
      let gap = (b.x * n.x + b.y * n.y).min() - n.dot(p)
      if gap > best { (best, normal) = (gap, n) }
    }
    return (best, normal)
  }

  /// The corner that lies farthest against a direction.
  private static func deepest(_ core: ConvexCore, along n: Vector2) -> Vector2 {
    var best = core[0]
    for i in 1..<8 where core[i].dot(n) < best.dot(n) { best = core[i] }
    return best
  }

  /// The point between `a` and `b` that is nearest to another.
  private static func nearest(to p: Vector2, _ a: Vector2, _ b: Vector2) -> Vector2 {
    let d = b - a
    let squared = d.lengthSquared
    guard squared > 0 else { return a }
    let along = (p - a).dot(d) / squared
    return a + d * (along < 0 ? 0 : along > 1 ? 1 : along)
  }
}

/// A core, grown by a radius, that moves straight on until it touches something: conservative
/// advancement. As far as two things are apart along the normal between them, the core can move
/// towards the other without meeting it; so it goes on by that again and again.
struct ShapeCast {
  /// Share of the way, 0…1.
  private(set) var fraction: Float = 0
  /// From what is met to the core, of length 1.
  private(set) var normal = Vector2.zero
  /// The point of the other core that is nearest.
  private(set) var point = Vector2.zero

  /// Gap, in points, that counts as touching.
  private static let touching: Float = 0.01
  /// Most steps of an advance. Each is a share of what is left, so that twenty do nearly always.
  private static let mostSteps = 64

  /// Nil when the core doesn't meet the other on its way. `apart` tells the distance of a placed
  /// core to the other core, the direction from that to the placed one, and the other's nearest
  /// point.
  init?(
    _ core: ConvexCore, radius: Float, way: Vector2,
    apart: (ConvexCore) -> (distance: Float, normal: Vector2, point: Vector2)
  ) {
    assert(radius >= 0)
    for _ in 0..<Self.mostSteps {
      let moved = core.placed(.identity, at: way * fraction)
      let now = apart(moved)
      let gap = now.distance - radius
      let speed = -way.dot(now.normal)
      (normal, point) = (now.normal, now.point)
      guard speed > 0 else { return nil }
      if gap <= Self.touching { return }
      fraction += (gap - 0.5 * Self.touching) / speed
      guard fraction <= 1 else { return nil }
    }
  }

  /// The hit on a part of a way.
  func met(_ target: ContactPartner, at point: Vector2, _ part: RayPart) -> RayHit {
    assert(fraction >= 0 && fraction <= 1, "a hit lies between the ends")
    return RayHit(target: target, point: point, normal: normal, fraction: part.share(fraction))
  }
}
