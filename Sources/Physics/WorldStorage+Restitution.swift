extension WorldStorage {
  /// Gives contacts that pressed and came fast their bounce, once, after the last sub-step.
  @inline(never)
  func applyRestitution() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (ones, twos) = (batches.ones.starts.base, batches.twos.starts.base)
    for colour in 0..<batches.colourCount {
      for i in Int(twos[colour])..<Int(twos[colour + 1]) { bounce(motions, batches.twos.base + i) }
      for i in Int(ones[colour])..<Int(ones[colour + 1]) { bounce(motions, batches.ones.base + i) }
    }
    for i in 0..<batches.edges.count { bounce(motions, batches.edges.base + i) }
  }

  @inline(__always)
  private func bounce(_ motions: UnsafeMutableRawPointer, _ c: UnsafeMutablePointer<OnePointBatch>)
  {
    let mask = (c.pointee.bounce .< 0) .& (c.pointee.largest .> 0)
    guard any(mask) else { return }
    let (ia, ib) = (c.pointee.a, c.pointee.b)
    let (avx, avy, aw, aMass) = loadVelocities(motions, ia)
    let (bvx, bvy, bw, bMass) = loadVelocities(motions, ib)
    let (nx, ny) = (c.pointee.nx, c.pointee.ny)
    let (armA, armB) = (c.pointee.normalArmA, c.pointee.normalArmB)
    let speed = (bvx - avx) * nx + (bvy - avy) * ny + armB * bw - armA * aw
    let old = c.pointee.normalImpulse
    let new = select(
      mask, most(old - c.pointee.normalMass * (speed + c.pointee.bounce), .zero), old)
    c.pointee.normalImpulse = new
    let p = new - old
    let (px, py) = (p * nx, p * ny)
    storeVelocities(
      motions, ia, avx - aMass * px, avy - aMass * py, aw - c.pointee.inertiaA * armA * p, aMass)
    storeVelocities(
      motions, ib, bvx + bMass * px, bvy + bMass * py, bw + c.pointee.inertiaB * armB * p, bMass)
  }

  @inline(__always)
  private func bounce(_ motions: UnsafeMutableRawPointer, _ c: UnsafeMutablePointer<TwoPointBatch>)
  {
    let mask1 = (c.pointee.first.bounce .< 0) .& (c.pointee.first.largest .> 0)
    let mask2 = (c.pointee.second.bounce .< 0) .& (c.pointee.second.largest .> 0)
    guard any(mask1 .| mask2) else { return }
    let (ia, ib) = (c.pointee.a, c.pointee.b)
    let (avx, avy, aw, aMass) = loadVelocities(motions, ia)
    let (bvx, bvy, bw, bMass) = loadVelocities(motions, ib)
    let (nx, ny) = (c.pointee.nx, c.pointee.ny)
    let (inertiaA, inertiaB) = (c.pointee.inertiaA, c.pointee.inertiaB)
    let straight = (bvx - avx) * nx + (bvy - avy) * ny
    let (p, q) = (c.pointee.first, c.pointee.second)
    let masses = aMass + bMass
    let shared =
      masses + inertiaA * p.normalArmA * q.normalArmA + inertiaB * p.normalArmB * q.normalArmB
    let (p1, p2) = bounce(
      BouncePoint(
        mask: mask1, pressed: p.largest, mass: p.normalMass,
        excess: straight + p.normalArmB * bw - p.normalArmA * aw + p.bounce),
      BouncePoint(
        mask: mask2, pressed: q.largest, mass: q.normalMass,
        excess: straight + q.normalArmB * bw - q.normalArmA * aw + q.bounce), shared)
    c.pointee.first.normalImpulse = most(p.normalImpulse + p1, .zero)
    c.pointee.second.normalImpulse = most(q.normalImpulse + p2, .zero)
    let wA = aw - inertiaA * (p.normalArmA * p1 + q.normalArmA * p2)
    let wB = bw + inertiaB * (p.normalArmB * p1 + q.normalArmB * p2)
    let (px, py) = ((p1 + p2) * nx, (p1 + p2) * ny)
    storeVelocities(motions, ia, avx - aMass * px, avy - aMass * py, wA, aMass)
    storeVelocities(motions, ib, bvx + bMass * px, bvy + bMass * py, wB, bMass)
  }

  @inline(__always)
  private func bounce(_ motions: UnsafeMutableRawPointer, _ c: UnsafeMutablePointer<EdgeBatch>) {
    let mask1 = (c.pointee.first.bounce .< 0) .& (c.pointee.first.largest .> 0)
    let mask2 = (c.pointee.second.bounce .< 0) .& (c.pointee.second.largest .> 0)
    guard any(mask1 .| mask2) else { return }
    let at = c.pointee.body
    let (vx, vy, spin, mass) = loadVelocities(motions, at)
    let inertia = c.pointee.inverseInertia
    let (nx, ny) = (c.pointee.nx, c.pointee.ny)
    let straight = vx * nx + vy * ny
    let (p, q) = (c.pointee.first, c.pointee.second)
    let (p1, p2) = bounce(
      BouncePoint(
        mask: mask1, pressed: p.largest, mass: p.normalMass,
        excess: straight + p.normalArm * spin + p.bounce),
      BouncePoint(
        mask: mask2, pressed: q.largest, mass: q.normalMass,
        excess: straight + q.normalArm * spin + q.bounce),
      mass + inertia * p.normalArm * q.normalArm)
    c.pointee.first.normalImpulse = most(p.normalImpulse + p1, .zero)
    c.pointee.second.normalImpulse = most(q.normalImpulse + p2, .zero)
    let w = spin + inertia * (p.normalArm * p1 + q.normalArm * p2)
    let total = p1 + p2
    storeVelocities(motions, at, vx + mass * total * nx, vy + mass * total * ny, w, mass)
  }

  /// What two points that bounce together add to their impulses. Each alone would undo part of the
  /// other's bounce, and a flat box would lose an eighth of its speed: the sweeps from one to the
  /// other form a geometric series, whose sum is taken at once.
  @inline(__always)
  private func bounce(
    _ p: BouncePoint, _ q: BouncePoint, _ shared: Lanes
  ) -> (first: Lanes, second: Lanes) {
    let one = Lanes(repeating: 1)
    let ratio = shared * shared * p.mass * q.mass
    // At most: points that lie on each other settle within one sweep.
    let sum = select(p.mask .& q.mask, 1 / (one - least(ratio, Lanes(repeating: 0.99))), one)
    // The second's answer to the first's sweep comes back to the first.
    let alone = p.mass * p.excess
    let back = select(q.mask, q.mass * (q.excess - shared * alone), .zero)
    let first = select(p.mask, most(-alone + sum * p.mass * shared * back, -p.pressed), .zero)
    let p2 = select(q.mask, most(-q.mass * (q.excess + shared * first), -q.pressed), .zero)
    // Once more, for a second point that could not pull.
    let p1 = select(p.mask, most(-alone - p.mass * shared * p2, -p.pressed), .zero)
    return (p1, p2)
  }

}

/// A point of a manifold in the bounce: whether it bounces, what it has pressed with (as much may
/// be taken back, where the passes over the points left a spin), its mass, and by how much it is
/// too slow to leave as it should.
private struct BouncePoint {
  let mask: LaneMask
  let pressed: Lanes
  let mass: Lanes
  let excess: Lanes
}
