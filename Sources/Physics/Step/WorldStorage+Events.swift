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

/// Scratch: the events of one step by body, in their order. Those that began come first.
struct EventChains: ~Copyable {
  /// By slot, the first event of the body, −1 for none.
  var heads = Buffer(capacity: 64, blank: Int32(-1))
  /// By event, the next one of the same body.
  var nexts = Buffer(capacity: 64, blank: Int32(-1))
  /// By event, whether it is left out.
  var isOut = Buffer(capacity: 64, blank: false)
}

// A tick of several parts may find that two things met and parted several times. What a step
// reports is the difference that it made: whether they touched before it, and after it. Besides, a
// touch within the step of two that were apart before and after is reported, in both lists.

extension WorldStorage {
  /// Leaves of each pair's events in this step at most one beginning and one end.
  func netEvents() {
    let (began, ended) = (events.began.count, events.ended.count)
    guard began > 0, ended > 0 else { return }
    chainEvents(count: began + ended)
    for k in began..<(began + ended) where !eventChains.isOut[k] { net(event(k)) }
    for k in 0..<(began + ended) { eventChains.heads[Int(event(k).body.slot)] = -1 }
    leaveOut(of: &events.began, from: 0)
    leaveOut(of: &events.ended, from: began)
  }

  /// The events of both lists, one after the other.
  private func event(_ k: Int) -> ContactEvent {
    let began = events.began.count
    return k < began ? events.began[k] : events.ended[k - began]
  }

  private func chainEvents(count: Int) {
    eventChains.heads.reserve(slots.count)
    eventChains.nexts.reserve(count)
    eventChains.isOut.reserve(count)
    var k = count - 1
    while k >= 0 {
      let slot = Int(event(k).body.slot)
      assert(slot < slots.count)
      eventChains.nexts[k] = eventChains.heads[slot]
      eventChains.heads[slot] = Int32(k)
      eventChains.isOut[k] = false
      k -= 1
    }
  }

  /// Nets the events of one pair: beginnings and ends alternate, so their numbers and whether the
  /// two touch now tell whether they touched before.
  private func net(_ pair: ContactEvent) {
    var (beginnings, ends) = (0, 0)
    var (firstBeginning, lastEnd) = (-1, -1)
    forEachEvent(of: pair) { k, isEnd in
      if isEnd {
        ends += 1
        lastEnd = k
      } else {
        if beginnings == 0 { firstBeginning = k }
        beginnings += 1
      }
    }
    guard beginnings > 0 else { return }
    assert(ends > 0, "only what ended is netted")
    assert(state.isRestored || (beginnings - ends).magnitude < 2, "ends and beginnings alternate")
    let touches = isTouching(pair)
    let touched = touches ? ends >= beginnings : ends > beginnings
    forEachEvent(of: pair) { k, isEnd in
      let stays = isEnd ? !touches && k == lastEnd : !touched && k == firstBeginning
      eventChains.isOut[k] = !stays
    }
  }

  private func forEachEvent(of pair: ContactEvent, _ action: (Int, _ isEnd: Bool) -> Void) {
    let began = events.began.count
    var k = Int(eventChains.heads[Int(pair.body.slot)])
    while k >= 0 {
      let other = event(k)
      if other.body == pair.body && other.other == pair.other { action(k, k >= began) }
      k = Int(eventChains.nexts[k])
    }
  }

  /// Whether the two of an event touch at the end of the step.
  func isTouching(_ event: ContactEvent) -> Bool {
    guard let row = row(of: event.body) else { return false }
    switch event.other {
    case .boundary(let id):
      return hasOther(than: -1, row: row) {
        edgePairs[$0].touch & 1 != 0 && edges[Int(edgePairs[$0].edge)].id == id
      }
    case .body(let other):
      guard let otherRow = self.row(of: other) else { return false }
      if state.furtherShapes > 0 { return someShapesTouch(row, otherRow) }
      let (lower, upper) = row < otherRow ? (row, otherRow) : (otherRow, row)
      assert(lower < upper && upper < neighbours.rows)
      for k in Int(neighbours.starts[lower])..<Int(neighbours.starts[lower + 1])
      where Int(neighbours.upper[k]) == upper {
        return neighbours.touches[k] & 1 != 0
      }
      return false
    }
  }

  private func row(of id: BodyID) -> Int? {
    let slot = slots[Int(id.slot)]
    return slot.exists && slot.generation == id.generation ? Int(slot.row) : nil
  }

  private func leaveOut(of list: inout [ContactEvent], from first: Int) {
    let count = list.count
    var kept = 0
    for k in 0..<count where !eventChains.isOut[first + k] {
      if kept != k { list[kept] = list[k] }
      kept += 1
    }
    list.removeLast(count - kept)
  }
}
