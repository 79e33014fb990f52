extension WorldStorage {
  /// Gives contacts that pressed and came fast their bounce.
  @inline(never)
  func bounceContacts() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (onePoint, twoPoint) = (batches.onePoint.starts.base, batches.twoPoint.starts.base)
    for colour in 0..<batches.colourCount {
      for i in Int(twoPoint[colour])..<Int(twoPoint[colour + 1]) {
        bounce(motions, &batches.twoPoint.base[i])
      }
      for i in Int(onePoint[colour])..<Int(onePoint[colour + 1]) {
        bounce(motions, &batches.onePoint.base[i])
      }
    }
    for i in 0..<batches.edges.count { bounce(motions, &batches.edges.base[i]) }
  }

  @inline(__always)
  private func bounce(_ motions: UnsafeMutableRawPointer, _ batch: inout OnePointBatch) {
    let p = batch.point
    let mask = (p.bounce .< 0) .& (p.largest .> 0)
    guard any(mask) else { return }
    var motion = PairMotion(motions, &batch.pair)
    let speed = motion.speed(motion.parting, p.normalArmA, p.normalArmB)
    let old = p.normalImpulse
    let new = select(mask, most(old - p.normalMass * (speed + p.bounce), .zero), old)
    assert(all(new .>= 0), "contacts never pull")
    batch.point.normalImpulse = new
    motion.turn(new - old, p.normalArmA, p.normalArmB)
    motion.store(motions, normal: new - old)
  }

  @inline(__always)
  private func bounce(_ motions: UnsafeMutableRawPointer, _ batch: inout TwoPointBatch) {
    let (p, q) = (batch.first, batch.second)
    let mask1 = (p.bounce .< 0) .& (p.largest .> 0)
    let mask2 = (q.bounce .< 0) .& (q.largest .> 0)
    guard any(mask1 .| mask2) else { return }
    var motion = PairMotion(motions, &batch.pair)
    let parting = motion.parting
    let (p1, p2) = solveTogether(
      PointDemand(
        bounces: mask1, pressed: p.largest, mass: p.normalMass,
        lack: motion.speed(parting, p.normalArmA, p.normalArmB) + p.bounce),
      PointDemand(
        bounces: mask2, pressed: q.largest, mass: q.normalMass,
        lack: motion.speed(parting, q.normalArmA, q.normalArmB) + q.bounce),
      motion.speedAtOther(p, q))
    batch.first.normalImpulse = most(p.normalImpulse + p1, .zero)
    batch.second.normalImpulse = most(q.normalImpulse + p2, .zero)
    motion.turn(
      p.normalArmA * p1 + q.normalArmA * p2, p.normalArmB * p1 + q.normalArmB * p2)
    motion.store(motions, normal: p1 + p2)
  }

  @inline(__always)
  private func bounce(_ motions: UnsafeMutableRawPointer, _ batch: inout EdgeBatch) {
    let (p, q) = (batch.first, batch.second)
    let mask1 = (p.bounce .< 0) .& (p.largest .> 0)
    let mask2 = (q.bounce .< 0) .& (q.largest .> 0)
    guard any(mask1 .| mask2) else { return }
    var motion = EdgeMotion(motions, batch.body, inertia: batch.inertia, batch.nx, batch.ny)
    let parting = motion.parting
    let (p1, p2) = solveTogether(
      PointDemand(
        bounces: mask1, pressed: p.largest, mass: p.normalMass,
        lack: motion.speed(parting, p.normalArm) + p.bounce),
      PointDemand(
        bounces: mask2, pressed: q.largest, mass: q.normalMass,
        lack: motion.speed(parting, q.normalArm) + q.bounce),
      motion.speedAtOther(p, q))
    batch.first.normalImpulse = most(p.normalImpulse + p1, .zero)
    batch.second.normalImpulse = most(q.normalImpulse + p2, .zero)
    motion.turn(p.normalArm * p1 + q.normalArm * p2)
    motion.store(motions, parting: motion.mass * (p1 + p2))
  }

  /// Slows what rolls on its neighbours, so that piles come to rest: a contact presses a little
  /// ahead of a roller, which takes `rollingResistance` times the force as torque. Once, after the
  /// last sub-step. Only contacts of one point roll, and all of those with boundaries.
  @inline(never)
  func resistRolling(subSteps: Int) {
    guard configuration.rollingResistance > 0 else { return }
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let arm = Lanes(repeating: configuration.rollingResistance * Float(subSteps))
    let (onePoint, edges) = (batches.onePoint.base, batches.edges.base)
    for i in 0..<batches.onePoint.count {
      let limit = arm * onePoint[i].point.normalImpulse
      guard any(limit .> 0) else { continue }
      var motion = PairMotion(motions, &onePoint[i].pair)
      motion.alignSpins(limit: limit)
      motion.store(motions, normal: .zero)
    }
    for i in 0..<batches.edges.count {
      let limit = arm * (edges[i].first.normalImpulse + edges[i].second.normalImpulse)
      guard any(limit .> 0) else { continue }
      var motion = EdgeMotion(
        motions, edges[i].body, inertia: edges[i].inertia, edges[i].nx, edges[i].ny)
      motion.endSpin(limit: limit)
      motion.store(motions, parting: .zero)
    }
  }
}

extension PointDemand {
  /// What a point of a manifold asks for in the bounce, if it bounces: as much speed as it lacks to
  /// leave as it should. What it has pressed with may be taken back, where the passes over the
  /// points left a spin.
  @inline(__always)
  fileprivate init(bounces: LaneMask, pressed: Lanes, mass: Lanes, lack: Lanes) {
    let mass = select(bounces, mass, .zero)
    self.init(excess: mass * lack, mass: mass, removable: pressed)
  }
}
