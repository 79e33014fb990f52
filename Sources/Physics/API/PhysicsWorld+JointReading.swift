/// How a joint stands, at the end of the last step.
public struct JointState: Equatable, Sendable {
  /// Where the joint holds the first body, in points of the world.
  public var anchorA: Vector2
  /// Where it holds the second body, or its point of the world.
  public var anchorB: Vector2
  /// The second body's angle against the first's, counted from the joint's zero: from when it was
  /// added, of a weld with an angle of its own from that. In −π…π radians; a hinge with limits
  /// counts on over whole turns, and one that was turned by `setRotation` by less than a quarter of
  /// a turn goes on from there.
  public var angle: Float
  /// Of a slider, how far the second body is along the axis from where it was when added, in
  /// points; 0 of other kinds.
  public var slide: Float
  /// The force with which the joint held its anchors in the last sub-step, in mass·pt/s²: a lamp of
  /// mass 2 under a gravity of 1000 pulls with 2000. Each of two bodies feels as much.
  public var force: Float
  /// The torque with which it held the angle, in mass·pt²/s²: of a weld, a slider, or a hinge at
  /// its limit.
  public var torque: Float

  /// How far apart the anchors are, in points.
  public var distance: Float { (anchorB - anchorA).length }
}

extension PhysicsWorld {
  /// Joints that exist, at most `PhysicsLimit.joints`.
  public var jointCount: Int {
    var count = 0
    forEachJoint { _ in count += 1 }
    return count
  }

  /// How far apart a joint's anchors are from where they should be, in points; 0 for a name that
  /// none has (any more).
  package func gap(of id: JointID) -> Float {
    contains(id) ? JointSolver(storage, storage.joints[Int(id.slot)], step: 1).gap : 0
  }

  /// Every joint's slot is below this number.
  package var jointSlotCount: Int { storage.joints.count }

  /// Joints that broke in the last step, in the order of their slots; they exist no more. Not part
  /// of a snapshot: a restored world has none until its next step.
  public var brokenJoints: [JointID] { storage.brokenJoints }

  /// Calls `action` for every joint in the order of their slots.
  public func forEachJoint(_ action: (JointID) -> Void) {
    for place in 0..<storage.joints.count where storage.joints[place].exists {
      action(storage.jointID(at: place))
    }
  }

  /// Calls `action` for every joint of a body in the order of their slots; for none when nobody has
  /// the name (any more).
  public func forEachJoint(of body: BodyID, _ action: (JointID) -> Void) {
    guard contains(body) else { return }
    for place in 0..<storage.joints.count where storage.joints[place].exists {
      let joint = storage.joints[place]
      guard joint.slotA == body.slot || joint.slotB == Int32(body.slot) else { continue }
      action(storage.jointID(at: place))
    }
  }

  /// What a joint was made of; nil for a name that none has (any more).
  ///
  /// What a definition left open is filled in as it was measured: the length of a rod or rope, the
  /// angle of a weld. A slider's axis has length 1. The zero from which a hinge and a slider count
  /// is not part of it: `joint(_:)` tells where they stand.
  public func definition(of id: JointID) -> JointDefinition? {
    guard contains(id) else { return nil }
    let joint = storage.joints[Int(id.slot)]
    var definition = JointDefinition(
      joint.definedKind, a: storage.bodyID(ofSlot: Int(joint.slotA)), anchorA: joint.anchorA,
      b: storage.bodyID(ofJoint: joint), anchorB: joint.anchorB)
    definition.collides = joint.collides
    definition.breakingForce = joint.breakingForce < .infinity ? joint.breakingForce : nil
    definition.breakingTorque = joint.breakingTorque < .infinity ? joint.breakingTorque : nil
    return definition
  }

  /// How a joint stands, and what it holds with; nil for a name that none has (any more).
  public func joint(_ id: JointID) -> JointState? {
    guard contains(id) else { return nil }
    let joint = storage.joints[Int(id.slot)]
    let solver = JointSolver(storage, joint, step: 1)
    let (a, b) = (solver.a.anchor, joint.slotB < 0 ? joint.anchorB : solver.b.anchor)
    let slide =
      joint.kind == .prismatic
      ? (b - a).dot(joint.axis.rotated(by: solver.a.rotation)) - joint.offset : 0
    let load =
      joint.isSpring
      ? storage.springLoad(joint)
      : joint.load(inStepOf: Self.tickLength / Float(Self.subSteps))
    return JointState(
      anchorA: a, anchorB: b, angle: joint.counted(solver.relativeAngle), slide: slide,
      force: load.force, torque: load.torque)
  }

  /// The two anchors of a joint, in points of the world; nil for a name that none has (any more).
  public func anchors(of id: JointID) -> (a: Vector2, b: Vector2)? {
    joint(id).map { ($0.anchorA, $0.anchorB) }
  }
}

extension WorldStorage {
  func jointID(at place: Int) -> JointID {
    assert(joints[place].exists, "a name of nothing")
    return JointID(slot: UInt16(place), generation: joints[place].generation)
  }
}

extension JointRecord {
  private var limits: ClosedRange<Float>? {
    // A forged snapshot may have them the wrong way round.
    hasLimits && lower <= upper ? lower...upper : nil
  }

  fileprivate var definedKind: JointDefinition.Kind {
    switch kind {
    case .distance:
      return .distance(length: length, frequency: frequency, dampingRatio: dampingRatio)
    case .rope: return .rope(length: length)
    case .weld:
      // Against the world a definition has the body's own angle, which is minus the relative one.
      return .weld(
        angle: slotB < 0 ? -angle : angle, frequency: frequency, dampingRatio: dampingRatio)
    case .revolute:
      return .revolute(limits: limits, frictionTorque: frictionTorque, motorSpeed: motorSpeed)
    case .prismatic:
      return .prismatic(
        axis: axis, limits: limits, frictionForce: frictionTorque, motorSpeed: motorSpeed)
    }
  }
}
