// Rods and ropes in a sub-step, four at a time.

extension WorldStorage {
  func warmRods() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let rods = waves.rods.batches.base
    for i in 0..<waves.rods.count {
      var motion = JointMotion(motions, rods[i].arms)
      rods[i].warmStart(&motion)
      motion.store(motions)
    }
  }

  /// A sweep over all of them. Returns the squares of the largest corrections. Inlined into each of
  /// the sweeps it would add 5 kB to the page's compressed module.
  @inline(never)
  func sweepRods(_ pass: SweepPass, _ h: Float, _ progress: SweepProgress) -> Lanes {
    let (goesBack, relaxation) = (progress.goesBack, Lanes(repeating: progress.relaxation))
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (step, perStep) = (Lanes(repeating: h), Lanes(repeating: 1 / h))
    let (rods, count) = (waves.rods.batches.base, waves.rods.count)
    var largest = Lanes.zero
    for k in 0..<count {
      let batch = rods + (goesBack ? count - 1 - k : k)
      var motion = JointMotion(motions, batch.pointee.arms)
      let square =
        pass == .stop
        ? batch.pointee.stop(&motion, perStep: perStep, relaxation: relaxation)
        : batch.pointee.place(
          &motion, step, perStep: perStep, correctsPositions: pass == .positionCorrection,
          relaxation: relaxation)
      motion.store(motions)
      largest = most(largest, square)
    }
    return largest
  }

  /// After the move: takes the corrections back, and works out how the joints stand now.
  func settleRods(_ h: Float) {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (rods, step) = (waves.rods.batches.base, Lanes(repeating: h))
    for i in 0..<waves.rods.count {
      var motion = JointMotion(motions, rods[i].arms)
      rods[i].takeBack(&motion)
      motion.store(motions)
      let failed = rods[i].settle(motions, motion, step, tolerance: waves.tolerance)
      loosen(rods + i, failed)
    }
  }
}
