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
    var parting = motion.parting
    let normal = motion.solveNormal(&c.pointee.point, &parting, soft, biased: biased)
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
    var parting = motion.parting
    let firstNormal = motion.solveNormal(&c.pointee.first, &parting, soft, biased: biased)
    let secondNormal = motion.solveNormal(&c.pointee.second, &parting, soft, biased: biased)
    let normal = firstNormal + secondNormal
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
    var parting = motion.parting
    let first = motion.solveNormal(&c.pointee.first, &parting, parted, turn, soft, biased: biased)
    let second = motion.solveNormal(&c.pointee.second, &parting, parted, turn, soft, biased: biased)
    var along = motion.mass * (first + second)
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
  /// The gap now that the bodies have moved.
  @_transparent
  fileprivate mutating func move(_ parted: Lanes, turns turnA: Lanes, _ turnB: Lanes) {
    currentGap = gap + parted + normalArmB * turnB - normalArmA * turnA
  }
}

extension PairMotion {
  /// Solves a point along the normal; `parting` goes on to the next point. Returns the impulse.
  @_transparent
  fileprivate mutating func solveNormal(
    _ point: inout BatchPoint, _ parting: inout Lanes, _ soft: Softness, biased: Bool
  ) -> Lanes {
    let (armA, armB) = (point.normalArmA, point.normalArmB)
    let old = point.normalImpulse
    let new = soft.impulse(
      speed(parting, armA, armB), point.currentGap, point.normalMass, old, biased: biased)
    let impulse = new - old
    point.normalImpulse = new
    point.largest = most(point.largest, new)
    parting += masses * impulse
    turn(impulse, armA, armB)
    return impulse
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

extension EdgeMotion {
  /// Solves a point along the normal, for how far the centres have parted and turned.
  @_transparent
  fileprivate mutating func solveNormal(
    _ point: inout EdgePoint, _ parting: inout Lanes, _ parted: Lanes, _ turned: Lanes,
    _ soft: Softness, biased: Bool
  ) -> Lanes {
    let arm = point.normalArm
    let old = point.normalImpulse
    let new = soft.edgeImpulse(
      speed(parting, arm), point.gap + parted + arm * turned, point.normalMass, old,
      biased: biased)
    let impulse = new - old
    point.normalImpulse = new
    point.largest = most(point.largest, new)
    parting += mass * impulse
    turn(impulse, arm)
    return impulse
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
