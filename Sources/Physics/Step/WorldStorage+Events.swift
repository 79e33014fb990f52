extension WorldStorage {
  func bodyID(ofSlot slot: Int) -> BodyID {
    assert(slots[slot].exists, "a name of nobody")
    let body = owner(ofSlot: slot)
    return BodyID(slot: UInt16(body), generation: slots[body].generation)
  }

  func position(ofRow row: Int) -> Vector2 { Vector2(bodies.poses[row].x, bodies.poses[row].y) }

  /// Reports that two bodies have begun to touch, once however many of their shapes do. The arm
  /// gives the point: its parts along the tangent and against the normal.
  func begin(
    _ pair: Int32, _ offsetA: Int32, _ offsetB: Int32, _ n: Vector2, _ normalArm: Float,
    _ tangentArm: Float,
    _ hit: Hit
  ) {
    if state.furtherShapes > 0 && otherShapesTouch(Int(pair), 3) { return }
    let (a, b) = (Int(offsetA >> 5), Int(offsetB >> 5))
    assert((offsetA | offsetB) & 31 == 0 && offsetA != offsetB, "offsets of two rows")
    let arm = Vector2(n.y, -n.x) * normalArm - n * tangentArm
    let point = position(ofRow: a) + arm
    let (slotA, slotB) = (Int(bodies.slots[a]), Int(bodies.slots[b]))
    assert(state.isRestored || magnitude(n.lengthSquared - 1) < 0.01, "a normal is a direction")
    let inOrder = slotA < slotB
    events.began.append(
      ContactEvent(
        body: bodyID(ofSlot: inOrder ? slotA : slotB),
        other: .body(bodyID(ofSlot: inOrder ? slotB : slotA)), point: point,
        normal: inOrder ? n : -n, speed: hit.speed, impulse: hit.impulse))
  }

  /// Whether two places name pieces of one boundary.
  @inline(__always)
  func isSameBoundary(_ a: Int32, _ b: Int32) -> Bool { edges[Int(a)].id == edges[Int(b)].id }

  /// Whether another piece of the same boundary touches the same body, or touched it before.
  func siblingTouches(_ pair: Int, _ bits: UInt8) -> Bool {
    let e = edgePairs[pair].edge
    guard edges[Int(e)].hasSiblings || state.furtherShapes > 0 else { return false }
    return hasOther(than: pair, row: Int(edgePairs[pair].row)) {
      edgePairs[$0].touch & bits != 0 && isSameBoundary(edgePairs[$0].edge, e)
    }
  }

  /// Reports that a body has begun to touch a boundary, or a further side of it: once, however many
  /// pieces it touches.
  func beginEdge(
    _ pair: Int, _ n: Vector2, _ normalArm: Float, _ tangentArm: Float, _ hit: Hit
  ) {
    let isFurther = siblingTouches(pair, 3)
    if isFurther && siblingFaces(pair, n) { return }
    let row = Int(edgePairs[pair].row)
    let arm = Vector2(n.y, -n.x) * normalArm - n * tangentArm
    let event = ContactEvent(
      body: bodyID(ofSlot: Int(bodies.slots[row])),
      other: .boundary(edges[Int(edgePairs[pair].edge)].id), point: position(ofRow: row) + arm,
      normal: -n, speed: hit.speed, impulse: hit.impulse)
    guard isFurther else { return events.began.append(event) }
    // A corner touches with both its pieces, and a fast tick looks several times.
    let isTold = events.began.contains(where: event.isOfOneSide)
    if !isTold && !events.sides.contains(where: event.isOfOneSide) { events.sides.append(event) }
  }

  /// Whether another piece of the same boundary that the body touches, or touched before, faces the
  /// body as `n` does, within 60°.
  private func siblingFaces(_ pair: Int, _ n: Vector2) -> Bool {
    let e = edgePairs[pair].edge
    return hasOther(than: pair, row: Int(edgePairs[pair].row)) {
      let other = edgePairs[$0]
      return other.touch & 3 != 0 && isSameBoundary(other.edge, e)
        && edges[Int(other.edge)].normal.dot(n) * other.side > ContactEvent.sameSide
    }
  }

  /// After a solve: report an end for every contact that no longer touches.
  func endPairs() {
    if state.furtherShapes > 0 { endPairsOfShapes() }
    let touches = UnsafeMutableRawPointer(neighbours.touches.base)
    let count = neighbours.count
    var k = 0
    while k < count {
      let sixteen = touches.loadUnaligned(fromByteOffset: k, as: SIMD16<UInt8>.self)
      let now = sixteen &>> 1
      touches.storeBytes(of: now, toByteOffset: k, as: SIMD16<UInt8>.self)
      let lost = sixteen & ~now & 1
      if lost != .zero {
        for lane in 0..<16 where lost[lane] != 0 && k + lane < count {
          reportEnd(
            slots: Int(bodies.slots[Int(neighbours.lower[k + lane])]),
            Int(bodies.slots[Int(neighbours.upper[k + lane])]))
        }
      }
      k += 16
    }
  }

  func endEdgePairs() {
    for k in 0..<edgePairs.count where edgePairs[k].touch == 1 {
      // What ends together with another piece is reported by the last of them.
      edgePairs[k].touch = 0
      if siblingTouches(k, 3) { continue }
      reportEnd(slot: Int(bodies.slots[Int(edgePairs[k].row)]), edge: Int(edgePairs[k].edge))
    }
    for k in 0..<edgePairs.count { edgePairs[k].touch = edgePairs[k].touch >> 1 }
  }

  /// Reports that two bodies have ceased to touch; the point lies between them.
  func reportEnd(slots a: Int, _ b: Int) {
    assert(a != b && a >= 0 && b >= 0, "contacts are of two bodies")
    events.ended.append(ending(a, b))
  }

  func ending(_ first: Int, _ second: Int) -> ContactEvent {
    let (one, two) = (owner(ofSlot: first), owner(ofSlot: second))
    let (a, b) = one < two ? (one, two) : (two, one)
    let (rowA, rowB) = (Int(slots[a].row), Int(slots[b].row))
    let from = position(ofRow: rowA)
    let way = position(ofRow: rowB) - from
    let reach = bodies.forms[rowA].w + bodies.forms[rowB].w
    assert(reach > 0)
    return ContactEvent(
      body: bodyID(ofSlot: a), other: .body(bodyID(ofSlot: b)),
      point: from + way * (bodies.forms[rowA].w / reach), normal: way.normalized)
  }

  func reportEnd(slot: Int, edge e: Int) {
    events.ended.append(ending(slot, edge: e))
  }

  func ending(_ slot: Int, edge e: Int) -> ContactEvent {
    let edge = edges[e]
    let p = position(ofRow: Int(slots[slot].row))
    assert(edge.exists)
    let across = (p - edge.a).dot(edge.normal)
    var along = (p - edge.a).dot(edge.tangent)
    if !edge.isHalfPlane {
      along = along < 0 ? 0 : along > edge.length ? edge.length : along
    }
    return ContactEvent(
      body: bodyID(ofSlot: slot), other: .boundary(edge.id),
      point: edge.a + edge.tangent * along, normal: across < 0 ? edge.normal : -edge.normal)
  }

}

extension ContactEvent {
  /// Cosine of 60°: what faces a body from directions nearer to each other is one side. The tip of
  /// a right angle faces 45° away from its sides, and is a side of neither.
  fileprivate static let sameSide: Float = 0.5

  /// Whether another event is of the same two and of the same side.
  fileprivate func isOfOneSide(_ other: ContactEvent) -> Bool {
    body == other.body && self.other == other.other && normal.dot(other.normal) > Self.sameSide
  }
}
