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
    rememberOnePointBatches()
    rememberTwoPointBatches()
    rememberEdgeBatches()
    endPairs()
    endEdgePairs()
  }

  /// Only sleeping pairs keep what they had.
  private func forgetImpulses() {
    let impulses = neighbours.impulses.base
    let touches = neighbours.touches.base
    if now.sleeperCount == 0 {
      impulses.update(repeating: .zero, count: neighbours.count)
    } else {
      let kind = grid.kind.base
      for k in 0..<neighbours.count {
        let still = kind[Int(neighbours.lower[k])] & kind[Int(neighbours.upper[k])] & RowKind.still
        if still != 0 { touches[k] |= touches[k] << 1 } else { impulses[k] = .zero }
      }
    }
    for k in 0..<edgePairs.count {
      if now.sleeperCount > 0 && slots[Int(bodies.slots[Int(edgePairs[k].row)])].isAsleep {
        edgePairs[k].touch |= edgePairs[k].touch << 1
      } else {
        edgePairs[k].impulse = .zero
      }
    }
  }

  @inline(never)
  private func rememberOnePointBatches() {
    let impulses = neighbours.impulses.base
    let rows = contacts.ones.rows.base
    let lanes = batches.ones.lanes.base
    var c = batches.ones.base
    for i in 0..<batches.ones.count {
      let (p0, p1, p2, p3) = transpose(
        c.pointee.normalImpulse, c.pointee.tangentImpulse, .zero, .zero)
      let pressed = moveMask(c.pointee.largest .> 0)
      let near = moveMask(c.pointee.currentGap .< Touch.release)
      let l = lanes + 4 * i
      keep(rows[Int(l[0])].pair, p0, impulses, pressed, near, 0, c)
      keep(rows[Int(l[1])].pair, p1, impulses, pressed, near, 1, c)
      keep(rows[Int(l[2])].pair, p2, impulses, pressed, near, 2, c)
      keep(rows[Int(l[3])].pair, p3, impulses, pressed, near, 3, c)
      c += 1
    }
  }

  @inline(__always)
  private func keep(
    _ pair: Int32, _ impulse: Lanes, _ impulses: UnsafeMutablePointer<Lanes>, _ pressed: Int32,
    _ near: Int32, _ lane: Int32, _ c: UnsafeMutablePointer<OnePointBatch>
  ) {
    guard pair >= 0 else { return }
    impulses[Int(pair)] = impulse
    if touch(&neighbours.touches.base[Int(pair)], pressed, near, lane) {
      let l = Int(lane)
      begin(
        c.pointee.a[l], c.pointee.b[l], Vector2(c.pointee.nx[l], c.pointee.ny[l]),
        c.pointee.normalArmA[l], c.pointee.tangentArmA[l])
    }
  }

  /// Marks a touching pair; true when it has begun to touch.
  @inline(__always)
  private func touch(
    _ touch: inout UInt8, _ pressed: Int32, _ near: Int32, _ lane: Int32
  ) -> Bool {
    let old = touch
    let presses = UInt8(truncatingIfNeeded: (pressed >> lane) & 1)
    let stays = UInt8(truncatingIfNeeded: (near >> lane) & 1) & old
    touch = old | ((presses | stays) << 1)
    // What a blow has touched already has been reported.
    return presses > (old | old &>> 1) & 1
  }

  @inline(never)
  private func rememberTwoPointBatches() {
    let impulses = neighbours.impulses.base
    let rows = contacts.twos.rows.base
    let lanes = batches.twos.lanes.base
    var c = batches.twos.base
    for i in 0..<batches.twos.count {
      let (p0, p1, p2, p3) = transpose(
        c.pointee.first.normalImpulse, c.pointee.first.tangentImpulse,
        c.pointee.second.normalImpulse, c.pointee.second.tangentImpulse)
      let pressed = moveMask(most(c.pointee.first.largest, c.pointee.second.largest) .> 0)
      let near = moveMask(
        least(c.pointee.first.currentGap, c.pointee.second.currentGap) .< Touch.release)
      let l = lanes + 4 * i
      keep(rows[Int(l[0])].pair, p0, impulses, pressed, near, 0, c)
      keep(rows[Int(l[1])].pair, p1, impulses, pressed, near, 1, c)
      keep(rows[Int(l[2])].pair, p2, impulses, pressed, near, 2, c)
      keep(rows[Int(l[3])].pair, p3, impulses, pressed, near, 3, c)
      c += 1
    }
  }

  @inline(__always)
  private func keep(
    _ pair: Int32, _ impulse: Lanes, _ impulses: UnsafeMutablePointer<Lanes>, _ pressed: Int32,
    _ near: Int32, _ lane: Int32, _ c: UnsafeMutablePointer<TwoPointBatch>
  ) {
    guard pair >= 0 else { return }
    impulses[Int(pair)] = impulse
    if touch(&neighbours.touches.base[Int(pair)], pressed, near, lane) {
      let l = Int(lane)
      let useFirst = c.pointee.first.largest[l] >= c.pointee.second.largest[l]
      let p = useFirst ? c.pointee.first : c.pointee.second
      begin(
        c.pointee.a[l], c.pointee.b[l], Vector2(c.pointee.nx[l], c.pointee.ny[l]),
        p.normalArmA[l], p.tangentArmA[l])
    }
  }

  private func rememberEdgeBatches() {
    let lanes = batches.edges.lanes.base
    var c = batches.edges.base
    for i in 0..<batches.edges.count {
      let (p0, p1, p2, p3) = transpose(
        c.pointee.first.normalImpulse, c.pointee.first.tangentImpulse,
        c.pointee.second.normalImpulse, c.pointee.second.tangentImpulse)
      let pressed = moveMask(most(c.pointee.first.largest, c.pointee.second.largest) .> 0)
      let near = moveMask(least(c.pointee.first.gap, c.pointee.second.gap) .< Touch.release)
      for lane in 0..<4 {
        let pair = Int(contacts.edges[Int(lanes[4 * i + lane])].pair)
        guard pair >= 0 else { continue }
        edgePairs[pair].impulse = lane < 2 ? (lane == 0 ? p0 : p1) : (lane == 2 ? p2 : p3)
        guard touch(&edgePairs[pair].touch, pressed, near, Int32(lane)) else { continue }
        let useFirst = c.pointee.first.largest[lane] >= c.pointee.second.largest[lane]
        let p = useFirst ? c.pointee.first : c.pointee.second
        beginEdge(
          pair, Vector2(c.pointee.nx[lane], c.pointee.ny[lane]), p.normalArm[lane],
          p.tangentArm[lane])
      }
      c += 1
    }
  }

}
