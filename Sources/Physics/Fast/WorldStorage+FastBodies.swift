// Which bodies get far in a tick: those that are fast, and those that a joint or a force makes fast
// within it. As long as they are few, their contacts alone are found again in each sub-step.

extension WorldStorage {
  /// Chooses the bodies that get far in half a tick, and what may happen to the others; false when
  /// the whole world has to look out for them.
  ///
  /// Sleepers would have to be woken in the midst of a half, elastic bodies pass blows on through
  /// the whole world, and the energy of a world that floats is watched as one.
  func chooseFastBodies() -> Bool {
    zone.clear(slots: slots.count)
    guard bodies.rowCount >= FastZone.oneIn, now.sleeperCount == 0, !mayStrike,
      now.gravity != .zero
    else { return false }
    let everyone = largestGravity * PhysicsWorld.tickLength
    notePushesOfJoints()
    notePushesOfForces()
    guard addFastBodies(everyone), addJoinedBodies() else { return false }
    let hidden = everyone > Self.unnoticed ? everyone : 0
    let half = PhysicsWorld.tickLength / 2
    guard zone.count * FastZone.oneIn <= bodies.rowCount,
      zone.othersSpeed.squareRoot() + hidden <= Self.veryFast,
      (zone.speed + hidden) * half <= Self.longestSweep
    else { return false }
    now.hiddenSpeed = hidden
    zone.isOn = zone.count > 0
    return true
  }

  private func addFastBodies(_ everyone: Float) -> Bool {
    let veryFast = Self.veryFast * Self.veryFast
    for row in 0..<bodies.rowCount
    where bodies.slots[row] >= 0 && bodies.motions[2 * row].w > 0 {
      let (slot, v) = (Int(bodies.slots[row]), bodies.motions[2 * row])
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
    guard now.forcesAreSet else { return }
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
