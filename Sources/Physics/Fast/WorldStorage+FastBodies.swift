// Which bodies have a zone of their own: those that are fast, those that a joint or a force makes
// fast within the tick, and those that are elastic. As long as they are few, their contacts alone
// are found again in each sub-step.

extension WorldStorage {
  /// Chooses the bodies that get far in half a tick or pass blows on, and what may happen to the
  /// others; false when the whole world has to look out for them.
  func chooseZone() -> Bool {
    // The zone knows bodies by their rows, of which a body of several shapes has several.
    guard state.furtherShapes == 0 else { return false }
    if someGetFar && chooseFastBodies() { return true }
    return mayStrike && partsBySpeed <= 2 && chooseElasticBodies()
  }

  /// Whether the zone and all others can be solved in a single part: nobody is fast, and the
  /// elastic ones, whose own contacts are found again anyway, are at most twice as fast as others
  /// may be then.
  var zoneLastsForTick: Bool {
    let fast = Self.fast - 0.5 * state.hiddenSpeed
    return !zone.hasFast && fast > 0 && zone.othersSpeed <= fast * fast && zone.speed <= 2 * fast
  }

  /// Chooses the fast bodies, and with them the elastic ones; not where nothing drives the bodies
  /// and energy is watched in the world as a whole.
  private func chooseFastBodies() -> Bool {
    zone.clear(slots: slots.count)
    guard bodies.rowCount >= FastZone.oneIn, state.gravity != .zero else { return false }
    let everyone = largestGravity * PhysicsWorld.tickLength
    notePushesOfJoints()
    notePushesOfForces()
    guard addFastBodies(everyone), addJoinedBodies(), addElasticBodies() else { return false }
    let hidden = everyone > Self.unnoticed ? everyone : 0
    let half = PhysicsWorld.tickLength / 2
    guard zone.count * FastZone.oneIn <= bodies.rowCount,
      zone.othersSpeed.squareRoot() + hidden <= Self.veryFast,
      (zone.speed + hidden) * half <= Self.longestSweep
    else { return false }
    state.hiddenSpeed = hidden
    zone.hasFast = true
    zone.isOn = zone.count > 0
    return true
  }

  /// Chooses the elastic bodies alone, where nobody is so fast that he needs a zone.
  private func chooseElasticBodies() -> Bool {
    zone.clear(slots: slots.count)
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 && !strikes(row) {
      let v = bodies.motions[2 * row]
      let squared = v.x * v.x + v.y * v.y
      zone.othersSpeed = squared > zone.othersSpeed ? squared : zone.othersSpeed
    }
    guard addElasticBodies(), zone.count * FastZone.oneIn <= bodies.rowCount else { return false }
    // Nobody is that fast here, unless a forged snapshot says less of the speeds than there is.
    guard (zone.speed + state.hiddenSpeed) * PhysicsWorld.tickLength / 2 <= Self.longestSweep else {
      return false
    }
    zone.isOn = zone.count > 0
    return true
  }

  /// Adds the elastic bodies that are awake. Anchored ones strike what hits them.
  private func addElasticBodies() -> Bool {
    guard mayStrike else { return true }
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 && strikes(row) {
      let (slot, v) = (Int(bodies.slots[row]), bodies.motions[2 * row])
      zone.hasElastic = true
      guard !zone.isChosen(slot: slot) else { continue }
      let speed = (v.x * v.x + v.y * v.y).squareRoot()
      guard zone.add(slot: slot, speed: speed) else { return false }
    }
    return true
  }

  /// Whether a row is elastic and awake.
  @inline(__always)
  private func strikes(_ row: Int) -> Bool {
    bodies.materials[row].y >= BodyProperties.elastic && !slots[Int(bodies.slots[row])].isAsleep
  }

  private func addFastBodies(_ everyone: Float) -> Bool {
    let veryFast = Self.veryFast * Self.veryFast
    for row in 0..<bodies.rowCount
    where bodies.slots[row] >= 0 && bodies.motions[2 * row].w > 0 {
      let (slot, v) = (Int(bodies.slots[row]), bodies.motions[2 * row])
      if state.sleeperCount > 0 && slots[slot].isAsleep { continue }
      let squared = v.x * v.x + v.y * v.y
      let push = zone.pushes[slot]
      assert(push >= 0 && squared >= 0)
      var isFast = squared > veryFast
      if push > 0 {
        isFast = push + everyone > Self.unnoticed || squared.squareRoot() + push > Self.veryFast
      }
      if isFast {
        // What is gained within the tick counts for half of it.
        let speed = squared.squareRoot() + 0.5 * push
        guard zone.add(slot: slot, speed: speed) else { return false }
      } else if squared > zone.othersSpeed {
        zone.othersSpeed = squared
      }
    }
    return true
  }

  /// What hangs on a fast body by a joint is taken along.
  private func addJoinedBodies() -> Bool {
    guard zone.count > 0 && joints.count > 0 else { return true }
    var goesOn = true
    while goesOn {
      goesOn = false
      for place in 0..<joints.count where isActive(place) && joints[place].slotB >= 0 {
        let (a, b) = (Int(joints[place].slotA), Int(joints[place].slotB))
        guard zone.isChosen(slot: a) != zone.isChosen(slot: b) else { continue }
        let other = zone.isChosen(slot: a) ? b : a
        guard bodies.motions[2 * Int(slots[other].row)].w > 0 else { continue }
        guard zone.add(slot: other, speed: zone.speed) else { return false }
        goesOn = true
      }
    }
    return true
  }

  private func notePushesOfJoints() {
    for place in 0..<joints.count where isActive(place) {
      let push = largestSpeed(byJoint: place)
      assert(push >= 0)
      note(push, slot: Int(joints[place].slotA))
      if joints[place].slotB >= 0 { note(push, slot: Int(joints[place].slotB)) }
    }
  }

  private func notePushesOfForces() {
    guard state.forcesAreSet else { return }
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 {
      note(largestSpeed(byForceOnRow: row), slot: Int(bodies.slots[row]))
    }
  }

  private func note(_ push: Float, slot: Int) {
    let sum = zone.pushes[slot] + push
    let limit = PhysicsWorld.speedLimit
    zone.pushes[slot] = sum < limit ? sum : limit
  }
}
