extension WorldStorage {
  /// Contacts of circles with circles, four pairs at once.
  @inline(never)
  func collideCircles() {
    let (rowsA, rowsB, places) = pairLists.circles.columns
    let count = pairLists.circles.count
    let (poses, motions, forms) = (bodies.poses.base, bodies.motions.base, bodies.forms.base)
    let span = Lanes(repeating: state.span)
    let reach = Lanes(repeating: speculation)
    var onePoint = contacts.onePoint.end
    var k = 0
    while k < count {
      let p = PairLanes(rowsA, rowsB, at: k, poses)
      let (avx, avy, _, _) = gatherVelocities(motions, p.a)
      let (bvx, bvy, _, _) = gatherVelocities(motions, p.b)
      let radiusA = radii(forms, p.a)
      let radiusB = radii(forms, p.b)
      let dx = p.bx - p.ax
      let dy = p.by - p.ay
      let squared = dx * dx + dy * dy
      let apart = squared .> 1e-8
      let distance = squared.squareRoot()
      let inverse = 1 / select(apart, distance, Lanes(repeating: 1))
      let nx = select(apart, dx * inverse, .zero)
      let ny = select(apart, dy * inverse, Lanes(repeating: 1))
      let gap = distance - radiusA - radiusB
      let approach = (bvx - avx) * nx + (bvy - avy) * ny
      let near = (gap + least(approach * span, .zero)) .< reach
      let mask = moveMask(near) & tailMask(k, count)
      if mask != 0 {
        let half = gap * 0.5
        onePoint.append(
          mask, p, places + k, head: (nx, ny, gap, approach),
          arms: (.zero, .zero, -(radiusA + half), radiusB + half))
      }
      k += 4
    }
    assert(onePoint.count < contacts.onePoint.rows.capacity)
    contacts.onePoint.count = onePoint.count
  }

  @inline(__always)
  private func radii(_ forms: UnsafeMutablePointer<Lanes>, _ rows: IntLanes) -> Lanes {
    Lanes(forms[Int(rows.x)].z, forms[Int(rows.y)].z, forms[Int(rows.z)].z, forms[Int(rows.w)].z)
  }

}
