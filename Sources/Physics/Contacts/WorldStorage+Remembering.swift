/// What a pair of bodies remembers of a solve: its impulses, and whether it touches.
///
/// A contact touches when it pressed, and goes on touching until it is clearly apart without
/// pressing, so that resting contacts don't flicker.
enum Touch {
  /// Gap, in points, above which a contact that doesn't press has ended.
  static let release: Float = 0.5
}

extension WorldStorage {
  @inline(never)
  func rememberContacts() {
    forgetImpulses()
    rememberBatches()
    if zone.isOn { rememberFastContacts() }
    endPairs()
    endEdgePairs()
    assert(touchesAreSettled)
  }

  func rememberBatches() {
    rememberOnePointBatches()
    rememberTwoPointBatches()
    rememberEdgeBatches()
  }

  /// Only sleeping pairs keep what they had.
  private func forgetImpulses() {
    let impulses = neighbours.impulses.base
    let touches = neighbours.touches.base
    if state.sleeperCount == 0 {
      impulses.update(repeating: .zero, count: neighbours.count)
    } else {
      let kind = grid.kind.base
      for k in 0..<neighbours.count {
        let still = kind[Int(neighbours.lower[k])] & kind[Int(neighbours.upper[k])] & RowKind.still
        if still != 0 { touches[k] |= touches[k] << 1 } else { impulses[k] = .zero }
      }
    }
    for k in 0..<edgePairs.count {
      if state.sleeperCount > 0 && slots[Int(bodies.slots[Int(edgePairs[k].row)])].isAsleep {
        edgePairs[k].touch |= edgePairs[k].touch << 1
      } else {
        edgePairs[k].impulse = .zero
      }
    }
  }

  @inline(never)
  private func rememberOnePointBatches() {
    let rows = contacts.onePoint.rows.base
    for i in 0..<batches.onePoint.count {
      let c = batches.onePoint.base + i
      let lanes = batches.onePoint.lanes.base + 4 * i
      assert(all(c.pointee.point.normalImpulse .>= 0), "contacts never pull")
      let impulses = transpose(
        c.pointee.point.normalImpulse, c.pointee.point.tangentImpulse, .zero, .zero)
      let pressed = moveMask(c.pointee.point.largest .> 0)
      let near = moveMask(c.pointee.point.currentGap .< Touch.release)
      keep(rows, lanes, impulses, pressed, near) {
        beginPair(
          rows[Int(lanes[$0])].pair, c.pointee.pair, c.pointee.point, $0,
          hit(c.pointee, lanes[$0], $0))
      }
    }
  }

  @inline(never)
  private func rememberTwoPointBatches() {
    let rows = contacts.twoPoint.rows.base
    for i in 0..<batches.twoPoint.count {
      let c = batches.twoPoint.base + i
      let lanes = batches.twoPoint.lanes.base + 4 * i
      assert(all(c.pointee.first.normalImpulse .>= 0), "contacts never pull")
      assert(all(c.pointee.second.normalImpulse .>= 0), "contacts never pull")
      let impulses = transpose(
        c.pointee.first.normalImpulse, c.pointee.first.tangentImpulse,
        c.pointee.second.normalImpulse, c.pointee.second.tangentImpulse)
      let pressed = moveMask(most(c.pointee.first.largest, c.pointee.second.largest) .> 0)
      let near = moveMask(
        least(c.pointee.first.currentGap, c.pointee.second.currentGap) .< Touch.release)
      keep(rows, lanes, impulses, pressed, near) {
        let useFirst = c.pointee.first.largest[$0] >= c.pointee.second.largest[$0]
        beginPair(
          rows[Int(lanes[$0])].pair, c.pointee.pair, useFirst ? c.pointee.first : c.pointee.second,
          $0,
          hit(c.pointee, lanes[$0], $0))
      }
    }
  }

  /// Writes the impulses of a batch's four pairs back, and says which lanes have begun to touch.
  @inline(__always)
  private func keep(
    _ rows: UnsafeMutablePointer<ContactRows>, _ lanes: UnsafeMutablePointer<Int32>,
    _ impulses: (Lanes, Lanes, Lanes, Lanes), _ pressed: Int32, _ near: Int32,
    begin: (Int) -> Void
  ) {
    @inline(__always) func keep(_ lane: Int, _ impulse: Lanes) {
      let pair = Int(rows[Int(lanes[lane])].pair)
      guard pair >= 0 else { return }
      assert(pair < neighbours.count)
      neighbours.impulses[pair] = impulse
      if touch(&neighbours.touches.base[pair], pressed, near, Int32(lane)) { begin(lane) }
    }
    keep(0, impulses.0)
    keep(1, impulses.1)
    keep(2, impulses.2)
    keep(3, impulses.3)
  }

  private func beginPair(
    _ number: Int32, _ pair: BatchPair, _ point: BatchPoint, _ lane: Int, _ hit: Hit
  ) {
    begin(
      number, pair.a[lane], pair.b[lane], Vector2(pair.nx[lane], pair.ny[lane]),
      point.normalArmA[lane],
      point.tangentArmA[lane], hit)
  }

  private func rememberEdgeBatches() {
    for i in 0..<batches.edges.count {
      let c = batches.edges.base + i
      let lanes = batches.edges.lanes.base + 4 * i
      assert(all(c.pointee.first.normalImpulse .>= 0), "boundaries never pull")
      assert(all(c.pointee.second.normalImpulse .>= 0), "boundaries never pull")
      let (p0, p1, p2, p3) = transpose(
        c.pointee.first.normalImpulse, c.pointee.first.tangentImpulse,
        c.pointee.second.normalImpulse, c.pointee.second.tangentImpulse)
      let pressed = moveMask(most(c.pointee.first.largest, c.pointee.second.largest) .> 0)
      let near = moveMask(least(c.pointee.first.gap, c.pointee.second.gap) .< Touch.release)
      for lane in 0..<4 {
        let pair = Int(contacts.edges[Int(lanes[lane])].pair)
        guard pair >= 0 else { continue }
        edgePairs[pair].impulse = lane < 2 ? (lane == 0 ? p0 : p1) : (lane == 2 ? p2 : p3)
        guard touch(&edgePairs[pair].touch, pressed, near, Int32(lane)) else { continue }
        let useFirst = c.pointee.first.largest[lane] >= c.pointee.second.largest[lane]
        let p = useFirst ? c.pointee.first : c.pointee.second
        beginEdge(
          pair, Vector2(c.pointee.nx[lane], c.pointee.ny[lane]), p.normalArm[lane],
          p.tangentArm[lane], hit(c.pointee, lanes[lane], lane))
      }
    }
  }

  /// Marks a touching pair; true when it has begun to touch.
  @inline(__always)
  private func touch(_ touch: inout UInt8, _ pressed: Int32, _ near: Int32, _ lane: Int32) -> Bool {
    let old = touch
    assert(old < 4, "before this solve, and in it")
    let presses = UInt8(truncatingIfNeeded: (pressed >> lane) & 1)
    let stays = UInt8(truncatingIfNeeded: (near >> lane) & 1) & old
    touch = old | ((presses | stays) << 1)
    // What a blow has touched already has been reported.
    return presses > (old | old &>> 1) & 1
  }
}
