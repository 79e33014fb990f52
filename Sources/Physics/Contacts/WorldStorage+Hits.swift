// How hard two things hit each other that begin to touch. It is worked out only then, from what the
// solve has left behind: the speeds before are in the contacts' records, those after in the bodies.
// The solver tracks no impulses for it.

/// How hard two things hit each other.
struct Hit {
  /// Speed along the normal at which they met, in pt/s.
  var speed: Float = 0
  /// What that took, and gave back, in mass·pt/s.
  var impulse: Float = 0
}

/// A point of a contact that has just begun.
private struct HitPoint {
  /// Speed along the normal before and after the solve; negative closes the gap.
  var before: Float
  var after: Float
  /// Gap before the solve, in points.
  var gap: Float
  /// The impulse that changes the speed by 1.
  var mass: Float
  /// The largest impulse of a sub-step.
  var pressed: Float

  /// Leaves out of the speed afterwards what forces did to it. What comes as far as to touch in the
  /// last sub-step is stopped in the next one: what is left of its approach counts as taken.
  mutating func follow(_ forced: Float) { after = (after > 0 ? after : 0) + forced }

  /// Impulse that the change of speed took, if the other point did nothing.
  var alone: Float { mass * (after - before) }

  /// Speed at which the gap closes in the end, if the two are drawn together by `pull`:
  /// v² = v₀² + 2·pull·gap.
  func meeting(_ pull: Float) -> Float {
    let closing = before < 0 ? before : 0
    let squared = closing * closing + 2 * pull * (gap > 0 ? gap : 0)
    return squared > 0 ? squared.squareRoot() : 0
  }
}

extension WorldStorage {
  @inline(never)
  func hit(_ batch: OnePointBatch, _ place: Int32, _ lane: Int) -> Hit {
    let rows = contacts.onePoint.rows[Int(place)]
    let record = contacts.onePoint.records[Int(place)]
    let n = Vector2(record.head.x, record.head.y)
    let point = HitPoint(
      before: record.head.w, after: parting(rows, n, record.arms.x, record.arms.y),
      gap: record.head.z, mass: batch.point.normalMass[lane], pressed: batch.point.largest[lane])
    return hit(point, nil, shared: 0, pull: pull(rows, n))
  }

  @inline(never)
  func hit(_ batch: TwoPointBatch, _ place: Int32, _ lane: Int) -> Hit {
    let rows = contacts.twoPoint.rows[Int(place)]
    let record = contacts.twoPoint.records[Int(place)]
    let n = Vector2(record.head.x, record.head.y)
    let (p, q) = (record.first, record.second)
    let first = HitPoint(
      before: record.approach.x, after: parting(rows, n, p.x, p.y), gap: record.head.z,
      mass: batch.first.normalMass[lane], pressed: batch.first.largest[lane])
    let second = HitPoint(
      before: record.approach.y, after: parting(rows, n, q.x, q.y), gap: record.head.w,
      mass: batch.second.normalMass[lane], pressed: batch.second.largest[lane])
    let (a, b) = (2 * Int(rows.a), 2 * Int(rows.b))
    let shared =
      bodies.motions[a].w + bodies.motions[b].w + p.x * q.x * bodies.motions[a + 1].w
      + p.y * q.y * bodies.motions[b + 1].w
    return hit(first, second, shared: shared, pull: pull(rows, n))
  }

  @inline(never)
  func hit(_ batch: EdgeBatch, _ place: Int32, _ lane: Int) -> Hit {
    let record = contacts.edges[Int(place)]
    let row = Int(record.row)
    let n = Vector2(record.head.x, record.head.y)
    let (v, inertia) = (bodies.motions[2 * row], bodies.motions[2 * row + 1].w)
    let straight = v.x * n.x + v.y * n.y
    let first = HitPoint(
      before: record.approach.x, after: straight + record.arms.x * v.z, gap: record.head.z,
      mass: batch.first.normalMass[lane], pressed: batch.first.largest[lane])
    let second = HitPoint(
      before: record.approach.y, after: straight + record.arms.z * v.z, gap: record.head.w,
      mass: batch.second.normalMass[lane], pressed: batch.second.largest[lane])
    let shared = v.w + record.arms.x * record.arms.z * inertia
    return hit(first, second, shared: shared, pull: -(drive(ofRow: row).dot(n)))
  }

  /// What two points, or one, took together. `shared` is how much an impulse at one of them changes
  /// the speed at the other, `pull` the acceleration with which forces close the gap.
  private func hit(
    _ first: HitPoint, _ second: HitPoint?, shared: Float, pull: Float
  ) -> Hit {
    let time =
      batches.areOfWorld ? state.span : PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    // What forces did to the speeds is not the contact's.
    var p = first
    p.follow(pull * time)
    // Where others push the two as well, the change of their speed says too little.
    guard var q = second, q.pressed > 0 else {
      return Hit(speed: p.meeting(pull), impulse: larger(p.alone, p.pressed))
    }
    q.follow(pull * time)
    guard p.pressed > 0 else {
      return Hit(speed: q.meeting(pull), impulse: larger(q.alone, q.pressed))
    }
    return Hit(
      speed: larger(p.meeting(pull), q.meeting(pull)),
      impulse: larger(together(p, q, shared), p.pressed + q.pressed))
  }

  /// The impulses that changed the speeds at two points, each of which acts on the other as well.
  private func together(_ p: HitPoint, _ q: HitPoint, _ shared: Float) -> Float {
    guard p.mass > 0, q.mass > 0 else { return 0 }
    let (change, otherChange) = (p.after - p.before, q.after - q.before)
    let (own, others) = (1 / p.mass, 1 / q.mass)
    let determinant = own * others - shared * shared
    // Points that all but lie on each other.
    guard determinant > 0.01 * own * others else { return larger(p.alone, q.alone) }
    let first = (others * change - shared * otherChange) / determinant
    let second = (own * otherChange - shared * change) / determinant
    guard first > 0, second > 0 else { return larger(p.alone, q.alone) }
    return first + second
  }

  /// Speed at which two rows part now, at a point with these arms.
  private func parting(
    _ rows: ContactRows, _ n: Vector2, _ armA: Float, _ armB: Float
  ) -> Float {
    assert(Int(rows.a) < bodies.rowCount && Int(rows.b) < bodies.rowCount)
    let (a, b) = (bodies.motions[2 * Int(rows.a)], bodies.motions[2 * Int(rows.b)])
    return (b.x - a.x) * n.x + (b.y - a.y) * n.y + armB * b.z - armA * a.z
  }

  private func pull(_ rows: ContactRows, _ n: Vector2) -> Float {
    (drive(ofRow: Int(rows.a)) - drive(ofRow: Int(rows.b))).dot(n)
  }

  /// The acceleration that gravity and forces give to a row, in pt/s².
  private func drive(ofRow row: Int) -> Vector2 {
    let drive = integration.drives[row]
    return Vector2(drive.x, drive.y) * (Float(PhysicsWorld.subSteps) / PhysicsWorld.tickLength)
  }

  private func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
}
