// Blows between nearly elastic bodies. The solver's passes settle all contacts of a sub-step
// together, so that what is struck while it touches others shares the blow with them at once; a
// bounce at the end cannot tell it apart again. Elastic bodies pass a blow on instead, from one to
// the next, as in Newton's cradle. So where a contact closes in this sub-step, its blow is struck
// before the passes, and those that it leads to after it. Worlds without such bodies pay nothing.

extension WorldStorage {
  /// Most sweeps over the contacts: a blow runs through as many bodies against their order.
  private static let blowSweeps = 32

  /// Whether this tick may see such blows. Contacts of elastic bodies are then found again in each
  /// sub-step, so that none comes early: those of a few as a zone of their own (`FastZone`), those
  /// of many with all others.
  var mayStrike: Bool {
    let threshold = configuration.restitutionThreshold
    return state.demands.elastic > 0 && state.largestSpeed > threshold * threshold
  }

  /// Whether such blows are struck wherever bodies touch: this part is a single sub-step.
  var everyoneMayStrike: Bool {
    let subStep = PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    return mayStrike && !zone.isOn && state.span < 1.5 * subStep
  }

  func strikeElasticBodies(_ h: Float) {
    for _ in 0..<Self.blowSweeps {
      var struck = false
      for k in 0..<contacts.twoPoint.count where isElastic(contacts.twoPoint.rows[k]) {
        let rows = contacts.twoPoint.rows[k]
        if strike(rows, &contacts.twoPoint.records.base[k], h) { struck = true }
      }
      for k in 0..<contacts.onePoint.count where isElastic(contacts.onePoint.rows[k]) {
        let rows = contacts.onePoint.rows[k]
        if strike(rows, &contacts.onePoint.records.base[k], h) { struck = true }
      }
      if !struck { break }
    }
  }

  private func isElastic(_ rows: ContactRows) -> Bool {
    let (a, b) = (bodies.materials[Int(rows.a)].y, bodies.materials[Int(rows.b)].y)
    return a >= BodyProperties.elastic || b >= BodyProperties.elastic
  }

  private func restitution(_ rows: ContactRows) -> Float {
    let (a, b) = (bodies.materials[Int(rows.a)].y, bodies.materials[Int(rows.b)].y)
    return a > b ? a : b
  }

  /// One point. The record keeps its speed of now, so that nothing bounces twice.
  private func strike(
    _ rows: ContactRows, _ record: inout OnePointRecord, _ h: Float
  ) -> Bool {
    let n = Vector2(record.head.x, record.head.y)
    let arms = record.arms
    let speed = approach(rows, n, arms.x, arms.y)
    record.head.w = speed
    guard closes(speed, record.head.z, h) else { return false }
    let k = softness(rows, arms.x, arms.y, arms.x, arms.y)
    guard k > 0 else { return false }
    assert(speed < 0, "only what closes is struck")
    let impulse = -(1 + restitution(rows)) * speed / k
    push(rows, n, arms.x, arms.y, impulse)
    clampSpeed(rows)
    record.head.w = approach(rows, n, arms.x, arms.y)
    note(rows, n, arms.x, arms.z, Hit(speed: -speed, impulse: impulse))
    return true
  }

  /// Two points: if both close, both leave as they should; a side that falls flat is no lever.
  private func strike(
    _ rows: ContactRows, _ record: inout TwoPointRecord, _ h: Float
  ) -> Bool {
    let n = Vector2(record.head.x, record.head.y)
    let (p, q) = (record.first, record.second)
    let v1 = approach(rows, n, p.x, p.y)
    let v2 = approach(rows, n, q.x, q.y)
    record.approach.x = v1
    record.approach.y = v2
    let (first, second) = (closes(v1, record.head.z, h), closes(v2, record.head.w, h))
    guard first || second else { return false }
    let k11 = softness(rows, p.x, p.y, p.x, p.y)
    let k22 = softness(rows, q.x, q.y, q.x, q.y)
    let k12 = softness(rows, p.x, p.y, q.x, q.y)
    guard k11 > 0, k22 > 0 else { return false }
    let e = 1 + restitution(rows)
    var (p1, p2): (Float, Float) = (0, 0)
    let determinant = k11 * k22 - k12 * k12
    if first && second && determinant > 0.01 * k11 * k22 {
      p1 = e * (k12 * v2 - k22 * v1) / determinant
      p2 = e * (k12 * v1 - k11 * v2) / determinant
    }
    if !(p1 > 0 && p2 > 0) {
      let useFirst = first && (!second || v1 <= v2)
      p1 = useFirst ? -e * v1 / k11 : 0
      p2 = useFirst ? 0 : -e * v2 / k22
    }
    assert(state.isRestored || (p1 >= 0 && p2 >= 0), "a blow never pulls")
    push(rows, n, p.x, p.y, p1)
    push(rows, n, q.x, q.y, p2)
    clampSpeed(rows)
    record.approach.x = approach(rows, n, p.x, p.y)
    record.approach.y = approach(rows, n, q.x, q.y)
    note(
      rows, n, p1 > 0 ? p.x : q.x, p1 > 0 ? p.z : q.z,
      Hit(speed: -(v1 < v2 ? v1 : v2), impulse: p1 + p2))
    return true
  }

  /// A blow counts as touching, even if the solver passes find no pressing contact afterwards.
  private func note(
    _ rows: ContactRows, _ n: Vector2, _ normalArm: Float, _ tangentArm: Float, _ hit: Hit
  ) {
    assert(rows.pair >= 0 && Int(rows.pair) < neighbours.count)
    let old = neighbours.touches[Int(rows.pair)]
    neighbours.touches[Int(rows.pair)] = old | 2
    if old == 0 { begin(rows.pair, rows.a &<< 5, rows.b &<< 5, n, normalArm, tangentArm, hit) }
  }

  /// Whether a gap closes within two sub-steps: the relax pass of this one looks ahead to the next.
  private func closes(_ speed: Float, _ gap: Float, _ h: Float) -> Bool {
    speed < -configuration.restitutionThreshold && gap + 2 * speed * h <= 0
  }

  private func approach(
    _ rows: ContactRows, _ n: Vector2, _ armA: Float, _ armB: Float
  ) -> Float {
    let (a, b) = (bodies.motions[2 * Int(rows.a)], bodies.motions[2 * Int(rows.b)])
    return (b.x - a.x) * n.x + (b.y - a.y) * n.y + armB * b.z - armA * a.z
  }

  /// How much an impulse along one point's normal changes the speed at another's.
  private func softness(
    _ rows: ContactRows, _ armA: Float, _ armB: Float, _ otherA: Float, _ otherB: Float
  ) -> Float {
    let (a, b) = (2 * Int(rows.a), 2 * Int(rows.b))
    return bodies.motions[a].w + bodies.motions[b].w + armA * otherA * bodies.motions[a + 1].w
      + armB * otherB * bodies.motions[b + 1].w
  }

  private func push(
    _ rows: ContactRows, _ n: Vector2, _ armA: Float, _ armB: Float, _ impulse: Float
  ) {
    let (a, b) = (2 * Int(rows.a), 2 * Int(rows.b))
    let (ma, mb) = (bodies.motions[a].w * impulse, bodies.motions[b].w * impulse)
    bodies.motions[a] -= Lanes(n.x * ma, n.y * ma, armA * bodies.motions[a + 1].w * impulse, 0)
    bodies.motions[b] += Lanes(n.x * mb, n.y * mb, armB * bodies.motions[b + 1].w * impulse, 0)
  }

  /// Clamp speeds only after all impulses of a blow are applied; clamping one body first would
  /// create energy.
  private func clampSpeed(_ rows: ContactRows) {
    clampSpeed(Int(rows.a))
    clampSpeed(Int(rows.b))
  }
}
