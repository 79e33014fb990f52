// A tick from above; ARCHITECTURE.md tells what happens where.

extension WorldStorage {
  func step(_ observe: ((StepStage) -> Void)?) {
    assert(slots.bodyCount <= configuration.capacity && slots.bodyCount <= bodies.rowCount)
    assert(sleepersAreCounted)
    let hasPending = !pendingEnded.isEmpty
    startEvents()
    now.tick &+= 1
    now.partsSolved = 0
    if now.listsAreValid && now.splitIsStale { splitPairs() }
    if now.listsAreValid && now.activeRows == 0 { return forgetForces() }
    startJoints()
    lookOutForMending()
    lookOutForPushes()
    let parts = partsOfTick
    now.partsSolved = parts
    assert(PhysicsWorld.subSteps % parts == 0, "the parts of a tick are of one length")
    for part in 0..<parts { solve(part, of: parts, observe) }
    now.hiddenSpeed = 0
    if parts > 1 || hasPending { netEvents() }
    assert(rowsMatchSlots)
    endJoints()
    rest()
    observe?(.sleep)
    forgetForces()
  }

  /// The tick's events begin with what ended since the last one.
  private func startEvents() {
    events.began.removeAll(keepingCapacity: true)
    events.ended.removeAll(keepingCapacity: true)
    events.sides.removeAll(keepingCapacity: true)
    events.ended.append(contentsOf: pendingEnded)
    pendingEnded.removeAll(keepingCapacity: true)
  }

  private func forgetForces() {
    guard now.forcesAreSet else { return }
    slots.forces.base.update(repeating: .zero, count: slots.count)
    now.forcesAreSet = false
  }

  /// Solves a part of the tick: the whole, a half or a sixth.
  private func solve(_ part: Int, of parts: Int, _ observe: ((StepStage) -> Void)?) {
    assert(part >= 0 && part < parts)
    now.span = PhysicsWorld.tickLength / Float(parts)
    let subSteps = PhysicsWorld.subSteps / parts
    lookOutForMending()
    findNeighbours(part, of: parts)
    assert(bodies.rowCount == slots.bodyCount && now.activeRows <= bodies.rowCount)
    observe?(.pairs)
    findContacts()
    observe?(.contacts)
    assert(contacts.edges.count <= edgePairs.count, "a pair has one contact at most")
    let h = PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    let pushSpeed = pushSpeed
    let (soft, edgeSoft) = (softness(pushSpeed, h), softness(10 * pushSpeed, h))
    startIntegration(h)
    openBooks()
    observe?(.integrate)
    prepareBatches()
    for subStep in 0..<subSteps {
      if subStep > 0 {
        observe?(.solve)
        continueIntegration()
        observe?(.integrate)
      }
      bookJoints { placeJoints(h) }
      passBiased(soft, edgeSoft)
      observe?(.solve)
      movePositions(h)
      observe?(.integrate)
      bookJoints { takeBackMending(h) }
      passRelaxed(soft, edgeSoft)
      settleContacts(soft, edgeSoft)
      finishJoints(h)
    }
    applyRestitution()
    resistRolling(subSteps: subSteps)
    rememberContacts()
    observe?(.solve)
    finishIntegration()
    assert(rowsAreTame)
    observe?(.integrate)
  }

  /// Looks neighbours up again when something has left the way that they were looked up for. One
  /// lookup serves both halves of a tick, unless something is pushed off its way in between.
  private func findNeighbours(_ part: Int, of parts: Int) {
    let servesTwice = parts == 2 && now.hiddenSpeed == 0
    now.lookupSpan = servesTwice ? PhysicsWorld.tickLength : now.span
    if !now.listsAreValid || outlook(now.lookupSpan) > now.listedSweep + 6
      || someLeaveTheirWays(halfWay: servesTwice && part == 1)
    {
      lookUpNeighbours()
    } else if now.splitIsStale {
      splitPairs()
    }
  }

  private func softness(_ pushSpeed: Float, _ h: Float) -> Softness {
    Softness(
      frequency: configuration.contactFrequency, dampingRatio: configuration.contactDampingRatio,
      pushSpeed: pushSpeed, step: h)
  }

  /// Slower in a crowd: where bodies started in each other, each is pushed by many at once, and
  /// what the passes leave of that would blow them apart.
  private var pushSpeed: Float {
    let share = shareOfUsual
    return share < 1 ? configuration.pushSpeed * share * share : configuration.pushSpeed
  }

  /// The most contacts that bodies have side by side, as a share of those that there are: less than
  /// 1 in a crowd. Side by side they have at most three each, with those that are only near twice
  /// as many.
  var shareOfUsual: Float {
    let contacts = Float(contacts.ones.count + contacts.twos.count)
    let usual = 6 * Float(now.activeRows)
    assert(contacts >= 0 && usual >= 0)
    return contacts > usual ? usual / contacts : 1
  }

  private func findContacts() {
    collideAwakeBodies()
    if mayStrike {
      strikeElasticBodies(PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps))
      // A heavy body may have struck a light one to twice the speed that was looked out for.
      if outlook(now.lookupSpan) > now.listedSweep + 6 {
        lookUpNeighbours()
        collideAwakeBodies()
      }
    }
    collideEdges()
    colourContacts()
  }

  private func collideAwakeBodies() {
    collideBodies()
    while now.sleeperCount > 0 && wakeTouched() {
      splitPairs()
      collideBodies()
    }
  }

  private func collideBodies() {
    contacts.ones.count = 0
    contacts.twos.count = 0
    collideCircles()
    collideBoxesWithCircles()
    collideBoxes()
    collidePolygons()
    assert(contacts.ones.count < contacts.ones.rows.capacity, "behind them lies the idle one")
    assert(contacts.twos.count < contacts.twos.rows.capacity, "behind them lies the idle one")
  }

}
