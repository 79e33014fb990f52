extension WorldStorage {
  func bodyID(ofJoint joint: JointRecord) -> BodyID? {
    joint.slotB < 0 ? nil : bodyID(ofSlot: Int(joint.slotB))
  }

  func addJoint(_ definition: JointDefinition) -> JointID {
    var place = state.lowestFreeJoint
    while place < joints.count && joints[place].exists { place += 1 }
    if place == joints.count { joints.append(JointRecord()) }
    state.lowestFreeJoint = place + 1
    var record = JointRecord()
    assert(joints.count <= PhysicsLimit.joints)
    record.exists = true
    record.generation = joints[place].generation &+ 1
    joints[place] = record
    setJoint(place, definition, isNew: true)
    return JointID(slot: UInt16(place), generation: record.generation)
  }

  /// Whether a removed joint's place is free.
  var hasFreeJoint: Bool {
    for place in state.lowestFreeJoint..<max(joints.count, state.lowestFreeJoint)
    where !joints[place].exists { return true }
    return false
  }

  func removeJoint(_ place: Int) {
    let joint = joints[place]
    assert(joint.exists, "only what is there is removed")
    wakeJoint(joint)
    if !joint.collides {
      state.jointsThatMute -= 1
      forgetLists()
    }
    if joint.mayBreak { state.jointsThatBreak -= 1 }
    assert(state.jointsThatMute >= 0 && state.jointsThatBreak >= 0)
    let generation = joint.generation
    joints[place] = JointRecord()
    joints[place].generation = generation
    state.lowestFreeJoint = min(state.lowestFreeJoint, place)
  }

  /// Removes the joints of a body that is about to go.
  func removeJoints(ofSlot slot: Int) {
    for place in 0..<joints.count where joints[place].exists {
      if Int(joints[place].slotA) == slot || Int(joints[place].slotB) == slot {
        removeJoint(place)
      }
    }
  }

  /// Gives a joint its parameters; what a definition leaves open is measured now.
  func setJoint(_ place: Int, _ definition: JointDefinition, isNew: Bool) {
    assert(slots[Int(definition.a.slot)].exists && definition.b != definition.a)
    var joint = joints[place]
    // Who is let go wakes as well.
    if !isNew { wakeJoint(joint) }
    if !isNew && !joint.collides { state.jointsThatMute -= 1 }
    let isOfOthers = !isNew && !joint.ties(definition)
    if joint.collides != definition.collides || ((isNew || isOfOthers) && !definition.collides) {
      forgetLists()
    }
    if isOfOthers { joint.forgetLoad() }
    joint.releaseMotor()
    joint.collides = definition.collides
    if !joint.collides { state.jointsThatMute += 1 }
    assert(state.jointsThatMute >= 0 && state.jointsThatMute <= joints.count)
    let wasInWorld = joint.slotB < 0
    joint.slotA = definition.a.slot
    joint.slotB = definition.b.map { Int32($0.slot) } ?? -1
    joint.anchorA = definition.anchorA
    if !isNew && !isOfOthers && joint.slotB < 0 && wasInWorld {
      joint.moveAnchor(to: definition.anchorB)
    } else {
      joint.anchorB = definition.anchorB
      joint.anchorTravel = .zero
    }
    joint.frequency = 0
    joint.dampingRatio = 0
    joint.hasLimits = false
    joint.frictionTorque = 0
    joint.motorSpeed = 0
    if !isNew && joint.mayBreak { state.jointsThatBreak -= 1 }
    joint.breakingForce = definition.breakingForce ?? .infinity
    joint.breakingTorque = definition.breakingTorque ?? .infinity
    if joint.mayBreak { state.jointsThatBreak += 1 }
    let former = joint
    joints[place] = joint
    measure(place, definition.kind)
    if !isNew { joints[place].forgetRows(of: former) }
    wakeJoint(joints[place])
  }

  private func measure(_ place: Int, _ kind: JointDefinition.Kind) {
    var joint = joints[place]
    joint.halfTurns = 0
    let solver = JointSolver(self, joint, step: 1)
    let relative = (solver.b.rotation * solver.a.rotation.inverse).angle
    switch kind {
    case .distance(let length, let frequency, let ratio):
      joint.kind = .distance
      joint.length = length ?? solver.reach.length
      joint.frequency = frequency
      joint.dampingRatio = ratio
    case .rope(let length):
      joint.kind = .rope
      joint.length = length ?? solver.reach.length
    case .weld(let angle, let frequency, let ratio):
      joint.kind = .weld
      // The world's angle is 0, so that the body's own angle is minus the relative one.
      joint.angle = angle.map { joint.slotB < 0 ? -$0 : $0 } ?? relative
      joint.frequency = frequency
      joint.dampingRatio = ratio
    case .revolute(let limits, let torque, let motorSpeed):
      joint.kind = .revolute
      joint.angle = relative
      joint.frictionTorque = torque
      joint.motorSpeed = motorSpeed
      joint.setLimits(limits)
    case .prismatic(let axis, let limits, let force, let motorSpeed):
      joint.kind = .prismatic
      joint.frictionTorque = force
      joint.motorSpeed = motorSpeed
      joint.axis = axis.normalized
      joint.angle = relative
      assert(magnitude(joint.axis.lengthSquared - 1) < 1e-3, "an axis is a direction")
      let axis = joint.axis.rotated(by: solver.a.rotation)
      joint.offset = solver.reach.dot(axis)
      joint.length = solver.reach.dot(axis.perpendicular)
      joint.setLimits(limits)
    }
    joints[place] = joint
  }

  func wakeJoint(_ joint: JointRecord) {
    wakeWhatMoves(Int(joint.slotA))
    if joint.slotB >= 0 { wakeWhatMoves(Int(joint.slotB)) }
  }

  /// What is anchored or kinematic feels nothing of a joint, and waking it would wake everything.
  private func wakeWhatMoves(_ slot: Int) {
    if bodies.motions[2 * Int(slots[slot].row)].w > 0 { wake(slot: slot) }
  }
}

extension JointRecord {
  /// Moves an anchor in the world; it travels there in the next tick.
  mutating func moveAnchor(to point: Vector2) {
    assert(exists && slotB < 0 && point.isFinite)
    anchorTravel += anchorB - point
    anchorB = point
  }

  /// Whether a definition is of the same two bodies.
  func ties(_ definition: JointDefinition) -> Bool {
    slotA == definition.a.slot && slotB == (definition.b.map { Int32($0.slot) } ?? -1)
  }

  /// Forgets what it carried between two bodies: others it would kick.
  mutating func forgetLoad() {
    impulses = .zero
    isBlocked = false
  }

  /// A motor that stands at a limit presses on it more and more, up to its strength, and the limit
  /// presses back as much. Takes both away together, which changes no speed, so that a motor that
  /// is turned round answers at once instead of unwinding first.
  mutating func releaseMotor() {
    let motor = impulses[5]
    let limit = motor > 0 ? impulses[4] : impulses[3]
    let shared = limit < magnitude(motor) ? limit : magnitude(motor)
    // Below 0 only in a forged snapshot: limits never pull.
    guard (kind == .revolute || kind == .prismatic) && shared > 0 else { return }
    if motor > 0 {
      impulses[5] -= shared
      impulses[4] -= shared
    } else {
      impulses[5] += shared
      impulses[3] -= shared
    }
  }

  /// Forgets what rows carried that are no more: nobody would take it back.
  mutating func forgetRows(of former: JointRecord) {
    assert(exists)
    if kind != former.kind || isHinge != former.isHinge || isSpring { impulses = .zero }
    if !hasLimits { (impulses[3], impulses[4]) = (0, 0) }
    if frictionTorque == 0 { impulses[5] = 0 }
  }

  /// Whether a motor drives it, whatever it brings about.
  var isDriven: Bool { motorSpeed != 0 && frictionTorque > 0 }

  mutating func setMotor(speed: Float, strength: Float) {
    assert(exists && strength >= 0 && (kind == .revolute || kind == .prismatic))
    releaseMotor()
    (motorSpeed, frictionTorque) = (speed, strength)
    if strength == 0 { impulses[5] = 0 }
  }

  /// Puts other limits in the place of those that are there; what these carried goes with them.
  mutating func changeLimits(to limits: ClosedRange<Float>?) {
    assert(exists && (kind == .revolute || kind == .prismatic))
    releaseMotor()
    hasLimits = false
    (lower, upper) = (0, 0)
    (impulses[3], impulses[4]) = (0, 0)
    setLimits(limits)
    if !countsTurns { halfTurns = 0 }
  }

  mutating func setLimits(_ limits: ClosedRange<Float>?) {
    guard let limits else { return }
    hasLimits = true
    lower = limits.lowerBound
    upper = limits.upperBound
  }
}
