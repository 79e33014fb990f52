// A tick from above; ARCHITECTURE.md tells what happens where.

extension WorldStorage {
  func step(_ observe: ((StepStage) -> Void)?) {
    assert(slots.bodyCount <= configuration.capacity && slots.bodyCount <= bodies.rowCount)
    assert(sleepersAreCounted)
    let hasPending = !pendingEnded.isEmpty
    startEvents()
    state.tick &+= 1
    state.partsSolved = 0
    if state.listsAreValid && state.splitIsStale { splitPairs() }
    if state.listsAreValid && state.activeRows == 0 {
      if state.sensorsAreStale { watchSensors() }
      return forgetForces()
    }
    startJoints()
    measureFirstSpeeds()
    if configuration.ticksPerSecond == 120 {
      solveShortTick(observe)
    } else if aFewAreApart {
      solveWithZone(observe)
    } else {
      solveParts(partsOfTick, observe)
    }
    state.hiddenSpeed = 0
    zone.isOn = false
    if state.partsSolved > 1 || hasPending { netEvents() }
    assert(rowsMatchSlots)
    endJoints()
    rest()
    watchSensors()
    observe?(.sleep)
    forgetForces()
  }

  /// Whether it is only about a few bodies that contacts have to be found again in each sub-step of
  /// what is left of the tick. A joint that is torn apart may bring any body anywhere.
  private var aFewAreApart: Bool {
    lookOutForPositionCorrection()
    lookOutForPushes()
    return (someGetFar || mayStrike) && state.correctionSpeed == 0 && state.demands.kinematic == 0
      && chooseZone()
  }

  private func solveParts(_ parts: Int, _ observe: ((StepStage) -> Void)?) {
    assert(PhysicsWorld.subSteps % parts == 0, "the parts of a tick are of one length")
    zone.isOn = false
    for part in 0..<parts { solve(part, of: parts, observe) }
    state.partsSolved = parts
  }

  /// Solves a tick of 1/120 s, half of a usual one: three sub-steps together or one by one.
  private func solveShortTick(_ observe: ((StepStage) -> Void)?) {
    zone.isOn = false
    lookOutForPositionCorrection()
    lookOutForPushes()
    let parts = partsOfTick <= 2 ? 1 : 3
    assert(PhysicsWorld.subSteps % (2 * parts) == 0, "the parts of a tick are of one length")
    for part in 0..<parts { solve(part, of: 2 * parts, observe) }
    state.partsSolved = parts
  }

  /// Solves a tick in one part or two, in which the contacts about a few bodies are found again in
  /// each sub-step. If there are too many of them after the first half, those of all bodies are.
  private func solveWithZone(_ observe: ((StepStage) -> Void)?) {
    if zoneLastsForTick {
      solve(0, of: 1, observe)
      state.partsSolved = 1
      return
    }
    solve(0, of: 2, observe)
    let stillFew = aFewAreApart
    if stillFew || partsOfTick <= 2 {
      zone.isOn = stillFew && zone.isOn
      solve(1, of: 2, observe)
      state.partsSolved = 2
    } else {
      zone.isOn = false
      for part in 3..<6 { solve(part, of: 6, observe) }
      state.partsSolved = 4
    }
  }

  /// The tick's events begin with what ended since the last one.
  private func startEvents() {
    events.began.removeAll(keepingCapacity: true)
    events.ended.removeAll(keepingCapacity: true)
    events.sides.removeAll(keepingCapacity: true)
    if !brokenJoints.isEmpty { brokenJoints.removeAll(keepingCapacity: true) }
    sensorEvents.clear()
    events.ended.append(contentsOf: pendingEnded)
    pendingEnded.removeAll(keepingCapacity: true)
  }

  private func forgetForces() {
    guard state.forcesAreSet else { return }
    slots.forces.base.update(repeating: .zero, count: slots.count)
    state.forcesAreSet = false
  }

  /// Solves a part of the tick: the whole, a half or a sixth.
  private func solve(_ part: Int, of parts: Int, _ observe: ((StepStage) -> Void)?) {
    assert(part >= 0 && part < parts)
    state.span = PhysicsWorld.tickLength / Float(parts)
    let subSteps = PhysicsWorld.subSteps / parts
    // For the first part of a tick that was done when the parts were chosen.
    if part > 0 { lookOutForPositionCorrection() }
    findNeighbours(part, of: parts)
    assert(bodies.rowCount == slots.bodyCount && state.activeRows <= bodies.rowCount)
    observe?(.pairs)
    findContacts()
    observe?(.contacts)
    if zone.isOn { findFastContacts() }
    assert(contacts.edges.count <= edgePairs.count, "a pair has one contact at most")
    let h = PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    let pushSpeed = pushSpeed
    let (soft, edgeSoft) = (softness(pushSpeed, h), softness(10 * pushSpeed, h))
    startIntegration(h)
    trackEnergy()
    if zone.isOn { trackFastEnergy() }
    prepareJoints(h)
    observe?(.integrate)
    everyBatch { prepareBatches() }
    for subStep in 0..<subSteps {
      if subStep > 0 {
        if zone.isOn { findFastContactsAgain() }
        observe?(.solve)
        continueIntegration()
        observe?(.integrate)
        if zone.isOn { prepareFastContacts() }
      }
      trackJoints { placeJoints(h) }
      everyBatch { passBiased(soft, edgeSoft) }
      observe?(.solve)
      movePositions(h)
      observe?(.integrate)
      trackJoints { takeBackPositionCorrection(h) }
      everyBatch { passRelaxed(soft, edgeSoft) }
      if zone.isOn { settleFastContacts(soft, edgeSoft) }
      settleContacts(soft, edgeSoft)
      finishJoints(h)
    }
    applyRestitution()
    resistRolling(subSteps: subSteps)
    if zone.isOn {
      bounceFastContacts()
      withFastContacts { resistRolling(subSteps: 1) }
    }
    rememberContacts()
    rememberJoints()
    observe?(.solve)
    // Before the speeds are measured, and after moves were stopped before boundaries.
    if state.furtherShapes > 0 { followOwners() }
    finishIntegration()
    if state.furtherShapes > 0 { followOwners() }
    assert(rowsAreTame)
    observe?(.integrate)
  }

  /// Goes through the batches of all contacts, those of the zone last.
  @inline(__always)
  private func everyBatch(_ action: () -> Void) {
    action()
    if zone.isOn { trackFastContacts(action) }
  }

  /// Looks neighbours up again when something has left its sweep (`computeSweeps`). One lookup
  /// serves both halves of a tick, unless something is pushed off its path in between.
  private func findNeighbours(_ part: Int, of parts: Int) {
    let servesTwice = parts == 2 && state.hiddenSpeed == 0
    state.lookupSpan = servesTwice ? PhysicsWorld.tickLength : state.span
    if !state.listsAreValid || neededSweep > state.listedSweep + 6
      || someLeaveTheirSweeps(halfWay: servesTwice && part == 1)
    {
      lookUpNeighbours(split: !zone.isOn)
    }
    if zone.isOn { listFarPairs() }
    if state.splitIsStale || !zone.isDealt { splitPairs() }
    if zone.isOn && state.sleeperCount > 0 { wakeBesideZone() }
  }

  private func softness(_ pushSpeed: Float, _ h: Float) -> Softness {
    Softness(
      frequency: configuration.contactFrequency, dampingRatio: configuration.contactDampingRatio,
      pushSpeed: pushSpeed, step: h)
  }

  /// Slower in a crowd: where bodies started in each other, each is pushed by many at once, and
  /// what the passes leave of that would blow them apart.
  private var pushSpeed: Float {
    let share = shareOfUsual(rows: state.activeRows)
    return share < 1 ? configuration.pushSpeed * share * share : configuration.pushSpeed
  }

  /// The most contacts that so many bodies have side by side, as a share of those that there are:
  /// less than 1 in a crowd. Side by side they have at most three each, with those that are only
  /// near twice as many.
  func shareOfUsual(rows: Int) -> Float {
    let contacts = Float(contacts.onePoint.count + contacts.twoPoint.count)
    let usual = 6 * Float(rows)
    assert(contacts >= 0 && usual >= 0)
    return contacts > usual ? usual / contacts : 1
  }

  private func findContacts() {
    collideAwakeBodies()
    if everyoneMayStrike {
      strikeElasticBodies(PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps))
      if state.furtherShapes > 0 { followOwners() }
      // A heavy body may have struck a light one to twice the speed that was looked out for.
      if outlook(state.lookupSpan) > state.listedSweep + 6 {
        lookUpNeighbours()
        collideAwakeBodies()
      }
    }
    collideEdges()
    colourContacts()
  }

  private func collideAwakeBodies() {
    collideBodies()
    while state.sleeperCount > 0 && wakeTouched() {
      splitPairs()
      collideBodies()
    }
  }

  func collideBodies() {
    contacts.onePoint.count = 0
    contacts.twoPoint.count = 0
    collideCircles()
    collideBoxesWithCircles()
    collideBoxes()
    collidePolygons()
    if state.furtherShapes > 0 { nameOwners() }
    assert(
      contacts.onePoint.count < contacts.onePoint.rows.capacity, "behind them lies the idle one")
    assert(
      contacts.twoPoint.count < contacts.twoPoint.rows.capacity, "behind them lies the idle one")
  }

}
