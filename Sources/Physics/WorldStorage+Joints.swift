extension WorldStorage {
  func bodyID(ofJoint joint: JointRecord) -> BodyID? {
    joint.slotB < 0 ? nil : bodyID(ofSlot: Int(joint.slotB))
  }

  func addJoint(_ definition: JointDefinition) -> JointID {
    var place = 0
    while place < jointCount && joints[place].exists { place += 1 }
    if place == jointCount {
      jointCount += 1
      joints.reserve(jointCount)
      joints[place] = JointRecord()
    }
    var record = JointRecord()
    record.exists = true
    record.generation = joints[place].generation &+ 1
    joints[place] = record
    setJoint(place, definition, isNew: true)
    return JointID(slot: UInt16(place), generation: record.generation)
  }

  func removeJoint(_ place: Int) {
    let joint = joints[place]
    wakeJoint(joint)
    if !joint.collides {
      jointsThatMute -= 1
      listsAreValid = false
    }
    let generation = joint.generation
    joints[place] = JointRecord()
    joints[place].generation = generation
  }

  /// Removes the joints of a body that is about to go.
  func removeJoints(ofSlot slot: Int) {
    for place in 0..<jointCount where joints[place].exists {
      if Int(joints[place].slotA) == slot || Int(joints[place].slotB) == slot {
        removeJoint(place)
      }
    }
  }

  /// Gives a joint its parameters; what a definition leaves open is measured now.
  func setJoint(_ place: Int, _ definition: JointDefinition, isNew: Bool) {
    var joint = joints[place]
    if !isNew && !joint.collides { jointsThatMute -= 1 }
    if joint.collides != definition.collides || (isNew && !definition.collides) {
      listsAreValid = false
    }
    joint.collides = definition.collides
    if !joint.collides { jointsThatMute += 1 }
    joint.slotA = definition.a.slot
    joint.slotB = definition.b.map { Int32($0.slot) } ?? -1
    joint.anchorA = definition.anchorA
    joint.anchorB = definition.anchorB
    joint.frequency = 0
    joint.dampingRatio = 0
    joint.hasLimits = false
    joints[place] = joint
    measure(place, definition.kind)
    wakeJoint(joints[place])
  }

  private func measure(_ place: Int, _ kind: JointDefinition.Kind) {
    var joint = joints[place]
    let solver = JointSolver(self, joint, step: 1, biased: false)
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
    case .revolute(let limits, let torque):
      joint.kind = .revolute
      joint.angle = relative
      joint.frictionTorque = torque
      joint.setLimits(limits)
    case .prismatic(let axis, let limits):
      joint.kind = .prismatic
      joint.axis = axis.normalized
      joint.angle = relative
      let axis = joint.axis.rotated(by: solver.a.rotation)
      joint.offset = solver.reach.dot(axis)
      joint.length = solver.reach.dot(axis.perpendicular)
      joint.setLimits(limits)
    }
    joints[place] = joint
  }

  func wakeJoint(_ joint: JointRecord) {
    wake(slot: Int(joint.slotA))
    if joint.slotB >= 0 { wake(slot: Int(joint.slotB)) }
  }

  func jointMutes(_ a: Int, _ b: Int) -> Bool {
    for place in 0..<jointCount where joints[place].exists && !joints[place].collides {
      let (p, q) = (Int(joints[place].slotA), Int(joints[place].slotB))
      if (p == a && q == b) || (p == b && q == a) { return true }
    }
    return false
  }

  // MARK: In a step

  func warmStartJoints(_ h: Float) {
    for place in 0..<jointCount where isActive(place) && !joints[place].isSpring {
      var solver = JointSolver(self, joints[place], step: h, biased: true)
      solver.warmStart()
      solver.a.store(self, drivesBase: false)
      solver.b.store(self, drivesBase: false)
    }
  }

  func applySprings(_ h: Float) {
    for place in 0..<jointCount where isActive(place) && joints[place].isSpring {
      let joint = joints[place]
      let spring = SpringStep(
        frequency: joint.frequency, dampingRatio: joint.dampingRatio, step: h)
      var solver = JointSolver(self, joint, step: h, biased: true)
      solver.applySpring(spring)
      solver.a.store(self, drivesBase: true)
      solver.b.store(self, drivesBase: true)
    }
  }

  func solveJoints(_ h: Float, biased: Bool) {
    for place in 0..<jointCount where isActive(place) && !joints[place].isSpring {
      var solver = JointSolver(self, joints[place], step: h, biased: biased)
      solver.solve()
      joints[place].impulses = solver.joint.impulses
      solver.a.store(self, drivesBase: false)
      solver.b.store(self, drivesBase: false)
    }
  }

  private func isActive(_ place: Int) -> Bool {
    guard joints[place].exists else { return false }
    return isAwake(Int32(joints[place].slotA)) || isAwake(joints[place].slotB)
  }

  private func isAwake(_ slot: Int32) -> Bool {
    guard slot >= 0 else { return false }
    let record = slots[Int(slot)]
    return !record.isAsleep && motions[2 * Int(record.row)].w > 0
  }
}

extension JointRecord {
  mutating func setLimits(_ limits: ClosedRange<Float>?) {
    guard let limits else { return }
    hasLimits = true
    lower = limits.lowerBound
    upper = limits.upperBound
  }
}
