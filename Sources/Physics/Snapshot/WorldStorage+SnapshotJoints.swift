/// What a snapshot says of a joint in a bit each. What a joint doesn't have takes no bytes, so that
/// worlds which use none of it have the snapshots and hashes that they had before it came.
enum JointFlag {
  static let hasLimits: UInt8 = 1
  static let motor: UInt8 = 2
  static let breaksByForce: UInt8 = 4
  static let breaksByTorque: UInt8 = 8
  static let halfTurns: UInt8 = 16
  static let heldBack: UInt8 = 32

  static func flags(of joint: JointRecord) -> UInt8 {
    var flags: UInt8 = joint.hasLimits ? hasLimits : 0
    if joint.motorSpeed != 0 { flags |= motor }
    if joint.breakingForce < .infinity { flags |= breaksByForce }
    if joint.breakingTorque < .infinity { flags |= breaksByTorque }
    if joint.halfTurns != 0 { flags |= halfTurns }
    if joint.isHeldBack { flags |= heldBack }
    return flags
  }
}

extension WorldStorage {
  func saveJoints<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(UInt32(joints.count))
    for place in 0..<joints.count {
      let joint = joints[place]
      out.put(joint.exists)
      out.put(joint.generation)
      guard joint.exists else { continue }
      out.put(joint.kind.rawValue)
      out.put(joint.collides)
      out.put(JointFlag.flags(of: joint))
      out.put(joint.slotA)
      out.put(joint.slotB)
      out.put(joint.anchorA)
      out.put(joint.anchorB)
      out.put(joint.axis)
      out.put(joint.length)
      out.put(joint.angle)
      out.put(joint.offset)
      out.put(joint.frequency)
      out.put(joint.dampingRatio)
      out.put(joint.lower)
      out.put(joint.upper)
      out.put(joint.frictionTorque)
      for i in 0..<6 { out.put(joint.impulses[i]) }
      out.put(joint.anchorTravel)
      out.put(joint.isBlocked)
      if joint.motorSpeed != 0 { out.put(joint.motorSpeed) }
      if joint.breakingForce < .infinity { out.put(joint.breakingForce) }
      if joint.breakingTorque < .infinity { out.put(joint.breakingTorque) }
      if joint.halfTurns != 0 { out.put(joint.halfTurns) }
      if joint.isHeldBack { out.put(joint.reach) }
    }
  }

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
    guard flags < 64 else { throw .malformedSnapshot }
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
    if flags & JointFlag.halfTurns != 0 { joint.halfTurns = try input.take(Int32.self) }
    if flags & JointFlag.heldBack != 0 { joint.reach = try input.number() }
    guard exists(Int(joint.slotA)), joint.slotB == -1 || exists(Int(joint.slotB)),
      joint.slotB != Int32(joint.slotA), PhysicsLimit.frequency.contains(joint.frequency),
      PhysicsLimit.dampingRatio.contains(joint.dampingRatio)
    else { throw .malformedSnapshot }
    guard joint.isSound(lightest: state.lightest) else { throw .malformedSnapshot }
    // What is not there takes no bytes: a motor of no speed would be saved otherwise than it was.
    guard (joint.motorSpeed != 0) == (flags & JointFlag.motor != 0),
      (joint.halfTurns != 0) == (flags & JointFlag.halfTurns != 0),
      joint.isHeldBack == (flags & JointFlag.heldBack != 0)
    else { throw .malformedSnapshot }
    if !joint.collides { state.jointsThatMute += 1 }
    if joint.mayBreak { state.jointsThatBreak += 1 }
  }

  private func exists(_ slot: Int) -> Bool { slot >= 0 && slot < slots.count && isBody(slot) }
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
      && push * lightest <= SnapshotLimit.push && PhysicsLimit.torque.contains(frictionTorque)
      && halfTurns.magnitude <= Self.mostHalfTurns.magnitude
      && motorSpeed.isWithin(kind == .prismatic ? PhysicsWorld.speedLimit : PhysicsWorld.spinLimit)
      && breakingForce >= 0 && breakingTorque >= 0 && reach >= 1
  }
}
