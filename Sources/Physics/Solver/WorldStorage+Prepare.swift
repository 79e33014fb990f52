extension WorldStorage {
  /// Fills the batches from the records and applies the impulses that the pairs remember.
  @inline(never)
  func prepareBatches() {
    // Room for four contacts a body of each kind, so that rare crowds find it there.
    assert(batches.colourCount <= ContactBatches.colours + 1)
    assert(4 * batches.edges.count >= contacts.edges.count)
    let usual = batches.areOfWorld ? bodies.rowCount : 0
    batches.onePoint.reserve(max(batches.onePoint.count, usual))
    batches.twoPoint.reserve(max(batches.twoPoint.count, usual))
    batches.edges.reserve(max(batches.edges.count, usual / 2))
    prepareTwoPointBatches()
    prepareOnePointBatches()
    prepareEdgeBatches()
    assert(state.isRestored || velocitiesAreFinite, "remembered impulses are numbers")
  }

  @inline(never)
  private func prepareOnePointBatches() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (materials, impulses) = (bodies.materials.base, neighbours.impulses.base)
    let (rows, records) = (contacts.onePoint.rows.base, contacts.onePoint.records.base)
    for i in 0..<batches.onePoint.count {
      let lanes = batches.onePoint.lanes.base + 4 * i
      let (r0, r1, r2, r3) = four(records, lanes)
      let (nx, ny, gap, approach) = transpose(r0.head, r1.head, r2.head, r3.head)
      let arms = transpose(r0.arms, r1.arms, r2.arms, r3.arms)
      let sides = four(rows, lanes)
      let (normal, tangent, _, _) = remembered(impulses, sides)
      var (pair, restitution) = pair(sides, nx, ny, motions, materials)
      var motion = PairMotion(motions, &pair)
      batches.onePoint.base[i] = OnePointBatch(
        pair: pair,
        point: BatchPoint(
          arms, gap, pair, motion.masses, normal, tangent,
          bounce(meeting(approach, gap, sides, nx, ny), restitution)))
      motion.turn(
        arms.0 * normal + arms.2 * tangent, arms.1 * normal + arms.3 * tangent)
      motion.store(motions, normal: normal, tangent: tangent)
    }
  }

  @inline(never)
  private func prepareTwoPointBatches() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (materials, impulses) = (bodies.materials.base, neighbours.impulses.base)
    let (rows, records) = (contacts.twoPoint.rows.base, contacts.twoPoint.records.base)
    for i in 0..<batches.twoPoint.count {
      let lanes = batches.twoPoint.lanes.base + 4 * i
      let (r0, r1, r2, r3) = four(records, lanes)
      let (nx, ny, gap1, gap2) = transpose(r0.head, r1.head, r2.head, r3.head)
      let first = transpose(r0.first, r1.first, r2.first, r3.first)
      let second = transpose(r0.second, r1.second, r2.second, r3.second)
      let (v1, v2, _, _) = transpose(r0.approach, r1.approach, r2.approach, r3.approach)
      let sides = four(rows, lanes)
      let (n1, t1, n2, t2) = remembered(impulses, sides)
      var (pair, restitution) = pair(sides, nx, ny, motions, materials)
      var motion = PairMotion(motions, &pair)
      batches.twoPoint.base[i] = TwoPointBatch(
        pair: pair,
        first: BatchPoint(
          first, gap1, pair, motion.masses, n1, t1,
          bounce(meeting(v1, gap1, sides, nx, ny), restitution)),
        second: BatchPoint(
          second, gap2, pair, motion.masses, n2, t2,
          bounce(meeting(v2, gap2, sides, nx, ny), restitution)))
      motion.turn(
        first.0 * n1 + first.2 * t1 + second.0 * n2 + second.2 * t2,
        first.1 * n1 + first.3 * t1 + second.1 * n2 + second.3 * t2)
      motion.store(motions, normal: n1 + n2, tangent: t1 + t2)
    }
  }

  private func prepareEdgeBatches() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (materials, records) = (bodies.materials.base, contacts.edges.base)
    for i in 0..<batches.edges.count {
      let (r0, r1, r2, r3) = four(records, batches.edges.lanes.base + 4 * i)
      let (nx, ny, gap1, gap2) = transpose(r0.head, r1.head, r2.head, r3.head)
      let (arm1, cross1, arm2, cross2) = transpose(r0.arms, r1.arms, r2.arms, r3.arms)
      let (v1, v2, _, _) = transpose(r0.approach, r1.approach, r2.approach, r3.approach)
      let (n1, t1, n2, t2) = transpose(
        remembered(r0.pair), remembered(r1.pair), remembered(r2.pair), remembered(r3.pair))
      let rows = IntLanes(r0.row, r1.row, r2.row, r3.row)
      var (friction, restitution) = mixed(materials, rows, rows)
      if state.edgesWithMaterial > 0 {
        mixBoundaries(IntLanes(r0.pair, r1.pair, r2.pair, r3.pair), &friction, &restitution)
      }
      let at = rows &<< 5
      let pull = -(drive(along: nx, ny, rows) * perSecond)
      var motion = EdgeMotion(motions, at, inertia: loadInertias(motions, at), nx, ny)
      batches.edges.base[i] = EdgeBatch(
        nx: nx, ny: ny, body: at, inertia: motion.inertia, friction: friction,
        first: EdgePoint(
          arm1, cross1, gap1, motion, n1, t1, bounce(meeting(v1, gap1, pull), restitution)),
        second: EdgePoint(
          arm2, cross2, gap2, motion, n2, t2, bounce(meeting(v2, gap2, pull), restitution)))
      motion.turn(arm1 * n1 + cross1 * t1 + arm2 * n2 + cross2 * t2)
      motion.store(motions, normal: n1 + n2, tangent: t1 + t2)
    }
  }

  /// Who touches in four contacts, and the restitution of each.
  @inline(__always)
  private func pair(
    _ sides: (ContactRows, ContactRows, ContactRows, ContactRows), _ nx: Lanes, _ ny: Lanes,
    _ motions: UnsafeMutableRawPointer, _ materials: UnsafeMutablePointer<SIMD2<Float>>
  ) -> (BatchPair, restitution: Lanes) {
    let a = IntLanes(sides.0.a, sides.1.a, sides.2.a, sides.3.a)
    let b = IntLanes(sides.0.b, sides.1.b, sides.2.b, sides.3.b)
    let (friction, restitution) = mixed(materials, a, b)
    let (atA, atB) = (a &<< 5, b &<< 5)
    let pair = BatchPair(
      nx: nx, ny: ny, a: atA, b: atB, inertiaA: loadInertias(motions, atA),
      inertiaB: loadInertias(motions, atB), friction: friction)
    return (pair, restitution)
  }

  /// Friction and bounce of four pairs: √(a·b) and the larger restitution.
  @inline(__always)
  private func mixed(
    _ materials: UnsafeMutablePointer<SIMD2<Float>>, _ a: IntLanes, _ b: IntLanes
  ) -> (friction: Lanes, restitution: Lanes) {
    assert(a.max() <= Int32(bodies.rowCount) && b.max() <= Int32(bodies.rowCount))
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

  /// The speed of two bodies when they meet. Bodies fall alike, so that only the gap to an anchored
  /// one closes faster than they approach.
  @inline(__always)
  private func meeting(
    _ approach: Lanes, _ gap: Lanes,
    _ sides: (ContactRows, ContactRows, ContactRows, ContactRows), _ nx: Lanes, _ ny: Lanes
  ) -> Lanes {
    guard state.hasAnchoredRows else { return approach }
    let a = IntLanes(sides.0.a, sides.1.a, sides.2.a, sides.3.a)
    let b = IntLanes(sides.0.b, sides.1.b, sides.2.b, sides.3.b)
    return meeting(
      approach, gap, (drive(along: nx, ny, a) - drive(along: nx, ny, b)) * perSecond)
  }

  /// The speed with which a gap closes in the end, if it closes at `approach` now and the bodies
  /// are drawn together by `pull`: v² = v₀² + 2·pull·gap.
  @inline(__always)
  private func meeting(_ approach: Lanes, _ gap: Lanes, _ pull: Lanes) -> Lanes {
    let squared = approach * approach + Lanes(repeating: 2) * pull * most(gap, .zero)
    return select(approach .< 0, -most(squared, .zero).squareRoot(), approach)
  }

  /// What gravity and forces add along a normal to four rows' speeds in a sub-step.
  @inline(__always)
  private func drive(along nx: Lanes, _ ny: Lanes, _ rows: IntLanes) -> Lanes {
    let drives = integration.drives.base
    let (x, y, _, _) = transpose(
      drives[Int(rows.x)], drives[Int(rows.y)], drives[Int(rows.z)], drives[Int(rows.w)])
    return x * nx + y * ny
  }

  /// Sub-steps a second.
  private var perSecond: Lanes {
    Lanes(repeating: Float(PhysicsWorld.subSteps) / PhysicsWorld.tickLength)
  }

  /// The speed to leave with, negative, for approaches faster than the threshold; else 0.
  @inline(__always)
  private func bounce(_ approach: Lanes, _ restitution: Lanes) -> Lanes {
    let threshold = Lanes(repeating: -configuration.restitutionThreshold)
    return select(approach .< threshold, restitution * approach, .zero)
  }

  /// The impulses that four pairs remember: normal and tangent of the first point, of the second.
  @inline(__always)
  private func remembered(
    _ impulses: UnsafeMutablePointer<Lanes>,
    _ sides: (ContactRows, ContactRows, ContactRows, ContactRows)
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    transpose(
      sides.0.pair < 0 ? .zero : impulses[Int(sides.0.pair)],
      sides.1.pair < 0 ? .zero : impulses[Int(sides.1.pair)],
      sides.2.pair < 0 ? .zero : impulses[Int(sides.2.pair)],
      sides.3.pair < 0 ? .zero : impulses[Int(sides.3.pair)])
  }

  @inline(__always)
  private func remembered(_ edgePair: Int32) -> Lanes {
    edgePair < 0 ? .zero : edgePairs[Int(edgePair)].impulse
  }
}

/// What the four lanes of a batch stand for.
@inline(__always)
private func four<Value: BitwiseCopyable>(
  _ values: UnsafeMutablePointer<Value>, _ lanes: UnsafeMutablePointer<Int32>
) -> (Value, Value, Value, Value) {
  (values[Int(lanes[0])], values[Int(lanes[1])], values[Int(lanes[2])], values[Int(lanes[3])])
}

@inline(__always)
private func inverted(_ k: Lanes) -> Lanes {
  let moves = k .> 0
  return select(moves, 1 / select(moves, k, Lanes(repeating: 1)), .zero)
}

extension BatchPoint {
  /// A point at the start of a part of a tick; `arms` are its first four values.
  @inline(__always)
  fileprivate init(
    _ arms: (Lanes, Lanes, Lanes, Lanes), _ gap: Lanes, _ pair: BatchPair, _ masses: Lanes,
    _ normal: Lanes, _ tangent: Lanes, _ bounce: Lanes
  ) {
    let (inertiaA, inertiaB) = (pair.inertiaA, pair.inertiaB)
    self.init(
      normalArmA: arms.0, normalArmB: arms.1, tangentArmA: arms.2, tangentArmB: arms.3, gap: gap,
      normalMass: inverted(masses + inertiaA * arms.0 * arms.0 + inertiaB * arms.1 * arms.1),
      tangentMass: inverted(masses + inertiaA * arms.2 * arms.2 + inertiaB * arms.3 * arms.3),
      normalImpulse: normal, tangentImpulse: tangent, largest: .zero, bounce: bounce,
      currentGap: gap)
  }
}

extension EdgePoint {
  @inline(__always)
  fileprivate init(
    _ arm: Lanes, _ cross: Lanes, _ gap: Lanes, _ motion: EdgeMotion, _ normal: Lanes,
    _ tangent: Lanes, _ bounce: Lanes
  ) {
    self.init(
      normalArm: arm, tangentArm: cross, gap: gap,
      normalMass: inverted(motion.mass + motion.inertia * arm * arm),
      tangentMass: inverted(motion.mass + motion.inertia * cross * cross), normalImpulse: normal,
      tangentImpulse: tangent, largest: .zero, bounce: bounce)
  }
}

extension WorldStorage {
  /// Mixes the materials of boundaries that have one of their own into those of four bodies which
  /// they touch: friction √(a·b), and the larger restitution. `pairs` are places in the list of
  /// pairs with boundaries, negative for lanes that stand for none. Worlds without such boundaries
  /// don't get here.
  func mixBoundaries(_ pairs: IntLanes, _ friction: inout Lanes, _ restitution: inout Lanes) {
    assert(state.edgesWithMaterial > 0)
    for lane in 0..<4 where pairs[lane] >= 0 {
      let edge = edges[Int(edgePairs[Int(pairs[lane])].edge)]
      assert(edge.exists, "pairs go with their boundaries")
      if edge.friction >= 0 { friction[lane] = (friction[lane] * edge.friction).squareRoot() }
      if edge.restitution > restitution[lane] { restitution[lane] = edge.restitution }
    }
  }

  /// Whether a one-way piece lets a body through: until all of the body has got to the side that is
  /// solid, which is noted in the pair.
  @inline(__always)
  func passesOneWay(_ edge: EdgeRecord, row: Int, pair: Int) -> Bool {
    guard edge.isOneWay && !edge.isHalfPlane && edgePairs[pair].side < 0 else { return false }
    guard isBeyond(edge, row: row) else { return true }
    edgePairs[pair].side = 1
    return false
  }

  /// Whether a body is on the side that the normal points to, with all of it that is before or
  /// behind the segment, but for what resting contacts overlap.
  func isBeyond(_ edge: EdgeRecord, row: Int) -> Bool {
    let slot = Int(bodies.slots[row])
    guard isCompound(slot) else { return isShapeBeyond(edge, row: row) }
    return !anyShape(ofBody: owner(ofSlot: slot)) { !isShapeBeyond(edge, row: $0) }
  }

  private func isShapeBeyond(_ edge: EdgeRecord, row: Int) -> Bool {
    let center = center(ofRow: row)
    guard edge.side(of: center) > 0 else { return false }
    let manifold = EdgeManifold.between(
      edge, side: 1, core: placedCore(row: row), radius: bodies.forms[row].z, center: center,
      reach: 0)
    if manifold.count > 0 && manifold.first.separation < -Touch.release { return false }
    return manifold.count < 2 || manifold.second.separation >= -Touch.release
  }
}
