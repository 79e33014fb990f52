// One pass over the batches, the hottest loops there are. `biased` is a constant wherever these are
// called, so that each becomes two loops without branches: the bias pass reads the gap that the
// last relax pass left, the relax pass computes it anew and adds friction.

extension WorldStorage {
  /// Pushes overlap apart, and lets a gap close by at most its own width.
  @inline(never)
  func passBiased(_ soft: Softness, _ edgeSoft: Softness) { pass(soft, edgeSoft, biased: true) }

  /// Takes the speed of the pushing out again and applies friction.
  @inline(never)
  func passRelaxed(_ soft: Softness, _ edgeSoft: Softness) { pass(soft, edgeSoft, biased: false) }

  /// Colour by colour, so that no batch waits for what another one has just written; boundaries
  /// have the last word.
  @_transparent
  private func pass(_ soft: Softness, _ edgeSoft: Softness, biased: Bool) {
    assert(batches.colourCount <= ContactBatches.colours + 1)
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (one, two) = (batches.onePoint.base, batches.twoPoint.base)
    let (onePoint, twoPoint) = (batches.onePoint.starts.base, batches.twoPoint.starts.base)
    for colour in 0..<batches.colourCount {
      solve(
        motions, two + Int(twoPoint[colour]), Int(twoPoint[colour + 1] - twoPoint[colour]), soft,
        biased: biased)
      solve(
        motions, one + Int(onePoint[colour]), Int(onePoint[colour + 1] - onePoint[colour]), soft,
        biased: biased)
    }
    solve(motions, batches.edges.base, batches.edges.count, edgeSoft, biased: biased)
  }
}

@_transparent
private func solve(
  _ motions: UnsafeMutableRawPointer, _ batches: UnsafeMutablePointer<OnePointBatch>, _ count: Int,
  _ soft: Softness, biased: Bool
) {
  var c = batches
  for _ in 0..<count {
    var motion = PairMotion(motions, &c.pointee.pair)
    if !biased {
      let (adx, ady, adt, _) = loadMoves(motions, c.pointee.pair.a)
      let (bdx, bdy, bdt, _) = loadMoves(motions, c.pointee.pair.b)
      c.pointee.point.currentGap =
        c.pointee.point.gap + (bdx - adx) * c.pointee.pair.nx + (bdy - ady) * c.pointee.pair.ny
        + c.pointee.point.normalArmB * bdt - c.pointee.point.normalArmA * adt
    }
    let normal = motion.solveNormal(&c.pointee.point, soft, biased: biased)
    if biased {
      motion.store(motions, normal: normal)
    } else {
      var sliding = motion.sliding
      let tangent = motion.solveFriction(&c.pointee.point, &sliding, c.pointee.pair.friction)
      motion.store(motions, normal: normal, tangent: tangent)
    }
    c += 1
  }
}

@_transparent
private func solve(
  _ motions: UnsafeMutableRawPointer, _ batches: UnsafeMutablePointer<TwoPointBatch>, _ count: Int,
  _ soft: Softness, biased: Bool
) {
  var c = batches
  for _ in 0..<count {
    var motion = PairMotion(motions, &c.pointee.pair)
    if !biased {
      let (adx, ady, adt, _) = loadMoves(motions, c.pointee.pair.a)
      let (bdx, bdy, bdt, _) = loadMoves(motions, c.pointee.pair.b)
      let parted = (bdx - adx) * c.pointee.pair.nx + (bdy - ady) * c.pointee.pair.ny
      c.pointee.first.move(parted, turns: adt, bdt)
      c.pointee.second.move(parted, turns: adt, bdt)
    }
    let normal = motion.solveNormals(&c.pointee.first, &c.pointee.second, soft, biased: biased)
    if biased {
      motion.store(motions, normal: normal)
    } else {
      var sliding = motion.sliding
      let firstTangent = motion.solveFriction(&c.pointee.first, &sliding, c.pointee.pair.friction)
      let secondTangent = motion.solveFriction(&c.pointee.second, &sliding, c.pointee.pair.friction)
      motion.store(motions, normal: normal, tangent: firstTangent + secondTangent)
    }
    c += 1
  }
}

@_transparent
private func solve(
  _ motions: UnsafeMutableRawPointer, _ batches: UnsafeMutablePointer<EdgeBatch>, _ count: Int,
  _ soft: Softness, biased: Bool
) {
  var c = batches
  for _ in 0..<count {
    let (nx, ny) = (c.pointee.nx, c.pointee.ny)
    var motion = EdgeMotion(motions, c.pointee.body, inertia: c.pointee.inertia, nx, ny)
    let (dx, dy, turn, _) = loadMoves(motions, c.pointee.body)
    let parted = dx * nx + dy * ny
    let normal = motion.solveNormals(
      &c.pointee.first, &c.pointee.second, parted, turn, soft, biased: biased)
    var along = motion.mass * normal
    var across = Lanes.zero
    if biased {
      // Whatever spins and presses: no centre passes a boundary within the sub-step.
      let point = c.pointee.first
      let center = point.tangentArm + Lanes(repeating: 0.5) * point.gap + parted
      along += most(-(most(center, .zero) * soft.rate) - (motion.parting + along), .zero)
    } else {
      var sliding = motion.sliding
      let first = motion.solveFriction(&c.pointee.first, &sliding, c.pointee.friction)
      let second = motion.solveFriction(&c.pointee.second, &sliding, c.pointee.friction)
      across = motion.mass * (first + second)
    }
    motion.store(motions, parting: along, sliding: across)
    c += 1
  }
}

extension BatchPoint {
  /// Adds to the impulse along the normal.
  @_transparent
  fileprivate mutating func addNormalImpulse(_ impulse: Lanes) {
    normalImpulse += impulse
    largest = most(largest, normalImpulse)
  }

  /// The gap now that the bodies have moved.
  @_transparent
  fileprivate mutating func move(_ parted: Lanes, turns turnA: Lanes, _ turnB: Lanes) {
    currentGap = gap + parted + normalArmB * turnB - normalArmA * turnA
  }
}

extension PairMotion {
  /// Solves the only point of a contact along the normal. Returns the impulse.
  @_transparent
  fileprivate mutating func solveNormal(
    _ point: inout BatchPoint, _ soft: Softness, biased: Bool
  ) -> Lanes {
    let demand = demand(of: point, parting, soft, biased: biased)
    let impulse = most(-demand.excess, -demand.removable)
    point.addNormalImpulse(impulse)
    turn(impulse, point.normalArmA, point.normalArmB)
    return impulse
  }

  /// Solves two points along the normal together. Returns the sum of the impulses.
  @_transparent
  fileprivate mutating func solveNormals(
    _ p: inout BatchPoint, _ q: inout BatchPoint, _ soft: Softness, biased: Bool
  ) -> Lanes {
    let parting = parting
    let (first, second) = solveTogether(
      demand(of: p, parting, soft, biased: biased), demand(of: q, parting, soft, biased: biased),
      speedAtOther(p, q))
    p.addNormalImpulse(first)
    q.addNormalImpulse(second)
    turn(
      p.normalArmA * first + q.normalArmA * second, p.normalArmB * first + q.normalArmB * second)
    return first + second
  }

  @_transparent
  private func demand(
    of point: BatchPoint, _ parting: Lanes, _ soft: Softness, biased: Bool
  ) -> PointDemand {
    soft.demand(
      speed(parting, point.normalArmA, point.normalArmB), point.currentGap, point.normalMass,
      point.normalImpulse, biased: biased)
  }

  /// Solves a point along the tangent.
  @_transparent
  fileprivate mutating func solveFriction(
    _ point: inout BatchPoint, _ sliding: inout Lanes, _ friction: Lanes
  ) -> Lanes {
    let (armA, armB) = (point.tangentArmA, point.tangentArmB)
    let old = point.tangentImpulse
    let new = frictionImpulse(
      speed(sliding, armA, armB), point.tangentMass, old, limit: friction * point.normalImpulse)
    let impulse = new - old
    point.tangentImpulse = new
    sliding += masses * impulse
    turn(impulse, armA, armB)
    return impulse
  }
}

extension EdgePoint {
  /// Adds to the impulse along the normal.
  @_transparent
  fileprivate mutating func addNormalImpulse(_ impulse: Lanes) {
    normalImpulse += impulse
    largest = most(largest, normalImpulse)
  }
}

extension EdgeMotion {
  /// Solves both points along the normal together, for how far the centre has parted and the body
  /// turned. Returns the sum of the impulses.
  @_transparent
  fileprivate mutating func solveNormals(
    _ p: inout EdgePoint, _ q: inout EdgePoint, _ parted: Lanes, _ turned: Lanes,
    _ soft: Softness, biased: Bool
  ) -> Lanes {
    let parting = parting
    let (first, second) = solveTogether(
      demand(of: p, parting, parted, turned, soft, biased: biased),
      demand(of: q, parting, parted, turned, soft, biased: biased),
      speedAtOther(p, q))
    p.addNormalImpulse(first)
    q.addNormalImpulse(second)
    turn(p.normalArm * first + q.normalArm * second)
    return first + second
  }

  @_transparent
  private func demand(
    of point: EdgePoint, _ parting: Lanes, _ parted: Lanes, _ turned: Lanes, _ soft: Softness,
    biased: Bool
  ) -> PointDemand {
    soft.edgeDemand(
      speed(parting, point.normalArm), point.gap + parted + point.normalArm * turned,
      point.normalMass, point.normalImpulse, biased: biased)
  }

  /// Solves a point along the tangent.
  @_transparent
  fileprivate mutating func solveFriction(
    _ point: inout EdgePoint, _ sliding: inout Lanes, _ friction: Lanes
  ) -> Lanes {
    let arm = point.tangentArm
    let old = point.tangentImpulse
    let new = frictionImpulse(
      speed(sliding, arm), point.tangentMass, old, limit: friction * point.normalImpulse)
    let impulse = new - old
    point.tangentImpulse = new
    sliding += mass * impulse
    turn(impulse, arm)
    return impulse
  }
}
