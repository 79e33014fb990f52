/// The parts of a step, as an observer sees them end.
public enum StepStage: Int, Sendable, CaseIterable {
  /// Neighbours looked up: sort, search, match.
  case pairs
  /// Contacts found and dealt out to batches.
  case contacts
  /// Impulses solved, all sub-steps, with bounce and memory.
  case solve
  /// Positions moved, velocities driven.
  case integrate
  /// Resting groups put to sleep.
  case sleep
}

extension WorldStorage {
  /// Speeds, in pt/s, above which a tick is solved in two and in six parts: contacts are found
  /// again before anything has moved much more than a contact's reach.
  private static let fast: Float = 480
  private static let veryFast: Float = 3840

  func step(_ observe: ((StepStage) -> Void)?) {
    events.began.removeAll(keepingCapacity: true)
    events.ended.removeAll(keepingCapacity: true)
    events.ended.append(contentsOf: pendingEnded)
    pendingEnded.removeAll(keepingCapacity: true)
    tick &+= 1
    if listsAreValid && splitIsStale { splitPairs() }
    if listsAreValid && activeRows == 0 { return }
    let parts =
      largestSpeed > Self.fast * Self.fast
      ? (largestSpeed > Self.veryFast * Self.veryFast ? 6 : 2) : 1
    startJoints()
    for _ in 0..<parts { solve(parts: parts, observe) }
    endJoints()
    rest()
    observe?(.sleep)
    if forcesAreSet {
      forces.base.update(repeating: .zero, count: slotCount)
      forcesAreSet = false
    }
  }

  private func solve(parts: Int, _ observe: ((StepStage) -> Void)?) {
    span = PhysicsWorld.tickLength / Float(parts)
    let subSteps = PhysicsWorld.subSteps / parts
    let h = PhysicsWorld.tickLength / Float(PhysicsWorld.subSteps)
    let limit = Lookup.skin * 0.5
    let sweep = largestSpeed.squareRoot() * span
    if !listsAreValid || largestMove > limit * limit || sweep > listedSweep + 6 {
      lookUpNeighbours()
    } else if splitIsStale {
      splitPairs()
    }
    observe?(.pairs)
    findContacts()
    observe?(.contacts)
    let soft = Softness(
      frequency: configuration.contactFrequency, dampingRatio: configuration.contactDampingRatio,
      pushSpeed: configuration.pushSpeed, step: h)
    let edgeSoft = Softness(
      frequency: configuration.contactFrequency, dampingRatio: configuration.contactDampingRatio,
      pushSpeed: 10 * configuration.pushSpeed, step: h)
    startIntegration(h)
    observe?(.integrate)
    prepareBatches()
    for subStep in 0..<subSteps {
      if subStep > 0 {
        observe?(.solve)
        continueIntegration()
        observe?(.integrate)
      }
      placeJoints(h)
      passBiased(soft, edgeSoft)
      observe?(.solve)
      movePositions(h)
      observe?(.integrate)
      takeBackMending(h)
      passRelaxed(soft, edgeSoft)
      finishJoints(h)
    }
    applyRestitution()
    rememberContacts()
    observe?(.solve)
    finishIntegration()
    observe?(.integrate)
  }

  private func findContacts() {
    collideBodies()
    while sleeperCount > 0 && wakeTouched() {
      splitPairs()
      collideBodies()
    }
    collideEdges()
    colourContacts()
  }

  private func collideBodies() {
    records.oneCount = 0
    records.twoCount = 0
    collideCircles()
    collideBoxesWithCircles()
    collideBoxes()
    collidePolygons()
  }
}
