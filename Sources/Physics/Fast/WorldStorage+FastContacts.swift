// Contacts of the zone about fast bodies, found again in each sub-step. All others are measured
// from the start of the part, so the bodies' poses stay as they were then: for the search they are
// moved on, and the gaps that it finds are put back by what the bodies have moved.

extension WorldStorage {
  /// Does the same with the zone's contacts that is done with all others.
  @inline(__always)
  func withFastContacts(_ body: () -> Void) {
    assert(zone.isOn)
    swap(&pairLists, &zone.pairLists)
    swap(&contacts, &zone.contacts)
    swap(&batches, &zone.batches)
    body()
    swap(&pairLists, &zone.pairLists)
    swap(&contacts, &zone.contacts)
    swap(&batches, &zone.batches)
  }

  /// Before the contacts of a part are found: wakes the sleepers that the zone is about to touch,
  /// as other bodies wake those that they touch (`wakeTouched`).
  func wakeBesideZone() {
    while state.sleeperCount > 0 {
      var woke = false
      withFastContacts {
        collideBodies()
        woke = wakeTouched()
      }
      guard woke else { return }
      splitPairs()
    }
  }

  /// Before the first sub-step.
  func findFastContacts() {
    withFastContacts {
      findContactsOfZone()
    }
  }

  /// Between two sub-steps: ends the contacts as the end of a part does, and finds them again. What
  /// they did is taken out of what is repeated as a warm start, because they bring their own.
  func findFastContactsAgain() {
    bounceFastContacts()
    withFastContacts {
      movePosesOn()
      forgetImpulsesOfZone()
      rememberBatches()
      takeOutOfWarmStart()
      findContactsOfZone()
      putPosesBack()
    }
  }

  /// Fills the batches of contacts that were found in the midst of a part.
  func prepareFastContacts() {
    trackFastContacts {
      prepareBatches()
      measureGapsFromStart()
    }
  }

  /// At the end of the part.
  func rememberFastContacts() {
    withFastContacts {
      movePosesOn()
      rememberBatches()
      putPosesBack()
    }
  }

  private func findContactsOfZone() {
    let (span, sweep) = (state.span, state.edgeSweep)
    state.span = PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    collideBodies()
    if state.sleeperCount > 0 { leaveSleepersOut() }
    if zone.hasElastic { strikeInZone(state.span) }
    state.edgeSweep = zoneSweep(state.span)
    startEdgeContacts()
    for k in 0..<zone.edgePairs.count { collideEdge(zone.edgePairs[k]) }
    dealEdgeContacts()
    colourContacts()
    (state.span, state.edgeSweep) = (span, sweep)
  }

  /// Strikes elastic bodies of the zone. What a blow gives is a velocity from which the next
  /// sub-step sets out, and nothing that it repeats as a warm start.
  private func strikeInZone(_ h: Float) {
    noteVelocitiesOfZone()
    strikeElasticBodies(h)
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      integration.bases[row] += bodies.motions[2 * row] - zone.velocities[k]
    }
  }

  func noteVelocitiesOfZone() {
    for k in 0..<zone.rows.count { zone.velocities[k] = bodies.motions[2 * zone.rows[k]] }
  }

  private func movePosesOn() {
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      let (pose, move) = (bodies.poses[row], bodies.motions[2 * row + 1])
      zone.poses[k] = pose
      let turn = Rotation(angle: move.z)
      bodies.poses[row] = Lanes(
        pose.x + move.x, pose.y + move.y, pose.z * turn.cosine - pose.w * turn.sine,
        pose.w * turn.cosine + pose.z * turn.sine)
    }
  }

  private func putPosesBack() {
    for k in 0..<zone.rows.count { bodies.poses[zone.rows[k]] = zone.poses[k] }
  }

  private func forgetImpulsesOfZone() {
    for k in 0..<zone.pairs.count { neighbours.impulses[zone.pairs[k]] = .zero }
    for k in 0..<zone.edgePairs.count { edgePairs[zone.edgePairs[k]].impulse = .zero }
  }

  /// Remove these contacts' impulses and rolling resistance from the velocity change that the next
  /// sub-step reuses as its warm start (`continueIntegration`); they are found again.
  private func takeOutOfWarmStart() {
    let (motions, bases) = (bodies.motions.base, integration.bases.base)
    noteVelocitiesOfZone()
    takeBackImpulses()
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      bases[row] += zone.velocities[k] - motions[2 * row]
      motions[2 * row] = zone.velocities[k]
    }
    resistRolling(subSteps: 1)
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      bases[row] += motions[2 * row] - zone.velocities[k]
    }
  }

  private func takeBackImpulses() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    for i in 0..<batches.onePoint.count {
      let p = batches.onePoint.base[i].point
      var motion = PairMotion(motions, &batches.onePoint.base[i].pair)
      motion.turn(-p.turnA, -p.turnB)
      motion.store(motions, normal: -p.normalImpulse, tangent: -p.tangentImpulse)
    }
    for i in 0..<batches.twoPoint.count {
      let (p, q) = (batches.twoPoint.base[i].first, batches.twoPoint.base[i].second)
      var motion = PairMotion(motions, &batches.twoPoint.base[i].pair)
      motion.turn(-(p.turnA + q.turnA), -(p.turnB + q.turnB))
      motion.store(
        motions, normal: -(p.normalImpulse + q.normalImpulse),
        tangent: -(p.tangentImpulse + q.tangentImpulse))
    }
    for i in 0..<batches.edges.count {
      let batch = batches.edges.base[i]
      let (p, q) = (batch.first, batch.second)
      var motion = EdgeMotion(motions, batch.body, inertia: batch.inertia, batch.nx, batch.ny)
      motion.turn(-(p.turn + q.turn))
      motion.store(
        motions, normal: -(p.normalImpulse + q.normalImpulse),
        tangent: -(p.tangentImpulse + q.tangentImpulse))
    }
  }

  /// The passes add what the bodies have moved since the start of the part to the gaps.
  private func measureGapsFromStart() {
    let motions = UnsafeMutableRawPointer(bodies.motions.base)
    for i in 0..<batches.onePoint.count {
      let pair = batches.onePoint.base[i].pair
      batches.onePoint.base[i].point.putBack(motions, pair)
    }
    for i in 0..<batches.twoPoint.count {
      let pair = batches.twoPoint.base[i].pair
      batches.twoPoint.base[i].first.putBack(motions, pair)
      batches.twoPoint.base[i].second.putBack(motions, pair)
    }
    for i in 0..<batches.edges.count {
      let batch = batches.edges.base[i]
      let (dx, dy, turn, _) = loadMoves(motions, batch.body)
      let parted = dx * batch.nx + dy * batch.ny
      batches.edges.base[i].first.gap -= parted + batch.first.normalArm * turn
      batches.edges.base[i].second.gap -= parted + batch.second.normalArm * turn
    }
  }
}

extension BatchPoint {
  /// What its impulses have turned each body by.
  fileprivate var turnA: Lanes { normalArmA * normalImpulse + tangentArmA * tangentImpulse }
  fileprivate var turnB: Lanes { normalArmB * normalImpulse + tangentArmB * tangentImpulse }

  @inline(__always)
  fileprivate mutating func putBack(_ motions: UnsafeMutableRawPointer, _ pair: BatchPair) {
    let (adx, ady, adt, _) = loadMoves(motions, pair.a)
    let (bdx, bdy, bdt, _) = loadMoves(motions, pair.b)
    gap -= (bdx - adx) * pair.nx + (bdy - ady) * pair.ny + normalArmB * bdt - normalArmA * adt
  }
}

extension EdgePoint {
  fileprivate var turn: Lanes { normalArm * normalImpulse + tangentArm * tangentImpulse }
}

// What the zone's contacts may do to the energy of motion: what all contacts may where energy is
// tracked (`WorldStorage+Energy`), but counted for themselves, because the pile about a few elastic
// bodies may turn energy of gravity into motion.

extension WorldStorage {
  /// Start tracking the zone's energy for a part of a tick, once its contacts are found.
  func trackFastEnergy() {
    zone.ledger = EnergyLedger(isOpen: state.ledger.isOpen || zone.hasElastic)
    zone.gain = 0
    guard zone.ledger.isOpen else { return }
    for k in 0..<zone.rows.count { noteMass(ofRow: zone.rows[k]) }
  }

  /// Does with the zone's contacts what is done with all others, and tracks what that gives to the
  /// bodies.
  @inline(__always)
  func trackFastContacts(_ action: () -> Void) {
    guard zone.ledger.isOpen else { return withFastContacts(action) }
    noteVelocitiesOfZone()
    withFastContacts(action)
    let gain = gainOfZone
    zone.gain += gain
    state.ledger.givenByOthers += gain
  }

  /// Energy that the zone's rows have gained since their velocities were noted.
  private var gainOfZone: Float {
    var sum = Lanes.zero
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      let (v, old) = (bodies.motions[2 * row], zone.velocities[k])
      sum += integration.masses[row] * (v - old) * (v + old)
    }
    return energy(sum)
  }

  private var energyOfZone: Float {
    var sum = Lanes.zero
    for k in 0..<zone.rows.count {
      let (row, v) = (zone.rows[k], bodies.motions[2 * zone.rows[k]])
      sum += integration.masses[row] * v * v
    }
    return energy(sum)
  }

  /// Relaxes the zone's contacts of a sub-step until they have taken energy, and tracks how much.
  func settleFastContacts(_ soft: Softness, _ edgeSoft: Softness) {
    guard zone.ledger.isOpen else { return }
    if zone.gain > 0 {
      let none = Self.noGain * energyOfZone
      var sweeps: Float = 0
      withFastContacts { sweeps = Self.moreSweeps * shareOfUsual(rows: zone.rows.count) }
      while zone.gain > none && sweeps > 0 {
        trackFastContacts { passRelaxed(soft, edgeSoft) }
        sweeps -= 1
      }
    }
    zone.ledger.taken -= zone.gain
    zone.gain = 0
  }

  /// Gives the zone's contacts their bounce at the end of a sub-step, but no more energy with it
  /// than they have taken in it.
  func bounceFastContacts() {
    assert(zone.isOn)
    guard zone.ledger.isOpen else { return withFastContacts { bounceContacts() } }
    let taken = zone.ledger.taken > 0 ? zone.ledger.taken : 0
    zone.ledger.taken = 0
    noteVelocitiesOfZone()
    withFastContacts { bounceContacts() }
    let gain = gainOfZone
    if gain > taken { shortenBounce(gain: gain, within: taken) }
  }

  /// The impulses of the batches stay those of the whole bounce. What is to be taken out of the
  /// next warm start as theirs (`takeOutOfWarmStart`) is only the share that the bodies got.
  private func shortenBounce(gain: Float, within allowed: Float) {
    var square = Lanes.zero
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      let change = bodies.motions[2 * row] - zone.velocities[k]
      square += integration.masses[row] * change * change
    }
    let share = bounceShare(gain: gain, square: energy(square), within: allowed)
    assert(share <= 1)
    for k in 0..<zone.rows.count {
      let row = zone.rows[k]
      let whole = bodies.motions[2 * row] - zone.velocities[k]
      let change = whole * Lanes(share, share, share, 1)
      bodies.motions[2 * row] = zone.velocities[k] + change
      integration.bases[row] -= whole - change
    }
  }
}
