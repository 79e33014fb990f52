// Overlaps of a shape with what is there, and shapes on their way.

extension PhysicsWorld {
  /// Puts the bodies and boundaries that a shape would overlap or touch into `result`, if it stood
  /// at `position` (its centre of mass, in points), turned by `angle` radians: bodies in the order
  /// of their slots, then boundaries by their numbers, each once. Replaces what was there and keeps
  /// its memory. Of half-planes the solid side counts, of segments the line. Nothing for a place or
  /// an angle that is not finite.
  public func overlaps(
    of shape: BodyShape, at position: Vector2, angle: Float = 0, filter: QueryFilter = .all,
    into result: inout [ContactPartner]
  ) {
    result.removeAll(keepingCapacity: true)
    guard position.isFinite, angle.isFinite else { return }
    let core = shape.core.placed(Rotation(angle: angle), at: position)
    for slot in 0..<slotCount where storage.isBody(slot) && filter.meets(storage, slot: slot) {
      if storage.overlaps(core, shape, at: position, slot: slot) {
        result.append(.body(storage.bodyID(ofSlot: slot)))
      }
    }
    let bodies = result.count
    for e in 0..<storage.edges.count where filter.meets(storage.edges[e]) {
      let edge = storage.edges[e]
      guard edge.gap(to: core, radius: shape.radius).gap <= 0 else { continue }
      if !result[bodies...].contains(.boundary(edge.id)) { result.append(.boundary(edge.id)) }
    }
    result.sort { $0.comes(before: $1) }
  }

  /// The first thing that a shape meets on its way from `start` to `end` (places of its centre of
  /// mass, in points), turned by `angle` radians all the way; nil when nothing is in its way, or a
  /// number is not finite. The hit's point lies on what is met, its normal points to the shape, and
  /// its fraction is the share of the way until they touch, to a hundredth of a point.
  ///
  /// What it touches or overlaps at the start is met at 0 if the way leads on into it, and left out
  /// if it leads out of it or along. Ties, sides and the range of the ends are as with
  /// `castRay(from:to:filter:)`.
  public func cast(
    _ shape: BodyShape, from start: Vector2, to end: Vector2, angle: Float = 0,
    filter: QueryFilter = .all
  ) -> RayHit? {
    var nearest: RayHit?
    forEachHit(of: shape, from: start, to: end, angle: angle, filter: filter) { hit in
      let isNearer =
        nearest.map {
          hit.fraction < $0.fraction
            || (hit.fraction == $0.fraction && hit.target.comes(before: $0.target))
        } ?? true
      if isNearer { nearest = hit }
    }
    return nearest
  }

  /// Puts everything that a shape meets on its way into `result`, the nearest first, each body and
  /// each boundary once. Replaces what was there and keeps its memory. All else is as with
  /// `cast(_:from:to:angle:filter:)`.
  public func cast(
    _ shape: BodyShape, from start: Vector2, to end: Vector2, angle: Float = 0,
    filter: QueryFilter = .all, into result: inout [RayHit]
  ) {
    result.removeAll(keepingCapacity: true)
    forEachHit(of: shape, from: start, to: end, angle: angle, filter: filter) {
      result.addNearest($0)
    }
    result.sort {
      $0.fraction != $1.fraction
        ? $0.fraction < $1.fraction : $0.target.comes(before: $1.target)
    }
  }

  /// Every body and every piece of a boundary that a shape meets, in no order.
  private func forEachHit(
    of shape: BodyShape, from start: Vector2, to end: Vector2, angle: Float, filter: QueryFilter,
    _ action: (RayHit) -> Void
  ) {
    guard angle.isFinite, let part = RayPart(from: start, to: end) else { return }
    let way = part.way
    let core = shape.core.placed(Rotation(angle: angle), at: part.start)
    let ray = Ray(start: part.start, way: way)
    for slot in 0..<slotCount where storage.slots[slot].exists && filter.meets(storage, slot: slot)
    {
      // Of a body of several shapes each is met, the nearest counts.
      let row = Int(storage.slots[slot].row)
      let reach = storage.bodies.forms[row].w + shape.boundingRadius
      guard ray.comesWithin(reach, of: storage.position(ofRow: row)) else { continue }
      let other = storage.placedCore(row: row)
      let radius = shape.radius + storage.bodies.forms[row].z
      let hit = ShapeCast(core, radius: radius, way: way) { core in
        let apart = ConvexDistance(core, other)
        return (apart.distance, -apart.normal, apart.point)
      }
      guard let hit else { continue }
      let point = hit.point + hit.normal * storage.bodies.forms[row].z
      action(hit.met(.body(storage.bodyID(ofSlot: slot)), at: point, part))
    }
    for e in 0..<storage.edges.count where filter.meets(storage.edges[e]) {
      let edge = storage.edges[e]
      let hit = ShapeCast(core, radius: shape.radius, way: way) { core in
        let apart = edge.gap(to: core, radius: 0)
        return (apart.gap, apart.normal, apart.point)
      }
      guard let hit, !edge.isOneWay || edge.isHalfPlane || hit.normal.dot(edge.normal) > 0 else {
        continue
      }
      action(hit.met(.boundary(edge.id), at: hit.point, part))
    }
  }
}

extension WorldStorage {
  /// Whether a placed core, grown by its shape's radius, overlaps or touches a body.
  func overlaps(_ core: ConvexCore, _ shape: BodyShape, at position: Vector2, slot: Int) -> Bool {
    let row = Int(slots[slot].row)
    let form = bodies.forms[row]
    let reach = form.w + shape.boundingRadius
    guard (self.position(ofRow: row) - position).lengthSquared <= reach * reach else {
      return false
    }
    return anyShape(ofBody: slot) {
      ConvexDistance(core, placedCore(row: $0)).distance <= shape.radius + bodies.forms[$0].z
    }
  }
}

extension EdgeRecord {
  /// The gap between a core, grown by a radius, and this piece of a boundary, with the direction
  /// from the piece to the core and the point of the piece that is nearest.
  func gap(
    to core: ConvexCore, radius: Float
  ) -> (gap: Float, normal: Vector2, point: Vector2) {
    assert(exists && radius >= 0)
    guard isHalfPlane else {
      let apart = ConvexDistance(core, ConvexCore(segment: a, b))
      return (apart.distance - radius, -apart.normal, apart.point)
    }
    var lowest = core[0]
    for i in 1..<core.count where core[i].dot(normal) < lowest.dot(normal) { lowest = core[i] }
    let height = (lowest - a).dot(normal)
    return (height - radius, normal, lowest - normal * height)
  }
}
