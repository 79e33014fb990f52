extension WorldStorage {
  /// Contacts of rounded boxes and capsules with each other, four pairs at once.
  @inline(never)
  func collideBoxes() {
    let (rowsA, rowsB, places) = pairLists.boxes.columns
    let count = pairLists.boxes.count
    let (poses, motions, forms) = (bodies.poses.base, bodies.motions.base, bodies.forms.base)
    let span = Lanes(repeating: state.span)
    let reach = Lanes(repeating: speculation)
    var twoPoint = contacts.twoPoint.end
    var k = 0
    while k < count {
      let p = PairLanes(rowsA, rowsB, at: k, poses)
      let boxes = BoxLanes(p, forms)
      if !any((boxes.gap - boxes.radius) .< Lookup.reach) {
        k += 4
        continue
      }
      let q = BoxPoints(boxes)
      let (avx, avy, aw, _) = gatherVelocities(motions, p.a)
      let (bvx, bvy, bw, _) = gatherVelocities(motions, p.b)
      let straight = (bvx - avx) * q.nx + (bvy - avy) * q.ny
      let first = straight + q.firstArmB * bw - q.firstArmA * aw
      let second = straight + q.secondArmB * bw - q.secondArmA * aw
      let nearest = least(
        q.firstGap + least(first * span, .zero), q.secondGap + least(second * span, .zero))
      let mask =
        moveMask((nearest .< reach) .& q.valid) & tailMask(k, count)
      if mask != 0 {
        twoPoint.append(
          mask, p, places + k, head: (q.nx, q.ny, q.firstGap, q.secondGap),
          first: (q.firstArmA, q.firstArmB, q.firstTangentA, q.firstTangentB),
          second: (q.secondArmA, q.secondArmB, q.secondTangentA, q.secondTangentB),
          approach: (first, second))
      }
      k += 4
    }
    assert(twoPoint.count < contacts.twoPoint.rows.capacity)
    contacts.twoPoint.count = twoPoint.count
  }

}
