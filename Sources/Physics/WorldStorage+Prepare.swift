extension WorldStorage {
  /// Fills the batches from the records and applies the impulses that the pairs remember.
  @inline(never)
  func prepareBatches() {
    // Room for four contacts a body of each kind, so that rare crowds find it there.
    batches.ones.reserve(max(batches.ones.count, bodies.rowCount))
    batches.twos.reserve(max(batches.twos.count, bodies.rowCount))
    batches.edges.reserve(max(batches.edges.count, bodies.rowCount / 2))
    prepareTwoPointBatches()
    prepareOnePointBatches()
    prepareEdgeBatches()
  }

  /// Friction and bounce of four pairs: √(a·b) and the larger restitution.
  @inline(__always)
  private func mixed(
    _ materials: UnsafeMutablePointer<SIMD2<Float>>, _ a: IntLanes, _ b: IntLanes
  ) -> (friction: Lanes, restitution: Lanes) {
    if propertyTable.count == 1 {
      let all = materials[0]
      return (Lanes(repeating: all.x * all.x), Lanes(repeating: all.y))
    }
    let (a0, a1, a2, a3) = (
      materials[Int(a.x)], materials[Int(a.y)], materials[Int(a.z)], materials[Int(a.w)]
    )
    let (b0, b1, b2, b3) = (
      materials[Int(b.x)], materials[Int(b.y)], materials[Int(b.z)], materials[Int(b.w)]
    )
    let friction = Lanes(a0.x, a1.x, a2.x, a3.x) * Lanes(b0.x, b1.x, b2.x, b3.x)
    return (friction, most(Lanes(a0.y, a1.y, a2.y, a3.y), Lanes(b0.y, b1.y, b2.y, b3.y)))
  }

  /// The speed to leave with, negative, for approaches faster than the threshold; else 0.
  @inline(__always)
  private func bounce(_ approach: Lanes, _ restitution: Lanes) -> Lanes {
    let threshold = Lanes(repeating: -configuration.restitutionThreshold)
    return select(approach .< threshold, restitution * approach, .zero)
  }

  @inline(__always)
  private func inverted(_ k: Lanes) -> Lanes {
    let moves = k .> 0
    return select(moves, 1 / select(moves, k, Lanes(repeating: 1)), .zero)
  }

  @inline(never)
  private func prepareOnePointBatches() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (rows, records, lanes) = (
      contacts.ones.rows.base, contacts.ones.records.base, batches.ones.lanes.base
    )
    let (materials, impulses) = (bodies.materials.base, neighbours.impulses.base)
    var c = batches.ones.base
    for i in 0..<batches.ones.count {
      let (k0, k1) = (Int(lanes[4 * i]), Int(lanes[4 * i + 1]))
      let (k2, k3) = (Int(lanes[4 * i + 2]), Int(lanes[4 * i + 3]))
      let (nx, ny, gap, approach) = transpose(
        records[k0].head, records[k1].head, records[k2].head, records[k3].head)
      let (armA, armB, crossA, crossB) = transpose(
        records[k0].arms, records[k1].arms, records[k2].arms, records[k3].arms)
      let (r0, r1, r2, r3) = (rows[k0], rows[k1], rows[k2], rows[k3])
      let (normal, tangent, _, _) = transpose(
        remembered(impulses, r0.pair), remembered(impulses, r1.pair),
        remembered(impulses, r2.pair), remembered(impulses, r3.pair))
      let a = IntLanes(r0.a, r1.a, r2.a, r3.a)
      let b = IntLanes(r0.b, r1.b, r2.b, r3.b)
      let (friction, restitution) = mixed(materials, a, b)
      let (ia, ib) = (a &<< 5, b &<< 5)
      let (avx, avy, aw, aMass) = loadVelocities(motions, ia)
      let (bvx, bvy, bw, bMass) = loadVelocities(motions, ib)
      let inertiaA = loadInertias(motions, ia)
      let inertiaB = loadInertias(motions, ib)
      let masses = aMass + bMass
      c.pointee = OnePointBatch(
        nx: nx, ny: ny, normalArmA: armA, normalArmB: armB, tangentArmA: crossA,
        tangentArmB: crossB, gap: gap,
        normalMass: inverted(masses + inertiaA * armA * armA + inertiaB * armB * armB),
        tangentMass: inverted(masses + inertiaA * crossA * crossA + inertiaB * crossB * crossB),
        normalImpulse: normal, tangentImpulse: tangent, largest: .zero,
        bounce: bounce(approach, restitution), a: ia, b: ib, currentGap: gap, inertiaA: inertiaA,
        inertiaB: inertiaB, friction: friction)
      let px = nx * normal + ny * tangent
      let py = ny * normal - nx * tangent
      storeVelocities(
        motions, ia, avx - aMass * px, avy - aMass * py,
        aw - inertiaA * (armA * normal + crossA * tangent), aMass)
      storeVelocities(
        motions, ib, bvx + bMass * px, bvy + bMass * py,
        bw + inertiaB * (armB * normal + crossB * tangent), bMass)
      c += 1
    }
  }

  @inline(__always)
  private func remembered(_ impulses: UnsafeMutablePointer<Lanes>, _ pair: Int32) -> Lanes {
    pair < 0 ? .zero : impulses[Int(pair)]
  }

  @inline(never)
  private func prepareTwoPointBatches() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (rows, records, lanes) = (
      contacts.twos.rows.base, contacts.twos.records.base, batches.twos.lanes.base
    )
    let (materials, impulses) = (bodies.materials.base, neighbours.impulses.base)
    var c = batches.twos.base
    for i in 0..<batches.twos.count {
      let (k0, k1) = (Int(lanes[4 * i]), Int(lanes[4 * i + 1]))
      let (k2, k3) = (Int(lanes[4 * i + 2]), Int(lanes[4 * i + 3]))
      let (nx, ny, gap1, gap2) = transpose(
        records[k0].head, records[k1].head, records[k2].head, records[k3].head)
      let first = transpose(
        records[k0].first, records[k1].first, records[k2].first, records[k3].first)
      let second = transpose(
        records[k0].second, records[k1].second, records[k2].second, records[k3].second)
      let (v1, v2, _, _) = transpose(
        records[k0].approach, records[k1].approach, records[k2].approach, records[k3].approach)
      let (r0, r1, r2, r3) = (rows[k0], rows[k1], rows[k2], rows[k3])
      let (n1, t1, n2, t2) = transpose(
        remembered(impulses, r0.pair), remembered(impulses, r1.pair),
        remembered(impulses, r2.pair), remembered(impulses, r3.pair))
      let a = IntLanes(r0.a, r1.a, r2.a, r3.a)
      let b = IntLanes(r0.b, r1.b, r2.b, r3.b)
      let (friction, restitution) = mixed(materials, a, b)
      let (ia, ib) = (a &<< 5, b &<< 5)
      let (avx, avy, aw, aMass) = loadVelocities(motions, ia)
      let (bvx, bvy, bw, bMass) = loadVelocities(motions, ib)
      let inertiaA = loadInertias(motions, ia)
      let inertiaB = loadInertias(motions, ib)
      let masses = aMass + bMass
      c.pointee = TwoPointBatch(
        nx: nx, ny: ny, a: ia, b: ib, inertiaA: inertiaA, inertiaB: inertiaB, friction: friction,
        first: point(
          first, gap1, masses, inertiaA, inertiaB, n1, t1, bounce(v1, restitution)),
        second: point(
          second, gap2, masses, inertiaA, inertiaB, n2, t2, bounce(v2, restitution)))
      let (normal, tangent) = (n1 + n2, t1 + t2)
      let px = nx * normal + ny * tangent
      let py = ny * normal - nx * tangent
      let turnA = first.0 * n1 + first.2 * t1 + second.0 * n2 + second.2 * t2
      let turnB = first.1 * n1 + first.3 * t1 + second.1 * n2 + second.3 * t2
      storeVelocities(
        motions, ia, avx - aMass * px, avy - aMass * py, aw - inertiaA * turnA, aMass)
      storeVelocities(
        motions, ib, bvx + bMass * px, bvy + bMass * py, bw + inertiaB * turnB, bMass)
      c += 1
    }
  }

  @inline(__always)
  private func point(
    _ arms: (Lanes, Lanes, Lanes, Lanes), _ gap: Lanes, _ masses: Lanes, _ inertiaA: Lanes,
    _ inertiaB: Lanes, _ normal: Lanes, _ tangent: Lanes, _ bounce: Lanes
  ) -> BatchPoint {
    BatchPoint(
      normalArmA: arms.0, normalArmB: arms.1, tangentArmA: arms.2, tangentArmB: arms.3, gap: gap,
      normalMass: inverted(
        masses + inertiaA * arms.0 * arms.0 + inertiaB * arms.1 * arms.1),
      tangentMass: inverted(
        masses + inertiaA * arms.2 * arms.2 + inertiaB * arms.3 * arms.3),
      normalImpulse: normal, tangentImpulse: tangent, largest: .zero, bounce: bounce,
      currentGap: gap)
  }

  private func prepareEdgeBatches() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let lanes = batches.edges.lanes.base
    let records = contacts.edges.base
    let materials = bodies.materials.base
    var c = batches.edges.base
    for i in 0..<batches.edges.count {
      let (k0, k1) = (Int(lanes[4 * i]), Int(lanes[4 * i + 1]))
      let (k2, k3) = (Int(lanes[4 * i + 2]), Int(lanes[4 * i + 3]))
      let (nx, ny, gap1, gap2) = transpose(
        records[k0].head, records[k1].head, records[k2].head, records[k3].head)
      let (arm1, cross1, arm2, cross2) = transpose(
        records[k0].arms, records[k1].arms, records[k2].arms, records[k3].arms)
      let (n1, t1, n2, t2) = transpose(
        rememberedEdge(records[k0].pair), rememberedEdge(records[k1].pair),
        rememberedEdge(records[k2].pair), rememberedEdge(records[k3].pair))
      let rows = IntLanes(records[k0].row, records[k1].row, records[k2].row, records[k3].row)
      let (friction, restitution) = mixed(materials, rows, rows)
      let at = rows &<< 5
      let (vx, vy, spin, mass) = loadVelocities(motions, at)
      let inertia = loadInertias(motions, at)
      let (v1, v2, _, _) = transpose(
        records[k0].approach, records[k1].approach, records[k2].approach, records[k3].approach)
      c.pointee = EdgeBatch(
        nx: nx, ny: ny, body: at, inverseMass: mass, inverseInertia: inertia, friction: friction,
        first: edgePoint(
          arm1, cross1, gap1, mass, inertia, n1, t1, bounce(v1, restitution)),
        second: edgePoint(
          arm2, cross2, gap2, mass, inertia, n2, t2, bounce(v2, restitution)))
      let (normal, tangent) = (n1 + n2, t1 + t2)
      storeVelocities(
        motions, at, vx + mass * (nx * normal + ny * tangent),
        vy + mass * (ny * normal - nx * tangent),
        spin + inertia * (arm1 * n1 + cross1 * t1 + arm2 * n2 + cross2 * t2), mass)
      c += 1
    }
  }

  @inline(__always)
  private func rememberedEdge(_ pair: Int32) -> Lanes {
    pair < 0 ? .zero : edgePairs[Int(pair)].impulse
  }

  @inline(__always)
  private func edgePoint(
    _ arm: Lanes, _ cross: Lanes, _ gap: Lanes, _ mass: Lanes, _ inertia: Lanes, _ normal: Lanes,
    _ tangent: Lanes, _ bounce: Lanes
  ) -> EdgePoint {
    EdgePoint(
      normalArm: arm, tangentArm: cross, gap: gap,
      normalMass: inverted(mass + inertia * arm * arm),
      tangentMass: inverted(mass + inertia * cross * cross), normalImpulse: normal,
      tangentImpulse: tangent, largest: .zero, bounce: bounce)
  }

}
