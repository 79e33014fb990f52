// Contacts of bodies with each other, a function for each pair of forms.

extension WorldStorage {
  // MARK: Circles

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

  // MARK: Boxes with circles

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

  // MARK: Boxes

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

  // MARK: Polygons

  /// Contacts that involve a polygon, one pair at a time.
  func collidePolygons() {
    let (rowsA, rowsB, places) = pairLists.polygons.columns
    for k in 0..<pairLists.polygons.count {
      let (a, b) = (Int(rowsA[k]), Int(rowsB[k]))
      assert(a < b && b < bodies.rowCount, "the lower row comes first")
      let approach =
        Vector2(bodies.motions[2 * b].x, bodies.motions[2 * b].y)
        - Vector2(bodies.motions[2 * a].x, bodies.motions[2 * a].y)
      let turning =
        magnitude(bodies.motions[2 * a].z) * bodies.forms[a].w + magnitude(bodies.motions[2 * b].z)
        * bodies.forms[b].w
      let sweep = (approach.length + turning) * state.span
      let manifold = Manifold.between(
        placedCore(row: a), radius: bodies.forms[a].z, placedCore(row: b),
        radius: bodies.forms[b].z,
        reach: speculation + sweep)
      if manifold.count == 1 {
        appendOne(manifold, a, b, pair: places[k])
      } else if manifold.count == 2 {
        appendTwo(manifold, a, b, pair: places[k])
      }
    }
  }

  /// A body's core, where the body is.
  @inline(__always)
  func placedCore(row: Int) -> ConvexCore {
    assert(bodies.slots[row] >= 0)
    let pose = bodies.poses[row]
    return shape(ofSlot: Int(bodies.slots[row])).core.placed(
      Rotation(cosine: pose.z, sine: pose.w), at: Vector2(pose.x, pose.y))
  }

  /// Arm × normal of both bodies, arm × tangent of both, and the approach speed.
  private func arms(
    _ p: Vector2, _ n: Vector2, _ a: Int, _ b: Int
  ) -> (arms: Lanes, approach: Float) {
    let ra = p - Vector2(bodies.poses[a].x, bodies.poses[a].y)
    let rb = p - Vector2(bodies.poses[b].x, bodies.poses[b].y)
    let arms = Lanes(ra.cross(n), rb.cross(n), -ra.dot(n), -rb.dot(n))
    let (va, vb) = (bodies.motions[2 * a], bodies.motions[2 * b])
    let straight = (vb.x - va.x) * n.x + (vb.y - va.y) * n.y
    return (arms, straight + arms.y * vb.z - arms.x * va.z)
  }

  private func appendOne(_ m: Manifold, _ a: Int, _ b: Int, pair: Int32) {
    let (arms, approach) = arms(m.first.position, m.normal, a, b)
    let at = contacts.onePoint.count
    contacts.onePoint.rows[at] = ContactRows(a: Int32(a), b: Int32(b), pair: pair, colour: 0)
    contacts.onePoint.records[at] = OnePointRecord(
      head: Lanes(m.normal.x, m.normal.y, m.first.separation, approach), arms: arms)
    contacts.onePoint.count = at + 1
  }

  private func appendTwo(_ m: Manifold, _ a: Int, _ b: Int, pair: Int32) {
    // Sorted along the tangent, as the box kernel does, so that impulses find their points again.
    let tangent = Vector2(m.normal.y, -m.normal.x)
    let inOrder = (m.second.position - m.first.position).dot(tangent) >= 0
    let (p, q) = inOrder ? (m.first, m.second) : (m.second, m.first)
    let (firstArms, firstApproach) = arms(p.position, m.normal, a, b)
    let (secondArms, secondApproach) = arms(q.position, m.normal, a, b)
    let at = contacts.twoPoint.count
    contacts.twoPoint.rows[at] = ContactRows(a: Int32(a), b: Int32(b), pair: pair, colour: 0)
    contacts.twoPoint.records[at] = TwoPointRecord(
      head: Lanes(m.normal.x, m.normal.y, p.separation, q.separation), first: firstArms,
      second: secondArms, approach: Lanes(firstApproach, secondApproach, 0, 0))
    contacts.twoPoint.count = at + 1
  }
}
