extension WorldStorage {
  /// Contacts of rounded boxes and capsules (first) with circles (second), four pairs at once.
  @inline(never)
  func collideBoxesWithCircles() {
    let (rowsA, rowsB, places) = pairLists.boxesAndCircles.columns
    let count = pairLists.boxesAndCircles.count
    let (poses, motions, forms) = (bodies.poses.base, bodies.motions.base, bodies.forms.base)
    let span = Lanes(repeating: state.span)
    let reach = Lanes(repeating: speculation)
    var onePoint = contacts.onePoint.end
    var k = 0
    while k < count {
      let p = PairLanes(rowsA, rowsB, at: k, poses)
      let (halfX, halfY, corner, _) = gather(forms, p.a)
      let (_, _, radius, _) = gather(forms, p.b)
      let dx = p.bx - p.ax
      let dy = p.by - p.ay
      let (nx, ny, distance) = nearest(
        p.aCosine * dx + p.aSine * dy, p.aCosine * dy - p.aSine * dx, halfX, halfY, p)
      let gap = distance - corner - radius
      let (avx, avy, spin, _) = gatherVelocities(motions, p.a)
      let (bvx, bvy, _, _) = gatherVelocities(motions, p.b)
      let depth = radius + gap * 0.5
      let armNormal = dx * ny - dy * nx
      let armTangent = depth - (dx * nx + dy * ny)
      let approach = (bvx - avx) * nx + (bvy - avy) * ny - armNormal * spin
      let near = (gap + least(approach * span, .zero)) .< reach
      let mask = moveMask(near) & tailMask(k, count)
      if mask != 0 {
        onePoint.append(
          mask, p, places + k, head: (nx, ny, gap, approach),
          arms: (armNormal, .zero, armTangent, depth))
      }
      k += 4
    }
    assert(onePoint.count < contacts.onePoint.rows.capacity)
    contacts.onePoint.count = onePoint.count
  }

  /// Normal (in the world) and distance from a box's core to a point in the box's frame. Inside,
  /// the nearest side decides and the distance is negative.
  @inline(__always)
  private func nearest(
    _ x: Lanes, _ y: Lanes, _ halfX: Lanes, _ halfY: Lanes, _ p: PairLanes
  ) -> (Lanes, Lanes, Lanes) {
    let offX = x - most(least(x, halfX), -halfX)
    let offY = y - most(least(y, halfY), -halfY)
    let squared = offX * offX + offY * offY
    let outside = squared .> 1e-6
    let distance = squared.squareRoot()
    let inverse = 1 / select(outside, distance, Lanes(repeating: 1))
    let insideX = halfX - magnitude(x)
    let insideY = halfY - magnitude(y)
    let sideways = insideX .< insideY
    let nx = select(outside, offX * inverse, select(sideways, unit(withSignOf: x), .zero))
    let ny = select(outside, offY * inverse, select(sideways, .zero, unit(withSignOf: y)))
    return (
      p.aCosine * nx - p.aSine * ny, p.aSine * nx + p.aCosine * ny,
      select(outside, distance, -least(insideX, insideY))
    )
  }

}
