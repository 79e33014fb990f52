/// Where a ray first met something.
public struct RayHit: Equatable, Sendable {
  /// What it met.
  public var target: ContactPartner
  /// The point of the surface.
  public var point: Vector2
  /// Out of the surface, towards the ray's start, of length 1.
  public var normal: Vector2
  /// Share of the ray, 0…1.
  public var fraction: Float
}

extension PhysicsWorld {
  /// The first thing that a ray from `start` to `end` (points, the end included) meets; nil when
  /// nothing is in its way, or an end of it is not finite. Of several at the same distance, bodies
  /// before boundaries, lower slots and lower boundary numbers first.
  ///
  /// What holds or touches the start is left out: bodies, half-planes, and segments that it lies
  /// on. Segments are met from both sides, half-planes from their free side. Collision groups and
  /// masks don't count.
  public func castRay(from start: Vector2, to end: Vector2) -> RayHit? {
    guard start.isFinite, end.isFinite else { return nil }
    var ray = Ray(start: start, way: end - start)
    for slot in 0..<slotCount where storage.slots[slot].exists {
      let row = Int(storage.slots[slot].row)
      let radius = storage.bodies.forms[row].w
      guard ray.comesWithin(radius, of: storage.position(ofRow: row)) else { continue }
      if ray.meet(storage.placedCore(row: row), radius: storage.bodies.forms[row].z) {
        ray.target = .body(storage.bodyID(ofSlot: slot))
      }
    }
    for e in 0..<storage.edges.count where storage.edges[e].exists {
      ray.meet(storage.edges[e])
    }
    guard let target = ray.target else { return nil }
    assert(ray.fraction <= 1, "a hit lies between the ends")
    return RayHit(
      target: target, point: start + ray.way * ray.fraction, normal: ray.normal,
      fraction: ray.fraction)
  }
}
