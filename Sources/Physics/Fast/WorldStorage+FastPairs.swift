// The zone about fast bodies: they and whatever they may hit. Its pairs are kept apart from all
// others.

extension WorldStorage {
  /// Marks the rows of the zone. What is anchored stays outside unless it is elastic: nothing
  /// drives it on.
  func markZone() {
    assert(zone.isOn)
    let kind = grid.kind.base
    zone.rows.removeAll()
    for k in 0..<zone.count {
      let row = Int(slots[Int(zone.slots[k])].row)
      assert(!slots[Int(zone.slots[k])].isAsleep, "what is fast is awake")
      kind[row] |= RowKind.fast | RowKind.zone
      zone.rows.append(row)
    }
    let (lower, upper) = (neighbours.lower.base, neighbours.upper.base)
    for k in 0..<neighbours.count {
      let (a, b) = (Int(lower[k]), Int(upper[k]))
      guard (kind[a] | kind[b]) & RowKind.fast != 0 else { continue }
      mark(a)
      mark(b)
    }
  }

  private func mark(_ row: Int) {
    guard grid.kind[row] & (RowKind.still | RowKind.zone) == 0 else { return }
    grid.kind[row] |= RowKind.zone
    zone.rows.append(row)
  }

  /// Deals the zone's pairs out by the kinds of their shapes, and notes all rows that they have.
  func dealZone() {
    let kind = grid.kind.base
    zone.pairLists.reserve(zone.pairs.count + 4)
    var (circles, mixed, boxes, polygons) = (0, 0, 0, 0)
    for k in 0..<zone.pairs.count {
      let place = zone.pairs[k]
      let (a, b) = (neighbours.lower[place], neighbours.upper[place])
      noteRow(Int(a))
      noteRow(Int(b))
      let (kindA, kindB) = (kind[Int(a)], kind[Int(b)])
      let pair = Int32(truncatingIfNeeded: place)
      if (kindA | kindB) & RowKind.polygon != 0 {
        zone.pairLists.polygons.set(polygons, a, b, pair)
        polygons += 1
      } else if kindA & kindB & RowKind.box != 0 {
        zone.pairLists.boxes.set(boxes, a, b, pair)
        boxes += 1
      } else if (kindA | kindB) & RowKind.box == 0 {
        zone.pairLists.circles.set(circles, a, b, pair)
        circles += 1
      } else {
        let isBox = kindA & RowKind.box != 0
        zone.pairLists.boxesAndCircles.set(mixed, isBox ? a : b, isBox ? b : a, pair)
        mixed += 1
      }
    }
    zone.pairLists.circles.close(circles, idleRow: bodies.rowCount)
    zone.pairLists.boxesAndCircles.close(mixed, idleRow: bodies.rowCount)
    zone.pairLists.boxes.close(boxes, idleRow: bodies.rowCount)
    zone.pairLists.polygons.close(polygons, idleRow: bodies.rowCount)
    zone.contacts.reserve(one: circles + mixed + polygons, two: boxes + polygons)
    noteEdgePairs()
    // From here on only the zone's own rows are counted and forgotten again (`forgetTaken`).
    zone.batches.taken.reserve(bodies.rowCount + 8)
    zone.batches.taken.base.update(repeating: 0, count: bodies.rowCount + 1)
  }

  private func noteRow(_ row: Int) {
    guard grid.kind[row] & (RowKind.zone | RowKind.besideZone) == 0 else { return }
    grid.kind[row] |= RowKind.besideZone
    zone.rows.append(row)
  }

  private func noteEdgePairs() {
    zone.edgePairs.removeAll()
    for k in 0..<edgePairs.count where isInZone(Int(edgePairs[k].row)) { zone.edgePairs.append(k) }
    zone.poses.reserve(zone.rows.count)
    zone.velocities.reserve(zone.rows.count)
  }

  /// Whether a row is one of the fast bodies. (Inlined into a loop it makes Swift 6.3's optimizer
  /// fail.)
  @inline(never)
  func isFast(_ row: Int) -> Bool { zone.contains(slot: Int(bodies.slots[row])) }

  @inline(__always)
  func isInZone(_ row: Int) -> Bool { grid.kind[row] & RowKind.zone != 0 }
}

// Neighbours of fast bodies: everything that they can reach in half a tick, whatever turns them.
// The lookup finds what is near the place where they start; what is farther away is added here.

extension WorldStorage {
  /// Adds to the neighbour list what the fast bodies can reach in this half of a tick.
  func listFarPairs() {
    assert(zone.isOn && state.listsAreValid)
    if state.jointsThatMute > 0 { mutedPairs.list(joints, slots: slots.count) }
    var found = 0
    var row = 0
    while row < bodies.rowCount {
      if someAreInReach(ofFour: row) {
        for lower in row..<min(row + 4, bodies.rowCount) { found = listMissing(of: lower, found) }
      }
      row &+= 4
    }
    insert(found)
    listFarEdgePairs()
    assert(neighboursAreInOrder)
    assert(edgePairsAreSound)
  }

  /// Adds to the pairs with boundaries what the fast bodies can reach.
  private func listFarEdgePairs() {
    let before = edgePairs.count
    for k in 0..<zone.count {
      let row = Int(slots[Int(zone.slots[k])].row)
      let far = bodies.forms[row].w + Lookup.margin + Lookup.skin + zoneSweep(state.span)
      let place = position(ofRow: row)
      for e in 0..<edges.count
      where edges[e].exists && edges[e].isNear(place, reach: far)
        && edgePairs.find(row: row, edge: Int32(e)) < 0
      {
        listEdgePair(row, e)
      }
    }
    guard edgePairs.count > before else { return }
    state.splitIsStale = true
    for k in before..<edgePairs.count {
      edgePairs[k].side = side(of: Int(edgePairs[k].edge), Int(edgePairs[k].row))
    }
    edgePairs.chain(rows: bodies.rowCount)
  }

  /// How far a fast body may be from the middle of another's way, besides what that one takes.
  @inline(__always)
  private func reach(_ k: Int, _ row: Int) -> Float {
    let hidden = state.hiddenSpeed
    let way = (zone.speeds[k] + hidden) * state.span
    return bodies.forms[row].w + way + Lookup.margin + Lookup.skin
  }

  /// Whether any of four rows is near a fast body, or is one.
  private func someAreInReach(ofFour row: Int) -> Bool {
    let (middles, radii) = (bodies.sweepMiddles.base, bodies.sweepRadii.base)
    let (m0, m1, m2, m3) = (middles[row], middles[row + 1], middles[row + 2], middles[row + 3])
    let (x, y) = (Lanes(m0.x, m1.x, m2.x, m3.x), Lanes(m0.y, m1.y, m2.y, m3.y))
    let forms = bodies.forms.base + row
    let own =
      Lanes(forms[0].w, forms[1].w, forms[2].w, forms[3].w)
      + Lanes(radii[row], radii[row + 1], radii[row + 2], radii[row + 3])
    for k in 0..<zone.count {
      let fast = Int(slots[Int(zone.slots[k])].row)
      let pose = bodies.poses[fast]
      let (dx, dy) = (x - Lanes(repeating: pose.x), y - Lanes(repeating: pose.y))
      let far = own + Lanes(repeating: reach(k, fast))
      if fast &- row >= 0 && fast &- row < 4 { return true }
      if moveMask((dx * dx + dy * dy) .< (far * far)) != 0 { return true }
    }
    return false
  }

  /// Lists the pairs of a row with fast bodies above it, or of a fast row with all above it;
  /// returns how many there are then.
  private func listMissing(of lower: Int, _ before: Int) -> Int {
    var found = before
    if zone.contains(slot: Int(bodies.slots[lower])) {
      for upper in (lower + 1)..<bodies.rowCount {
        found = list(lower, upper, found)
      }
    } else {
      for k in 0..<zone.count {
        let upper = Int(slots[Int(zone.slots[k])].row)
        if upper > lower { found = list(lower, upper, found) }
      }
    }
    return found
  }

  private func list(_ lower: Int, _ upper: Int, _ found: Int) -> Int {
    guard isInReach(lower, upper) || isInReach(upper, lower), !isListed(lower, upper),
      collides(Int(bodies.slots[lower]), Int(bodies.slots[upper]))
    else { return found }
    zone.missing.reserve(found + 1)
    zone.missing[found] = SIMD2(Int32(lower), Int32(upper))
    return found + 1
  }

  /// Whether a row is fast and another's way is within its reach.
  private func isInReach(_ fast: Int, _ other: Int) -> Bool {
    guard let k = zone.place(ofSlot: bodies.slots[fast]) else { return false }
    let (pose, middle) = (bodies.poses[fast], bodies.sweepMiddles[other])
    let far = reach(k, fast) + bodies.forms[other].w + bodies.sweepRadii[other]
    let (dx, dy) = (middle.x - pose.x, middle.y - pose.y)
    return dx * dx + dy * dy < far * far
  }

  private func isListed(_ lower: Int, _ upper: Int) -> Bool {
    for k in Int(neighbours.starts[lower])..<Int(neighbours.starts[lower + 1])
    where Int(neighbours.upper[k]) == upper {
      return true
    }
    return false
  }

  /// Puts the first `found` missing pairs into the list, each behind the others of its row, from
  /// the last to the first: so that every pair moves once.
  private func insert(_ found: Int) {
    guard found > 0 else { return }
    state.splitIsStale = true
    neighbours.reserve(pairs: neighbours.count + found)
    var end = neighbours.count
    for k in stride(from: found - 1, through: 0, by: -1) {
      let pair = zone.missing[k]
      let place = Int(neighbours.starts[Int(pair.x) + 1])
      neighbours.move(place..<end, by: k + 1)
      neighbours.set(place + k, pair)
      end = place
    }
    neighbours.count += found
    var (row, passed) = (0, 0)
    while row <= neighbours.rows {
      while passed < found && Int(zone.missing[passed].x) < row { passed += 1 }
      neighbours.starts[row] += Int32(passed)
      row += 1
    }
  }
}

extension NeighbourList {
  /// Moves pairs to places farther behind.
  fileprivate mutating func move(_ places: Range<Int>, by distance: Int) {
    assert(distance > 0 && places.upperBound + distance <= room + 16)
    let (from, to) = (places.lowerBound, places.lowerBound + distance)
    lower.base.advanced(by: to).update(from: lower.base + from, count: places.count)
    upper.base.advanced(by: to).update(from: upper.base + from, count: places.count)
    impulses.base.advanced(by: to).update(from: impulses.base + from, count: places.count)
    touches.base.advanced(by: to).update(from: touches.base + from, count: places.count)
  }

  /// A pair that remembers nothing.
  fileprivate mutating func set(_ place: Int, _ pair: SIMD2<Int32>) {
    lower[place] = pair.x
    upper[place] = pair.y
    impulses[place] = .zero
    touches[place] = 0
  }
}
