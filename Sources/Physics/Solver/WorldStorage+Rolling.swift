extension WorldStorage {
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
