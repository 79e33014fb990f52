extension WorldStorage {
  /// Gives contacts that pressed and came fast their bounce, once, after the last sub-step.
  @inline(never)
  func applyRestitution() {
    let motions = UnsafeMutableRawPointer(self.motions.base)
    let (ones, twos) = (batches.oneStarts.base, batches.twoStarts.base)
    for colour in 0..<batches.colourCount {
      for i in Int(twos[colour])..<Int(twos[colour + 1]) { bounce(motions, batches.two + i) }
      for i in Int(ones[colour])..<Int(ones[colour + 1]) { bounce(motions, batches.one + i) }
    }
    for i in 0..<batches.edgeCount { bounce(motions, batches.edge + i) }
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
    var speed = (bvx - avx) * nx + (bvy - avy) * ny
    var wA = aw
    var wB = bw
    let (p, q) = (c.pointee.first, c.pointee.second)
    let new1 = select(
      mask1,
      most(
        p.normalImpulse - p.normalMass * (speed + p.normalArmB * wB - p.normalArmA * wA + p.bounce),
        .zero), p.normalImpulse)
    let p1 = new1 - p.normalImpulse
    c.pointee.first.normalImpulse = new1
    speed += (aMass + bMass) * p1
    wA -= inertiaA * p.normalArmA * p1
    wB += inertiaB * p.normalArmB * p1
    let new2 = select(
      mask2,
      most(
        q.normalImpulse - q.normalMass * (speed + q.normalArmB * wB - q.normalArmA * wA + q.bounce),
        .zero), q.normalImpulse)
    let p2 = new2 - q.normalImpulse
    c.pointee.second.normalImpulse = new2
    wA -= inertiaA * q.normalArmA * p2
    wB += inertiaB * q.normalArmB * p2
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
    var w = spin
    var speed = vx * nx + vy * ny
    let (p, q) = (c.pointee.first, c.pointee.second)
    let new1 = select(
      mask1, most(p.normalImpulse - p.normalMass * (speed + p.normalArm * w + p.bounce), .zero),
      p.normalImpulse)
    let p1 = new1 - p.normalImpulse
    c.pointee.first.normalImpulse = new1
    speed += mass * p1
    w += inertia * p.normalArm * p1
    let new2 = select(
      mask2, most(q.normalImpulse - q.normalMass * (speed + q.normalArm * w + q.bounce), .zero),
      q.normalImpulse)
    let p2 = new2 - q.normalImpulse
    c.pointee.second.normalImpulse = new2
    w += inertia * q.normalArm * p2
    let total = p1 + p2
    storeVelocities(motions, at, vx + mass * total * nx, vy + mass * total * ny, w, mass)
  }
}
