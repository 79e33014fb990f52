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
