// Joints in a step. Each sub-step solves them before contacts: walls have the last word.

extension WorldStorage {
  /// Corrections below this many points are done.
  private static let exact: Float = 0.0005
  /// By how much energy may grow by rounding and by what sweeps leave. With 1.3 none of 48 shaken
  /// chains was faster than 3400 pt/s seven seconds later; without, 25 stayed above 5000.
  private static let grown: Float = 1.3
  /// Speeds below this many pt/s need not be taken away.
  private static let exactSpeed: Float = 0.02

  /// Before the first sub-step of a tick: welded bodies are listed, and moved anchors set out.
  func startJoints() {
    listWelded()
    for place in 0..<joints.count where joints[place].exists {
      let way = joints[place].anchorTravel.length
      if way > PhysicsWorld.fastestAnchor * stepLength {
        joints[place].anchorTravel = .zero
      } else if way > 0 {
        joints[place].anchorTravelVelocity = -(joints[place].anchorTravel / stepLength)
      }
    }
  }

  /// After the last sub-step of a tick: they have arrived.
  func endJoints() {
    for place in 0..<joints.count {
      joints[place].anchorTravel = .zero
      joints[place].anchorTravelVelocity = .zero
    }
    if state.jointsThatBreak > 0 { breakJoints() }
  }

  /// Springs, then the rigid rows: so that they hold after the move.
  func placeJoints(_ h: Float) {
    guard joints.count > 0 else { return }
    keepShares {
      applySprings(h)
      let most = mostEnergyOfJoints
      attempt {
        warmStart(h) && sweepPlaces(h) && (most == .infinity || energyOfJoints <= most)
      } orElse: {
        forgetImpulses()
      }
      attempt {
        sweepPositionCorrection(h, waves.sweeps)
      } orElse: {
        forgetPositionCorrection()
        _ = sweepPositionCorrection(h, 1)
      }
    }
  }

  /// Twice the energy of motion of what joints move.
  private var energyOfJoints: Float {
    var sum: Float = 0
    for k in 0..<waves.rows.count {
      let row = Int(waves.rows[k])
      let (v, moved) = (bodies.motions[2 * row], bodies.motions[2 * row + 1])
      if v.w > 0 { sum += (v.x * v.x + v.y * v.y) / v.w }
      if moved.w > 0 { sum += v.z * v.z / moved.w }
    }
    return sum
  }

  /// The most that may come of placing the joints. Where chains are cracked like a whip, the links
  /// turn so far in a sub-step that impulses which place them exactly throw them: 8 links of 20 pt
  /// that a hand shook at 800 pt/s came to 18 000 pt/s. What moved with all of its impulses has no
  /// more energy than before, but for what travelling anchors and motors give.
  private var mostEnergyOfJoints: Float {
    guard waves.drive < .infinity else { return .infinity }
    return Self.grown * energyOfJoints + waves.drive
  }

  private func warmStart(_ h: Float) -> Bool {
    for k in 0..<waves.others.count where !joints[Int(waves.others[k])].isSpring {
      solveJoint(Int(waves.others[k]), h) { joint in
        joint.joint.positionCorrectionA = .zero
        joint.joint.positionCorrectionB = .zero
        joint.joint.apart = joint.gap
        joint.warmStart()
      }
    }
    warmRods()
    warmHinges()
    return true
  }

  private func warmHinges() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (hinges, turners) = (waves.hinges.batches.base, waves.turners.batches.base)
    for i in 0..<waves.hinges.count {
      var motion = JointMotion(motions, hinges[i].arms)
      hinges[i].warmStart(&motion)
      motion.store(motions)
    }
    for i in 0..<waves.turners.count {
      var motion = JointMotion(motions, turners[i].arms)
      waves.turns.base[i].warmStart(&motion, turners[i])
      turners[i].warmStart(&motion)
      motion.store(motions)
    }
  }

  /// After the move: takes the corrections back and finishes the springs.
  func takeBackPositionCorrection(_ h: Float) {
    guard joints.count > 0 else { return }
    keepShares {
      for k in 0..<waves.others.count {
        let place = Int(waves.others[k])
        joints[place].anchorTravel += joints[place].anchorTravelVelocity * h
        guard !joints[place].isSpring else { continue }
        solveJoint(place, h) { joint in
          joint.a.takeBack(joint.joint.positionCorrectionA)
          joint.b.takeBack(joint.joint.positionCorrectionB)
          joint.joint.isBlocked =
            joint.hasFailed && (isTouching(joint.a.row) || isTouching(joint.b.row))
          if joint.joint.isBlocked { joint.joint.impulses = .zero }
          joint.joint.reach = reach(joint.joint.reach, isBlocked: joint.joint.isBlocked)
        }
      }
      settleRods(h)
      settleHinges(h)
      // Only now, or springs would damp the speeds of the corrections as well.
      finishSprings(h)
    }
  }

  private func settleHinges(_ h: Float) {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (hinges, turners) = (waves.hinges.batches.base, waves.turners.batches.base)
    let step = Lanes(repeating: h)
    for i in 0..<waves.hinges.count {
      var motion = JointMotion(motions, hinges[i].arms)
      hinges[i].takeBack(&motion)
      motion.store(motions)
      let failed = hinges[i].settle(motions, motion, step, tolerance: waves.tolerance)
      loosen(hinges + i, failed)
    }
    for i in 0..<waves.turners.count {
      var motion = JointMotion(motions, turners[i].arms)
      waves.turns.base[i].takeBack(&motion, turners[i])
      turners[i].takeBack(&motion)
      motion.store(motions)
      let failed = turners[i].settle(motions, motion, step, tolerance: waves.tolerance)
      waves.turns.base[i].settle(motions, turners[i])
      loosen(turners + i, failed)
      waves.turns.base[i].keep(turners[i].firm)
    }
  }

  /// Lets those joints of a batch give way that have failed against what touches their bodies.
  @inline(__always)
  func loosen(_ batch: UnsafeMutablePointer<some JointBatch>, _ failed: LaneMask) {
    batch.pointee.firm = Lanes(repeating: 1)
    let fastest = Lanes(repeating: JointSolver.largestPositionCorrection)
    let recovered = batch.pointee.correction * Lanes(repeating: JointSolver.recovery)
    let former = batch.pointee.correction
    batch.pointee.correction = least(recovered, fastest)
    let mask = moveMask(failed)
    guard mask != 0 && !waves.areAlone else { return }
    for lane in 0..<4 where mask & (1 << Int32(lane)) != 0 {
      let (a, b) = (Int(batch.pointee.arms.a[lane]) >> 5, Int(batch.pointee.arms.b[lane]) >> 5)
      guard isTouching(a) || (b < bodies.rowCount && isTouching(b)) else { continue }
      batch.pointee.firm[lane] = 0
      let h = PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
      batch.pointee.correction[lane] = reach(former[lane] / h, isBlocked: true) * h
      batch.pointee.forgetImpulse(of: lane)
    }
  }

  /// How fast a joint corrects its places in the next sub-step: when something is in the way, in
  /// the end slower than what contacts bounce at, so that it lies there quietly.
  private func reach(_ old: Float, isBlocked: Bool) -> Float {
    guard isBlocked else {
      let next = old * JointSolver.recovery
      return next < PhysicsWorld.positionCorrectionSpeed
        ? next : PhysicsWorld.positionCorrectionSpeed
    }
    let quiet = 0.6 * configuration.restitutionThreshold
    let slowest: Float = quiet > 60 ? 60 : quiet < 6 ? 6 : quiet
    let next = old * JointSolver.setback
    return next > slowest ? next : slowest
  }

  /// Whether a row has a contact in this part of the tick. A joint that pulls against what never
  /// gives way would carry more and more: it gives way itself, and only corrects positions until
  /// that helps.
  private func isTouching(_ row: Int) -> Bool {
    guard row >= 0 else { return false }
    if batches.taken[row] != 0 { return true }
    if zone.isOn && zone.batches.taken[row] != 0 { return true }
    for k in 0..<contacts.edges.count where Int(contacts.edges[k].row) == row {
      return true
    }
    guard zone.isOn else { return false }
    for k in 0..<zone.contacts.edges.count where Int(zone.contacts.edges[k].row) == row {
      return true
    }
    return false
  }

  /// Takes away what speeds would part the anchors: after the contacts have taken back what they
  /// had set against the corrections, which a joint must not mistake for a load.
  func finishJoints(_ h: Float) {
    guard joints.count > 0 else { return }
    keepShares { sweepSpeeds(h) }
    if state.jointsThatBreak > 0 { noteLoads(h) }
    guard waves.areAlone else { return }
    let (motions, bases) = (bodies.motions.base, integration.bases.base)
    for k in 0..<waves.rows.count {
      let row = Int(waves.rows[k])
      bases[row] = motions[2 * row]
    }
  }

  /// Velocity changes by joints are excluded from the contacts' warm start, because joints store
  /// impulses of their own.
  @inline(__always)
  private func keepShares(_ stage: () -> Void) {
    if waves.areAlone { return stage() }
    let (motions, bases) = (bodies.motions.base, integration.bases.base)
    let (rows, shares) = (waves.rows.base, waves.shares.base)
    for k in 0..<waves.rows.count {
      shares[k] = motions[2 * Int(rows[k])] - bases[Int(rows[k])]
    }
    stage()
    for k in 0..<waves.rows.count {
      bases[Int(rows[k])] = motions[2 * Int(rows[k])] - shares[k]
    }
  }

  /// Sweeps over joints, whose impulses act where the bodies stand and are to hold where they will
  /// be. In a sub-step in which short rods and what hangs on them turn far, one joint's correction
  /// may add more to another's error than it takes of its own: then the sweeps diverge and would
  /// throw the bodies. What they did is taken back; what parts the anchors is then taken away after
  /// the move, and their places are corrected by a single sweep, which can't diverge.
  @inline(__always)
  private func attempt(_ sweeps: () -> Bool, orElse giveUp: () -> Void) {
    let motions = bodies.motions.base
    let (rows, starts) = (waves.rows.base, waves.starts.base)
    let mayDiverge = waves.sweeps > 1
    if mayDiverge {
      for k in 0..<waves.rows.count { starts[k] = motions[2 * Int(rows[k])] }
    }
    guard !sweeps() && mayDiverge else { return }
    for k in 0..<waves.rows.count { motions[2 * Int(rows[k])] = starts[k] }
    giveUp()
  }

  private func forgetImpulses() {
    for k in 0..<waves.others.count { joints[Int(waves.others[k])].impulses = .zero }
    for i in 0..<waves.rods.count { waves.rods.batches.base[i].forgetImpulses() }
    for i in 0..<waves.hinges.count { waves.hinges.batches.base[i].forgetImpulses() }
    for i in 0..<waves.turners.count {
      waves.turners.batches.base[i].forgetImpulses()
      waves.turns.base[i].keep(.zero)
    }
  }

  private func forgetPositionCorrection() {
    for k in 0..<waves.others.count {
      joints[Int(waves.others[k])].positionCorrectionA = .zero
      joints[Int(waves.others[k])].positionCorrectionB = .zero
    }
    for i in 0..<waves.rods.count { waves.rods.batches.base[i].forgetPositionCorrection() }
    for i in 0..<waves.hinges.count { waves.hinges.batches.base[i].forgetPositionCorrection() }
    for i in 0..<waves.turners.count {
      waves.turners.batches.base[i].forgetPositionCorrection()
      waves.turns.base[i].positionCorrection = .zero
    }
  }

  /// What a sweep over the rigid joints does.
  enum SweepPass { case place, positionCorrection, stop }

  @inline(never)
  private func sweepPlaces(_ h: Float) -> Bool { sweep(.place, h, waves.sweeps, Self.exact) }

  @inline(never)
  private func sweepPositionCorrection(_ h: Float, _ most: Int) -> Bool {
    sweep(.positionCorrection, h, most, Self.exact)
  }

  @inline(never)
  private func sweepSpeeds(_ h: Float) { _ = sweep(.stop, h, waves.sweeps, Self.exactSpeed) }

  /// Sweeps over the rigid joints until the largest correction is below `enough`. Returns false
  /// when the corrections have grown instead.
  @inline(__always)
  private func sweep(_ pass: SweepPass, _ h: Float, _ count: Int, _ enough: Float) -> Bool {
    var progress = SweepProgress(of: count)
    for _ in 0..<count {
      var largest = sweepOthers(pass, h, progress)
      let squares = most(sweepRods(pass, h, progress), sweepHinges(pass, h, progress))
      for lane in 0..<4 {
        let size = squares[lane].squareRoot()
        largest = size > largest ? size : largest
      }
      if largest < enough { return true }
      progress.note(largest)
      if progress.isDiverging { return false }
    }
    return progress.hasHeld
  }

  @inline(__always)
  private func sweepOthers(_ pass: SweepPass, _ h: Float, _ progress: SweepProgress) -> Float {
    var largest: Float = 0
    let count = waves.others.count
    for k in 0..<count {
      let place = Int(waves.others[progress.goesBack ? count - 1 - k : k])
      guard !joints[place].isSpring else { continue }
      solveJoint(place, h) { joint in
        var size: Float = 0
        switch pass {
        // A slider's rows are too much each other's neighbours to be over-relaxed.
        case .place: if !joint.joint.isBlocked { size = joint.solvePlaces() }
        case .positionCorrection:
          joint.correctsPositions = true
          size = joint.solvePlaces()
        case .stop: size = joint.joint.isBlocked ? joint.stopParting() : joint.solveSpeeds()
        }
        assert(!(size < 0), "a correction is a size")
        largest = size > largest ? size : largest
      }
    }
    return largest
  }

  /// Returns the squares of the largest corrections.
  @inline(__always)
  private func sweepHinges(_ pass: SweepPass, _ h: Float, _ progress: SweepProgress) -> Lanes {
    let (goesBack, relaxation) = (progress.goesBack, Lanes(repeating: progress.relaxation))
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    let (step, perStep) = (Lanes(repeating: h), Lanes(repeating: 1 / h))
    let (hinges, turners) = (waves.hinges.batches.base, waves.turners.batches.base)
    let (count, turnCount) = (waves.hinges.count, waves.turners.count)
    let turns = waves.turns.base
    var largest = Lanes.zero
    for k in 0..<count {
      let batch = hinges + (goesBack ? count - 1 - k : k)
      var motion = JointMotion(motions, batch.pointee.arms)
      let square =
        pass == .stop
        ? batch.pointee.stop(&motion, relaxation: relaxation)
        : batch.pointee.place(
          &motion, step, perStep: perStep, correctsPositions: pass == .positionCorrection,
          relaxation: relaxation)
      motion.store(motions)
      largest = most(largest, square)
    }
    for k in 0..<turnCount {
      let i = goesBack ? turnCount - 1 - k : k
      let batch = turners + i
      var motion = JointMotion(motions, batch.pointee.arms)
      if pass == .stop {
        largest = most(largest, turns[i].stop(&motion, batch.pointee, perStep: perStep))
        largest = most(largest, batch.pointee.stop(&motion, relaxation: relaxation))
      } else {
        let corrects = pass == .positionCorrection
        let turned = turns[i].place(
          &motion, batch.pointee, step, perStep: perStep, correctsPositions: corrects)
        largest = most(largest, turned)
        let moved = batch.pointee.place(
          &motion, step, perStep: perStep, correctsPositions: corrects, relaxation: relaxation)
        largest = most(largest, moved)
      }
      motion.store(motions)
    }
    return largest
  }

  @inline(__always)
  func solveJoint(_ place: Int, _ h: Float, _ action: (inout JointSolver) -> Void) {
    // Springs between centres need no rotations.
    var solver = JointSolver(self, joints[place], step: h, turns: joints[place].kind != .distance)
    action(&solver)
    assert(solver.joint.slotA == joints[place].slotA && solver.joint.slotB == joints[place].slotB)
    joints[place] = solver.joint
    solver.a.keepLimits()
    solver.b.keepLimits()
    solver.a.store(self)
    solver.b.store(self)
  }

  func isActive(_ place: Int) -> Bool {
    guard joints[place].exists else { return false }
    return isAwake(Int32(joints[place].slotA)) || isAwake(joints[place].slotB)
  }

  private func isAwake(_ slot: Int32) -> Bool {
    guard slot >= 0 else { return false }
    let record = slots[Int(slot)]
    assert(record.exists, "a joint goes with its bodies")
    return !record.isAsleep && bodies.motions[2 * Int(record.row)].w > 0
  }

}
