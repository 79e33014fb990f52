extension WorldStorage {
  /// Contacts that involve a polygon, one pair at a time.
  func collidePolygons() {
    let list = pairLists.polygons
    for k in 0..<list.count {
      let a = Int(list.a[k])
      let b = Int(list.b[k])
      let approach =
        Vector2(motions[2 * b].x, motions[2 * b].y) - Vector2(motions[2 * a].x, motions[2 * a].y)
      let turning =
        magnitude(motions[2 * a].z) * forms[a].w + magnitude(motions[2 * b].z) * forms[b].w
      let sweep = (approach.length + turning) * span
      let manifold = Manifold.between(
        placedCore(row: a), radius: forms[a].z, placedCore(row: b), radius: forms[b].z,
        reach: Lookup.speculation + sweep)
      if manifold.count == 1 {
        appendOne(manifold, a, b, pair: list.pair[k])
      } else if manifold.count == 2 {
        appendTwo(manifold, a, b, pair: list.pair[k])
      }
    }
  }

  /// A body's core, where the body is.
  @inline(__always)
  func placedCore(row: Int) -> ConvexCore {
    let pose = poses[row]
    return shape(ofSlot: Int(rowSlots[row])).core.placed(
      Rotation(cosine: pose.z, sine: pose.w), at: Vector2(pose.x, pose.y))
  }

  /// Arm × normal of both bodies, arm × tangent of both, and the approach speed.
  private func arms(
    _ p: Vector2, _ n: Vector2, _ a: Int, _ b: Int
  ) -> (arms: Lanes, approach: Float) {
    let ra = p - Vector2(poses[a].x, poses[a].y)
    let rb = p - Vector2(poses[b].x, poses[b].y)
    let arms = Lanes(ra.cross(n), rb.cross(n), -ra.dot(n), -rb.dot(n))
    let (va, vb) = (motions[2 * a], motions[2 * b])
    let straight = (vb.x - va.x) * n.x + (vb.y - va.y) * n.y
    return (arms, straight + arms.y * vb.z - arms.x * va.z)
  }

  private func appendOne(_ m: Manifold, _ a: Int, _ b: Int, pair: Int32) {
    let (arms, approach) = arms(m.first.position, m.normal, a, b)
    let at = records.oneCount
    records.oneRows[at] = ContactRows(a: Int32(a), b: Int32(b), pair: pair, colour: 0)
    records.one[at] = OnePointRecord(
      head: Lanes(m.normal.x, m.normal.y, m.first.separation, approach), arms: arms)
    records.oneCount = at + 1
  }

  private func appendTwo(_ m: Manifold, _ a: Int, _ b: Int, pair: Int32) {
    // Sorted along the tangent, as the box kernel does, so that impulses find their points again.
    let tangent = Vector2(m.normal.y, -m.normal.x)
    let inOrder = (m.second.position - m.first.position).dot(tangent) >= 0
    let (p, q) = inOrder ? (m.first, m.second) : (m.second, m.first)
    let (firstArms, firstApproach) = arms(p.position, m.normal, a, b)
    let (secondArms, secondApproach) = arms(q.position, m.normal, a, b)
    let at = records.twoCount
    records.twoRows[at] = ContactRows(a: Int32(a), b: Int32(b), pair: pair, colour: 0)
    records.two[at] = TwoPointRecord(
      head: Lanes(m.normal.x, m.normal.y, p.separation, q.separation), first: firstArms,
      second: secondArms, approach: Lanes(firstApproach, secondApproach, 0, 0))
    records.twoCount = at + 1
  }
}

@inline(__always)
func magnitude(_ a: Float) -> Float { a < 0 ? -a : a }
