extension PhysicsWorld {
  /// Faster than this, in pt/s, an anchor of a joint does not travel but jumps: its body is brought
  /// after it without being given its speed. Faster than fingers on glass, which stay below 3600,
  /// and slow enough that what hangs on a rod is not slung about its end.
  public static let fastestAnchor: Float = 4000

  /// Fastest that a joint brings a body to where its anchors meet again, in pt/s, without giving it
  /// velocity: 8 pt a sub-step. Walls come after the joints and stop it.
  public static let positionCorrectionSpeed: Float = 3000

  /// Ties a body to another one or to a point of the world, and wakes both.
  ///
  /// Throws `unknownBody` for a body that does not exist, `jointWithItself`, `valueOutOfRange` for
  /// numbers outside their documented ranges, `tooManyJoints` beyond `PhysicsLimit.joints`.
  @discardableResult
  public mutating func addJoint(_ definition: JointDefinition) throws(PhysicsError) -> JointID {
    try check(definition)
    guard storage.joints.count < PhysicsLimit.joints || storage.hasFreeJoint else {
      throw .tooManyJoints(limit: PhysicsLimit.joints)
    }
    return owned().addJoint(definition)
  }

  /// Gives a joint new parameters, as if it were new but without forgetting what it carries: a
  /// moved anchor drags its body. Throws as `addJoint` does, and `unknownJoint`.
  public mutating func setJoint(
    _ id: JointID, to definition: JointDefinition
  ) throws(PhysicsError) {
    guard contains(id) else { throw .unknownJoint(id) }
    try check(definition)
    owned().setJoint(Int(id.slot), definition, isNew: false)
  }

  /// Moves the second anchor of a joint (a point of the world, or of the second body's frame), and
  /// wakes its bodies. In the world the anchor travels there during the next step and takes the
  /// body along; a way of more than `fastestAnchor` is a jump, after which the body is brought
  /// without the speed, at `positionCorrectionSpeed`. Throws `unknownJoint`, and `valueOutOfRange`
  /// for a point beyond `PhysicsLimit.place`.
  public mutating func setAnchor(_ point: Vector2, of id: JointID) throws(PhysicsError) {
    guard contains(id) else { throw .unknownJoint(id) }
    guard point.isPlace else { throw .outside(.anchor, point, within: PhysicsLimit.place) }
    let world = owned()
    if world.joints[Int(id.slot)].slotB < 0 {
      world.joints[Int(id.slot)].moveAnchor(to: point)
    } else {
      world.joints[Int(id.slot)].anchorB = point
    }
    world.wakeJoint(world.joints[Int(id.slot)])
  }

  /// Sets the length of a distance joint or rope, in points, and wakes its bodies; they are brought
  /// together or apart at up to `positionCorrectionSpeed`. Throws `unknownJoint`, `valueOutOfRange`
  /// for a length outside 0…`PhysicsLimit.reach`, and `meaninglessProperty` for a joint of another
  /// kind.
  public mutating func setLength(_ length: Float, of id: JointID) throws(PhysicsError) {
    guard contains(id) else { throw .unknownJoint(id) }
    let kind = storage.joints[Int(id.slot)].kind
    guard kind == .distance || kind == .rope else { throw .meaninglessProperty(.length, of: id) }
    guard length >= 0, length <= PhysicsLimit.reach else {
      throw .outside(.length, length, 0...PhysicsLimit.reach)
    }
    let world = owned()
    let former = world.joints[Int(id.slot)]
    world.joints[Int(id.slot)].length = length
    world.joints[Int(id.slot)].forgetRows(of: former)
    world.wakeJoint(world.joints[Int(id.slot)])
  }

  /// Sets the motor of a hinge (rad/s, and the most torque) or of a slider (pt/s, and the most
  /// force), within the ranges of `JointDefinition.Kind`, and wakes its bodies. The zero of its
  /// limits stays, which `setJoint` would take anew. A strength of 0 takes the motor away. Throws
  /// `unknownJoint`, `valueOutOfRange` for other numbers, and `meaninglessProperty` for a joint of
  /// another kind.
  public mutating func setMotor(
    speed: Float, strength: Float, of id: JointID
  ) throws(PhysicsError) {
    guard contains(id) else { throw .unknownJoint(id) }
    let limit: Float
    switch storage.joints[Int(id.slot)].kind {
    case .revolute: limit = PhysicsWorld.spinLimit
    case .prismatic: limit = PhysicsWorld.speedLimit
    case .distance, .rope, .weld: throw .meaninglessProperty(.motorSpeed, of: id)
    }
    guard PhysicsLimit.torque.contains(strength) else {
      throw .outside(.motorStrength, strength, PhysicsLimit.torque)
    }
    guard speed.isWithin(limit) else { throw .outside(.motorSpeed, speed, -limit...limit) }
    let world = owned()
    world.joints[Int(id.slot)].setMotor(speed: speed, strength: strength)
    world.wakeJoint(world.joints[Int(id.slot)])
  }

  /// Sets how far a hinge turns (radians) or a slider slides (points), within the ranges of
  /// `JointDefinition.Kind`, nil for without end, and wakes its bodies. The zero of its limits
  /// stays, which `setJoint` would take anew; turns that a hinge made without limits were not
  /// counted. Throws `unknownJoint`, `valueOutOfRange` for other numbers, and `meaninglessProperty`
  /// for a joint of another kind.
  public mutating func setLimits(
    _ limits: ClosedRange<Float>?, of id: JointID
  ) throws(PhysicsError) {
    guard contains(id) else { throw .unknownJoint(id) }
    let most: Float
    switch storage.joints[Int(id.slot)].kind {
    case .revolute: most = PhysicsLimit.angle
    case .prismatic: most = PhysicsLimit.reach
    case .distance, .rope, .weld: throw .meaninglessProperty(.limits, of: id)
    }
    for end in [limits?.lowerBound ?? 0, limits?.upperBound ?? 0] where !end.isWithin(most) {
      throw .outside(.limits, end, -most...most)
    }
    let world = owned()
    world.joints[Int(id.slot)].changeLimits(to: limits)
    world.wakeJoint(world.joints[Int(id.slot)])
  }

  /// Removes a joint and wakes its bodies. Throws `unknownJoint`.
  public mutating func removeJoint(_ id: JointID) throws(PhysicsError) {
    guard contains(id) else { throw .unknownJoint(id) }
    owned().removeJoint(Int(id.slot))
  }

  /// Whether a joint of this name exists. A joint goes with either of its bodies.
  public func contains(_ id: JointID) -> Bool {
    let place = Int(id.slot)
    return place < storage.joints.count && storage.joints[place].exists
      && storage.joints[place].generation == id.generation
  }

  private func check(_ definition: JointDefinition) throws(PhysicsError) {
    guard contains(definition.a) else { throw .unknownBody(definition.a) }
    if let b = definition.b {
      guard contains(b) else { throw .unknownBody(b) }
      guard b != definition.a else { throw .jointWithItself(b) }
    }
    if let refusal = definition.refusal { throw .valueOutOfRange(refusal) }
  }
}
