extension WorldStorage {
  func restoreJoints(_ input: inout SnapshotReader) throws(PhysicsError) {
    joints.count = try input.count(ofSize: 3, limit: PhysicsLimit.joints)
    joints.reserve(joints.count)
    for place in 0..<joints.count {
      var joint = JointRecord()
      joint.exists = try input.flag()
      joint.generation = try input.take(UInt16.self)
      if joint.exists { try restore(&joint, &input) }
      joints[place] = joint
    }
  }

  private func restore(
    _ joint: inout JointRecord, _ input: inout SnapshotReader
  ) throws(PhysicsError) {
    guard let kind = JointRecord.Kind(rawValue: try input.take(UInt8.self)) else {
      throw .malformedSnapshot
    }
    joint.kind = kind
    joint.collides = try input.flag()
    let flags = try input.take(UInt8.self)
    guard flags < 16 else { throw .malformedSnapshot }
    joint.hasLimits = flags & JointFlag.hasLimits != 0
    joint.slotA = try input.take(UInt16.self)
    joint.slotB = try input.take(Int32.self)
    joint.anchorA = try input.vector()
    joint.anchorB = try input.vector()
    joint.axis = try input.vector()
    joint.length = try input.number()
    joint.angle = try input.number()
    joint.offset = try input.number()
    joint.frequency = try input.number()
    joint.dampingRatio = try input.number()
    joint.lower = try input.number()
    joint.upper = try input.number()
    joint.frictionTorque = try input.number()
    for i in 0..<6 { joint.impulses[i] = try input.number() }
    joint.anchorTravel = try input.vector()
    joint.isBlocked = try input.flag()
    if flags & JointFlag.motor != 0 { joint.motorSpeed = try input.number() }
    if flags & JointFlag.breaksByForce != 0 { joint.breakingForce = try input.number() }
    if flags & JointFlag.breaksByTorque != 0 { joint.breakingTorque = try input.number() }
    guard exists(Int(joint.slotA)), joint.slotB == -1 || exists(Int(joint.slotB)),
      joint.slotB != Int32(joint.slotA), PhysicsLimit.frequency.contains(joint.frequency),
      PhysicsLimit.dampingRatio.contains(joint.dampingRatio)
    else { throw .malformedSnapshot }
    guard joint.isSound(lightest: state.lightest) else { throw .malformedSnapshot }
    // What is not there takes no bytes: a motor of no speed would be saved otherwise than it was.
    guard (joint.motorSpeed != 0) == (flags & JointFlag.motor != 0) else {
      throw .malformedSnapshot
    }
    if !joint.collides { state.jointsThatMute += 1 }
    if joint.mayBreak { state.jointsThatBreak += 1 }
  }

  private func exists(_ slot: Int) -> Bool { slot >= 0 && slot < slots.count && slots[slot].exists }
}

extension JointRecord {
  /// Whether numbers from outside make a joint.
  fileprivate func isSound(lightest: Float) -> Bool {
    var push: Float = 0
    for i in 0..<8 { push += magnitude(impulses[i]) }
    let places = magnitude(anchorA.x) + magnitude(anchorA.y) + magnitude(anchorB.x)
    let lengths = magnitude(anchorB.y) + magnitude(length) + magnitude(offset)
    let angles = magnitude(angle) + magnitude(lower) + magnitude(upper)
    return places + lengths + angles <= SnapshotLimit.place && axis.lengthSquared <= 1.1
      && push * lightest <= SnapshotLimit.push && magnitude(frictionTorque) <= SnapshotLimit.place
      && motorSpeed.isWithin(kind == .prismatic ? PhysicsWorld.speedLimit : PhysicsWorld.spinLimit)
      && breakingForce >= 0 && breakingTorque >= 0
  }
}
