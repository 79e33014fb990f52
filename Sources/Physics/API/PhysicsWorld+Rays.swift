/// Where a ray, or a shape on its way, met something.
public struct RayHit: Equatable, Sendable {
  /// What it met.
  public var target: ContactPartner
  /// The point of the surface, in points.
  public var point: Vector2
  /// Out of the surface, towards where the ray came from, of length 1.
  public var normal: Vector2
  /// Share of the way, 0…1.
  public var fraction: Float
}

extension PhysicsWorld {
  /// The first thing that a ray from `start` to `end` (points, the end included) meets; nil when
  /// nothing is in its way, or an end of it is not finite. Of several at the same distance, bodies
  /// before boundaries, lower slots and lower boundary numbers first. The ends may be anywhere, but
  /// only what is met within `PhysicsLimit.ray` of the origin in x and y counts. What is met is
  /// worked out in single precision: a small disc is sure to be met on ways of up to 10⁴ pt, its
  /// place known to 0.3 pt, and both get worse in proportion on longer ones.
  ///
  /// What holds or touches the start is left out: bodies, half-planes, and segments that it lies
  /// on. Segments are met from both sides, one-way ones from the side that is solid, half-planes
  /// from their free side. The filter says what counts; without one all do but sensors.
  public func castRay(
    from start: Vector2, to end: Vector2, filter: QueryFilter = .all
  ) -> RayHit? {
    guard let part = RayPart(from: start, to: end) else { return nil }
    var ray = Ray(start: part.start, way: part.way)
    for slot in 0..<slotCount where storage.isBody(slot) && filter.meets(storage, slot: slot) {
      storage.meet(&ray, slot)
    }
    for e in 0..<storage.edges.count where filter.meets(storage.edges[e]) {
      ray.meet(storage.edges[e])
    }
    return ray.hit(part)
  }

  /// Puts everything that a ray from `start` to `end` meets into `result`, the nearest first, each
  /// body and each boundary once, where the ray comes to it first. Replaces what was there and
  /// keeps its memory. What counts, and the order at the same distance, is as with
  /// `castRay(from:to:filter:)`.
  public func castRay(
    from start: Vector2, to end: Vector2, filter: QueryFilter = .all, into result: inout [RayHit]
  ) {
    result.removeAll(keepingCapacity: true)
    guard let part = RayPart(from: start, to: end) else { return }
    for slot in 0..<slotCount where storage.isBody(slot) && filter.meets(storage, slot: slot) {
      var ray = Ray(start: part.start, way: part.way)
      storage.meet(&ray, slot)
      if let hit = ray.hit(part) { result.append(hit) }
    }
    for e in 0..<storage.edges.count where filter.meets(storage.edges[e]) {
      var ray = Ray(start: part.start, way: part.way)
      ray.meet(storage.edges[e])
      if let hit = ray.hit(part) { result.addNearest(hit) }
    }
    result.sort {
      $0.fraction != $1.fraction
        ? $0.fraction < $1.fraction : $0.target.comes(before: $1.target)
    }
  }
}

extension [RayHit] {
  /// Adds a hit of a piece of a boundary, of which only the nearest piece counts.
  mutating func addNearest(_ hit: RayHit) {
    guard let known = firstIndex(where: { $0.target == hit.target }) else { return append(hit) }
    if hit.fraction < self[known].fraction { self[known] = hit }
  }
}

extension Ray {
  /// What it has met, on its part of a way.
  fileprivate func hit(_ part: RayPart) -> RayHit? {
    guard let target else { return nil }
    assert(fraction <= 1, "a hit lies between the ends")
    return RayHit(
      target: target, point: start + way * fraction, normal: normal, fraction: part.share(fraction))
  }
}

extension WorldStorage {
  fileprivate func meet(_ ray: inout Ray, _ slot: Int) {
    let row = Int(slots[slot].row)
    guard ray.comesWithin(bodies.forms[row].w, of: position(ofRow: row)) else { return }
    // What one of its shapes holds, the body holds.
    if isCompound(slot) && covers(slot, ray.start) { return }
    forEachShape(ofBody: slot) { shape in
      let row = Int(slots[shape].row)
      if ray.meet(placedCore(row: row), radius: bodies.forms[row].z) {
        ray.target = .body(bodyID(ofSlot: slot))
      }
    }
  }
}
