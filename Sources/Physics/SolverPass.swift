// One pass over batches. `biased` is a constant wherever these are called, so that each becomes two
// loops without branches: the bias pass reads the gap that the last relax pass left, the relax pass
// computes it anew and adds friction.

@_transparent
func solve(
  _ motions: UnsafeMutableRawPointer, _ batches: UnsafeMutablePointer<OnePointBatch>, _ count: Int,
  _ soft: Softness, biased: Bool
) {
  var c = batches
  for _ in 0..<count {
    let (ia, ib) = (c.pointee.a, c.pointee.b)
    let (avx, avy, aw, aMass) = loadVelocities(motions, ia)
    let (bvx, bvy, bw, bMass) = loadVelocities(motions, ib)
    let (nx, ny) = (c.pointee.nx, c.pointee.ny)
    let (armA, armB) = (c.pointee.normalArmA, c.pointee.normalArmB)
    let (inertiaA, inertiaB) = (c.pointee.inertiaA, c.pointee.inertiaB)
    let gap: Lanes
    if biased {
      gap = c.pointee.currentGap
    } else {
      let (adx, ady, adt, _) = loadMoves(motions, ia)
      let (bdx, bdy, bdt, _) = loadMoves(motions, ib)
      gap = c.pointee.gap + (bdx - adx) * nx + (bdy - ady) * ny + armB * bdt - armA * adt
      c.pointee.currentGap = gap
    }
    let dvx = bvx - avx
    let dvy = bvy - avy
    let old = c.pointee.normalImpulse
    let new = soft.impulse(
      dvx * nx + dvy * ny + armB * bw - armA * aw, gap, c.pointee.normalMass, old, biased: biased)
    let p = new - old
    c.pointee.normalImpulse = new
    c.pointee.largest = most(c.pointee.largest, new)
    let aw1 = aw - inertiaA * armA * p
    let bw1 = bw + inertiaB * armB * p
    if biased {
      let (px, py) = (p * nx, p * ny)
      storeVelocities(motions, ia, avx - aMass * px, avy - aMass * py, aw1, aMass)
      storeVelocities(motions, ib, bvx + bMass * px, bvy + bMass * py, bw1, bMass)
    } else {
      let (crossA, crossB) = (c.pointee.tangentArmA, c.pointee.tangentArmB)
      // The normal impulse changes the sliding speed only through the spins.
      let sliding = dvx * ny - dvy * nx + crossB * bw1 - crossA * aw1
      let oldT = c.pointee.tangentImpulse
      let newT = frictionImpulse(
        sliding, c.pointee.tangentMass, oldT, limit: c.pointee.friction * new)
      c.pointee.tangentImpulse = newT
      let t = newT - oldT
      let px = p * nx + t * ny
      let py = p * ny - t * nx
      storeVelocities(
        motions, ia, avx - aMass * px, avy - aMass * py, aw1 - inertiaA * crossA * t, aMass)
      storeVelocities(
        motions, ib, bvx + bMass * px, bvy + bMass * py, bw1 + inertiaB * crossB * t, bMass)
    }
    c += 1
  }
}

@_transparent
func solve(
  _ motions: UnsafeMutableRawPointer, _ batches: UnsafeMutablePointer<TwoPointBatch>, _ count: Int,
  _ soft: Softness, biased: Bool
) {
  var c = batches
  for _ in 0..<count {
    let (ia, ib) = (c.pointee.a, c.pointee.b)
    let (avx, avy, aw, aMass) = loadVelocities(motions, ia)
    let (bvx, bvy, bw, bMass) = loadVelocities(motions, ib)
    let (nx, ny) = (c.pointee.nx, c.pointee.ny)
    let masses = aMass + bMass
    let (inertiaA, inertiaB) = (c.pointee.inertiaA, c.pointee.inertiaB)
    let gap1: Lanes
    let gap2: Lanes
    if biased {
      gap1 = c.pointee.first.currentGap
      gap2 = c.pointee.second.currentGap
    } else {
      let (adx, ady, adt, _) = loadMoves(motions, ia)
      let (bdx, bdy, bdt, _) = loadMoves(motions, ib)
      let closed = (bdx - adx) * nx + (bdy - ady) * ny
      gap1 =
        c.pointee.first.gap + closed + c.pointee.first.normalArmB * bdt
        - c.pointee.first.normalArmA * adt
      gap2 =
        c.pointee.second.gap + closed + c.pointee.second.normalArmB * bdt
        - c.pointee.second.normalArmA * adt
      c.pointee.first.currentGap = gap1
      c.pointee.second.currentGap = gap2
    }
    var speed = (bvx - avx) * nx + (bvy - avy) * ny
    var wA = aw
    var wB = bw
    var normal = Lanes.zero
    do {
      let (armA, armB) = (c.pointee.first.normalArmA, c.pointee.first.normalArmB)
      let old = c.pointee.first.normalImpulse
      let new = soft.impulse(
        speed + armB * wB - armA * wA, gap1, c.pointee.first.normalMass, old, biased: biased)
      let p = new - old
      c.pointee.first.normalImpulse = new
      c.pointee.first.largest = most(c.pointee.first.largest, new)
      speed += masses * p
      wA -= inertiaA * armA * p
      wB += inertiaB * armB * p
      normal += p
    }
    do {
      let (armA, armB) = (c.pointee.second.normalArmA, c.pointee.second.normalArmB)
      let old = c.pointee.second.normalImpulse
      let new = soft.impulse(
        speed + armB * wB - armA * wA, gap2, c.pointee.second.normalMass, old, biased: biased)
      let p = new - old
      c.pointee.second.normalImpulse = new
      c.pointee.second.largest = most(c.pointee.second.largest, new)
      wA -= inertiaA * armA * p
      wB += inertiaB * armB * p
      normal += p
    }
    var px = normal * nx
    var py = normal * ny
    if !biased {
      var sliding = (bvx - avx) * ny - (bvy - avy) * nx
      var tangent = Lanes.zero
      do {
        let (armA, armB) = (c.pointee.first.tangentArmA, c.pointee.first.tangentArmB)
        let old = c.pointee.first.tangentImpulse
        let new = frictionImpulse(
          sliding + armB * wB - armA * wA, c.pointee.first.tangentMass, old,
          limit: c.pointee.friction * c.pointee.first.normalImpulse)
        let t = new - old
        c.pointee.first.tangentImpulse = new
        sliding += masses * t
        wA -= inertiaA * armA * t
        wB += inertiaB * armB * t
        tangent += t
      }
      do {
        let (armA, armB) = (c.pointee.second.tangentArmA, c.pointee.second.tangentArmB)
        let old = c.pointee.second.tangentImpulse
        let new = frictionImpulse(
          sliding + armB * wB - armA * wA, c.pointee.second.tangentMass, old,
          limit: c.pointee.friction * c.pointee.second.normalImpulse)
        let t = new - old
        c.pointee.second.tangentImpulse = new
        wA -= inertiaA * armA * t
        wB += inertiaB * armB * t
        tangent += t
      }
      px += tangent * ny
      py -= tangent * nx
    }
    storeVelocities(motions, ia, avx - aMass * px, avy - aMass * py, wA, aMass)
    storeVelocities(motions, ib, bvx + bMass * px, bvy + bMass * py, wB, bMass)
    c += 1
  }
}

@_transparent
func solve(
  _ motions: UnsafeMutableRawPointer, _ batches: UnsafeMutablePointer<EdgeBatch>, _ count: Int,
  _ soft: Softness, biased: Bool
) {
  var c = batches
  for _ in 0..<count {
    let at = c.pointee.body
    let (vx, vy, spin, mass) = loadVelocities(motions, at)
    let (dx, dy, turn, inertia) = loadMoves(motions, at)
    let (nx, ny) = (c.pointee.nx, c.pointee.ny)
    let closed = dx * nx + dy * ny
    var w = spin
    var speed = vx * nx + vy * ny
    var normal = Lanes.zero
    var tangent = Lanes.zero
    do {
      let arm = c.pointee.first.normalArm
      let old = c.pointee.first.normalImpulse
      let new = soft.edgeImpulse(
        speed + arm * w, c.pointee.first.gap + closed + arm * turn, c.pointee.first.normalMass, old,
        biased: biased)
      let p = new - old
      c.pointee.first.normalImpulse = new
      c.pointee.first.largest = most(c.pointee.first.largest, new)
      speed += mass * p
      w += inertia * arm * p
      normal += p
    }
    do {
      let arm = c.pointee.second.normalArm
      let old = c.pointee.second.normalImpulse
      let new = soft.edgeImpulse(
        speed + arm * w, c.pointee.second.gap + closed + arm * turn, c.pointee.second.normalMass,
        old, biased: biased)
      let p = new - old
      c.pointee.second.normalImpulse = new
      c.pointee.second.largest = most(c.pointee.second.largest, new)
      w += inertia * arm * p
      normal += p
    }
    if !biased {
      var sliding = vx * ny - vy * nx
      do {
        let arm = c.pointee.first.tangentArm
        let old = c.pointee.first.tangentImpulse
        let new = frictionImpulse(
          sliding + arm * w, c.pointee.first.tangentMass, old,
          limit: c.pointee.friction * c.pointee.first.normalImpulse)
        let t = new - old
        c.pointee.first.tangentImpulse = new
        sliding += mass * t
        w += inertia * arm * t
        tangent += t
      }
      do {
        let arm = c.pointee.second.tangentArm
        let old = c.pointee.second.tangentImpulse
        let new = frictionImpulse(
          sliding + arm * w, c.pointee.second.tangentMass, old,
          limit: c.pointee.friction * c.pointee.second.normalImpulse)
        let t = new - old
        c.pointee.second.tangentImpulse = new
        w += inertia * arm * t
        tangent += t
      }
    }
    var along = mass * normal
    if biased {
      // Whatever spins and presses: no centre passes a boundary within the sub-step.
      let center = c.pointee.first.tangentArm + Lanes(repeating: 0.5) * c.pointee.first.gap + closed
      along += most(-(most(center, .zero) * soft.rate) - (vx * nx + vy * ny + along), .zero)
    }
    let across = mass * tangent
    storeVelocities(
      motions, at, vx + along * nx + across * ny, vy + along * ny - across * nx, w, mass)
    c += 1
  }
}

extension WorldStorage {
  /// Pushes overlap apart and closes no gap faster than it lasts.
  @inline(never)
  func passBiased(_ soft: Softness, _ edgeSoft: Softness) {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (one, two) = (batches.ones.base, batches.twos.base)
    let (ones, twos) = (batches.ones.starts.base, batches.twos.starts.base)
    for colour in 0..<batches.colourCount {
      solve(
        motions, two + Int(twos[colour]), Int(twos[colour + 1] - twos[colour]), soft, biased: true)
      solve(
        motions, one + Int(ones[colour]), Int(ones[colour + 1] - ones[colour]), soft, biased: true)
    }
    solve(motions, batches.edges.base, batches.edges.count, edgeSoft, biased: true)
  }

  /// Takes the speed of the pushing out again and applies friction.
  @inline(never)
  func passRelaxed(_ soft: Softness, _ edgeSoft: Softness) {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (one, two) = (batches.ones.base, batches.twos.base)
    let (ones, twos) = (batches.ones.starts.base, batches.twos.starts.base)
    for colour in 0..<batches.colourCount {
      solve(
        motions, two + Int(twos[colour]), Int(twos[colour + 1] - twos[colour]), soft, biased: false)
      solve(
        motions, one + Int(ones[colour]), Int(ones[colour + 1] - ones[colour]), soft, biased: false)
    }
    solve(motions, batches.edges.base, batches.edges.count, edgeSoft, biased: false)
  }

}
