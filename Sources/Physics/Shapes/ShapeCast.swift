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
