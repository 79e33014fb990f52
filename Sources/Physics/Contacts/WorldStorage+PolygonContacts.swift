extension WorldStorage {
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
