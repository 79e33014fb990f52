// Contacts of bodies of several shapes are told once, however many of their shapes touch: the first
// begins them, the last ends them. Everything here goes through whole lists, which only events of
// worlds with such bodies ask for.

extension WorldStorage {
  /// Whether other shapes of a pair's two bodies touch each other, or touched before.
  func otherShapesTouch(_ pair: Int, _ bits: UInt8) -> Bool {
    let (lower, upper) = (Int(neighbours.lower[pair]), Int(neighbours.upper[pair]))
    guard isCompound(Int(bodies.slots[lower])) || isCompound(Int(bodies.slots[upper])) else {
      return false
    }
    let (a, b) = (ownerRow(lower), ownerRow(upper))
    return somePairTouches(a, b, bits, besides: pair)
  }

  /// Whether any shapes of two bodies touch now, by the rows that name them.
  func someShapesTouch(_ a: Int, _ b: Int) -> Bool { somePairTouches(a, b, 1, besides: -1) }

  private func somePairTouches(_ a: Int, _ b: Int, _ bits: UInt8, besides pair: Int) -> Bool {
    for k in 0..<neighbours.count where k != pair && neighbours.touches[k] & bits != 0 {
      let (lower, upper) = (Int(neighbours.lower[k]), Int(neighbours.upper[k]))
      guard bodies.slots[lower] >= 0, bodies.slots[upper] >= 0 else { continue }
      let (p, q) = (ownerRow(lower), ownerRow(upper))
      if (p == a && q == b) || (p == b && q == a) { return true }
    }
    return false
  }

  /// After a solve, before the marks of this one become those of the last: ends what no longer
  /// touches, unless other shapes of the two still do. What ends together is told by the last pair.
  func endPairsOfShapes() {
    for k in 0..<neighbours.count where neighbours.touches[k] == 1 {
      neighbours.touches[k] = 0
      if otherShapesTouch(k, 3) { continue }
      reportEnd(
        slots: Int(bodies.slots[Int(neighbours.lower[k])]),
        Int(bodies.slots[Int(neighbours.upper[k])]))
    }
  }

  /// Of a pair of the former list that is no longer near: whether other shapes of the two bodies
  /// still touch, or end behind it in that list, which tells it then.
  func stillTouches(_ pair: Int, _ a: Int, _ b: Int) -> Bool {
    let (one, two) = (owner(ofSlot: a), owner(ofSlot: b))
    // What a blow has touched in this solve counts, too.
    if somePairTouches(Int(slots[one].row), Int(slots[two].row), 3, besides: -1) { return true }
    for k in (pair + 1)..<max(formerNeighbours.count, pair + 1)
    where formerNeighbours.touches[k] != 0 {
      let p = formerSlot(ofRow: Int(formerNeighbours.lower[k]))
      let q = formerSlot(ofRow: Int(formerNeighbours.upper[k]))
      guard p >= 0, q >= 0 else { continue }
      let (c, d) = (owner(ofSlot: p), owner(ofSlot: q))
      if (c == one && d == two) || (c == two && d == one) { return true }
    }
    return false
  }

  // MARK: Boundaries

  /// Whether any other pair with a boundary of the same body says yes.
  @inline(__always)
  func hasOther(than pair: Int, row: Int, where says: (Int) -> Bool) -> Bool {
    if state.furtherShapes > 0 && isCompound(Int(bodies.slots[row])) {
      return hasOtherOfShapes(than: pair, row: row, where: says)
    }
    return edgePairs.hasOther(than: pair, row: row, where: says)
  }

  private func hasOtherOfShapes(than pair: Int, row: Int, where says: (Int) -> Bool) -> Bool {
    let body = ownerRow(row)
    for k in 0..<edgePairs.count where k != pair {
      let other = Int(edgePairs[k].row)
      if bodies.slots[other] >= 0 && ownerRow(other) == body && says(k) { return true }
    }
    return false
  }

  /// Reports the end of a contact of a shape whose pair is no longer near, unless another shape or
  /// another piece of the same boundary still touches, or ends behind it.
  func endForgottenShape(_ pair: Int, _ slot: Int) {
    let (e, body) = (formerEdgePairs[pair].edge, owner(ofSlot: slot))
    let goesOn = hasOtherOfShapes(than: -1, row: Int(slots[body].row)) {
      edgePairs[$0].touch & 1 != 0 && isSameBoundary(edgePairs[$0].edge, e)
    }
    if goesOn { return }
    for k in (pair + 1)..<max(formerEdgePairs.count, pair + 1)
    where formerEdgePairs[k].touch & 1 != 0 && isSameBoundary(formerEdgePairs[k].edge, e) {
      let other = Int(formerBodies.slots[Int(formerEdgePairs[k].row)])
      if other >= 0 && owner(ofSlot: other) == body { return }
    }
    reportEnd(slot: slot, edge: Int(e))
  }

  // MARK: Changes between steps

  /// Of the contacts that ended since there were `known` of them, keeps each two once, and none
  /// that still touch: a body that loses shapes may have others that do.
  func netEnds(from known: Int) {
    var kept = known
    for k in known..<pendingEnded.count {
      let event = pendingEnded[k]
      let isTold = pendingEnded[known..<kept].contains {
        $0.body == event.body && $0.other == event.other
      }
      if isTold || isTouching(event) { continue }
      pendingEnded[kept] = event
      kept += 1
    }
    pendingEnded.removeLast(pendingEnded.count - kept)
  }

  // MARK: Sensors

  /// Whether any shape of one body overlaps or touches any of another's.
  func shapesOverlap(_ a: Int, _ b: Int) -> Bool {
    anyShape(ofBody: a) { row in
      let (core, radius) = (placedCore(row: row), bodies.forms[row].z)
      return anyShape(ofBody: b) { other in
        ConvexDistance(core, placedCore(row: other)).distance <= radius + bodies.forms[other].z
      }
    }
  }
}
