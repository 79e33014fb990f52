extension WorldStorage {
  /// Contacts of bodies with boundaries, one pair at a time: there are few.
  @inline(never)
  func collideEdges() {
    assert(edgePairsAreSound)
    startEdgeContacts()
    let sleepers = state.sleeperCount > 0
    state.edgeSweep = ownSweep
    for k in 0..<edgePairs.count {
      let row = Int(edgePairs[k].row)
      if sleepers && slots[Int(bodies.slots[row])].isAsleep { continue }
      if zone.isOn && isInZone(row) { continue }
      collideEdge(k)
    }
    dealEdgeContacts()
  }

  /// Begins a list of contacts with boundaries; each body's are counted until colouring begins.
  func startEdgeContacts() {
    contacts.edges.reserve(edgePairs.count + 4)
    forgetTaken()
    contacts.edges.count = 0
  }

  /// Finds the contact of a body with a piece of a boundary.
  @inline(__always)
  func collideEdge(_ k: Int) {
    let row = Int(edgePairs[k].row)
    let edge = edges[Int(edgePairs[k].edge)]
    let manifold: Manifold
    if bodies.forms[row].x >= 0 && edge.isHalfPlane {
      return collideHalfPlane(edge, row: row, pair: k)
    } else if edge.isHalfPlane {
      manifold = behind(edge, row: row)
    } else {
      let center = center(ofRow: row)
      if edge.isPassed(by: center) { edgePairs[k].side = side(of: edge, row) }
      if passesOneWay(edge, row: row, pair: k) { return }
      manifold = EdgeManifold.between(
        edge, side: edgePairs[k].side, core: placedCore(row: row), radius: bodies.forms[row].z,
        center: center, reach: reach(row))
    }
    append(manifold, row: row, pair: k)
  }

  /// Gap up to which a body's contact with a resting thing takes part: as far as the fastest body
  /// gets, because that one may hit this one and push it on within the same part of the tick.
  @inline(__always)
  private func reach(_ row: Int) -> Float {
    Lookup.speculation + state.edgeSweep
      + magnitude(bodies.motions[2 * row].z) * bodies.forms[row].w
      * state.span
  }

  /// A circle, capsule or box: the deepest corner, and its neighbour along the flatter side.
  @inline(__always)
  private func collideHalfPlane(_ edge: EdgeRecord, row: Int, pair: Int) {
    let pose = bodies.poses[row]
    let form = bodies.forms[row]
    let n = edge.normal
    let distance = (pose.x - edge.a.x) * n.x + (pose.y - edge.a.y) * n.y - form.z
    let along = pose.z * n.x + pose.w * n.y
    let across = pose.z * n.y - pose.w * n.x
    let sx = along < 0 ? -form.x : form.x
    let sy = across < 0 ? -form.y : form.y
    let gap1 = distance - (sx * along + sy * across)
    guard gap1 <= reach(row) else { return }
    // r = −(sx·u + sy·v) − n·radius, for the box's axes u and v.
    let arm1 = sy * along - sx * across
    let cross1 = (sx * along + sy * across) + form.z + gap1 * 0.5
    let flipsX = form.y == 0 || magnitude(along) * form.x < magnitude(across) * form.y
    let sx2 = flipsX ? -sx : sx
    let sy2 = flipsX ? sy : -sy
    let isPoint = form.x == 0
    let gap2 = isPoint ? ContactBatches.farAway : distance - (sx2 * along + sy2 * across)
    let arm2 = isPoint ? 0 : sy2 * along - sx2 * across
    let cross2 = isPoint ? 0 : (sx2 * along + sy2 * across) + form.z + gap2 * 0.5
    append(
      row: row, pair: pair, head: Lanes(n.x, n.y, gap1, gap2),
      arms: Lanes(arm1, cross1, arm2, cross2))
  }

  /// A polygon: its two deepest corners.
  private func behind(_ edge: EdgeRecord, row: Int) -> Manifold {
    let core = placedCore(row: row)
    let radius = bodies.forms[row].z
    let reach = reach(row)
    var manifold = Manifold(normal: edge.normal)
    for i in 0..<core.count {
      let gap = (core[i] - edge.a).dot(edge.normal) - radius
      guard gap <= reach else { continue }
      let point = Manifold.Point(
        position: core[i] - edge.normal * (radius + gap * 0.5), separation: gap)
      manifold.keepDeepest(point)
    }
    return manifold
  }

  /// The manifold's normal points from the boundary to the body.
  private func append(_ m: Manifold, row: Int, pair: Int) {
    guard m.count > 0 else { return }
    let center = Vector2(bodies.poses[row].x, bodies.poses[row].y)
    let n = m.normal
    let r1 = m.first.position - center
    let r2 = m.second.position - center
    let two = m.count == 2
    append(
      row: row, pair: pair,
      head: Lanes(
        n.x, n.y, m.first.separation, two ? m.second.separation : ContactBatches.farAway),
      arms: Lanes(r1.cross(n), -r1.dot(n), two ? r2.cross(n) : 0, two ? -r2.dot(n) : 0))
  }

  @inline(__always)
  private func append(row: Int, pair: Int, head: Lanes, arms: Lanes) {
    let row = state.furtherShapes > 0 ? ownerRow(row) : row
    let layer = batches.taken[row]
    batches.taken[row] = layer + 1
    let v = bodies.motions[2 * row]
    let straight = v.x * head.x + v.y * head.y
    let at = contacts.edges.count
    assert(at < edgePairs.count, "a pair has one contact")
    contacts.edges[at] = EdgeContactRecord(
      row: Int32(row), pair: Int32(pair), layer: Int32(truncatingIfNeeded: layer), head: head,
      arms: arms,
      approach: Lanes(straight + arms.x * v.z, straight + arms.z * v.z, 0, 0))
    contacts.edges.count = at + 1
  }

  /// Deals the contacts out by layers, in which no body occurs twice, and within a layer in the
  /// order of the list. A layer ends in filling lanes up to a multiple of four.
  func dealEdgeContacts() {
    let count = contacts.edges.count
    let records = contacts.edges.base
    var layers = 0
    for k in 0..<count { layers = max(layers, Int(records[k].layer) + 1) }
    batches.layers.reserve(layers)
    let next = batches.layers.base
    next.update(repeating: 0, count: layers)
    for k in 0..<count { next[Int(records[k].layer)] += 1 }
    var lane = 0
    for layer in 0..<layers {
      let size = Int(next[layer])
      assert(size > 0, "a body's second contact is behind its first")
      next[layer] = Int32(lane)
      lane += (size + 3) & ~3
    }
    batches.edges.lanes.reserve(lane + 4)
    let lanes = batches.edges.lanes.base
    lanes.update(repeating: Int32(count), count: lane)
    for k in 0..<count {
      let layer = Int(records[k].layer)
      lanes[Int(next[layer])] = Int32(k)
      next[layer] += 1
    }
    records[count] = EdgeContactRecord(
      row: Int32(bodies.rowCount), pair: -1,
      head: Lanes(1, 0, ContactBatches.farAway, ContactBatches.farAway))
    batches.edges.count = lane / 4
  }
}

extension Manifold {
  /// Adds a point when it is among the two deepest so far; the deepest stands first.
  mutating func keepDeepest(_ point: Point) {
    assert(count < 2 || first.separation <= second.separation)
    if count == 0 || point.separation < first.separation {
      second = first
      first = point
      count = count == 0 ? 1 : 2
    } else if count == 1 || point.separation < second.separation {
      second = point
      count = 2
    }
  }
}
