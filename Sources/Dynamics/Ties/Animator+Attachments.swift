/// Attachments: each is a joint of the solver's.
extension Animator {
  /// Gives an attachment the joint that holds its items where they are now.
  mutating func enact(_ value: AttachmentBehavior, _ slot: Int) {
    var value = value
    assert(value.items.count == 1 || (value.items.count == 2 && value.items[0] != value.items[1]))
    if value.length == nil, value.keepsDistance { value.length = distance(of: value) }
    let definition = joint(of: value, anchor: value.anchorPoint)
    let id = checked { () throws(PhysicsError) in try world.addJoint(definition) }
    value.joint = AttachmentJoint(id: id, anchor: value.anchorPoint)
    assert(world.contains(id))
    behaviorRecords[slot].value = .attachment(value)
  }

  /// Puts an attachment's new values into effect.
  mutating func amend(_ slot: Int, from old: AttachmentBehavior, to new: AttachmentBehavior) {
    guard new.continues(old), let joint = new.joint else {
      withdraw(old)
      return enact(new, slot)
    }
    if new.keepsDistance {
      guard new.length != old.length || new.frequency != old.frequency || new.damping != old.damping
      else { return }
      let definition = self.joint(of: new, anchor: joint.anchor)
      checked { () throws(PhysicsError) in try world.setJoint(joint.id, to: definition) }
      return
    }
    checked { () throws(PhysicsError) in
      if new.attachmentRange != old.attachmentRange {
        try world.setLimits(new.limits, of: joint.id)
      }
      if new.frictionTorque != old.frictionTorque {
        try world.setMotor(speed: 0, strength: new.brake, of: joint.id)
      }
    }
  }

  /// Takes an attachment's joint away.
  mutating func withdraw(_ value: AttachmentBehavior) {
    guard let joint = value.joint else { return }
    assert(world.contains(joint.id), "a joint goes with its attachment")
    for item in value.items { letFly(Int(item.slot)) }
    checked { () throws(PhysicsError) in try world.removeJoint(joint.id) }
  }

  /// How far apart the points are that an attachment holds, in points.
  private func distance(of value: AttachmentBehavior) -> Float {
    assert(value.keepsDistance)
    let (a, b) = (frame(value.items[0]), value.items.count == 2 ? frame(value.items[1]) : nil)
    let from = a.position + arm(value.offset, value.items[0]).rotated(by: a.rotation)
    let to =
      b.map { $0.position + arm(value.otherOffset, value.items[1]).rotated(by: $0.rotation) }
      ?? value.anchorPoint
    return (to - from).length
  }

  /// What the solver is told: the first item is the joint's first body, and the second, or the
  /// point of the world `anchor`, is its second. A joint counts the second against the first where
  /// attachments count the first against the second, so that ranges change their signs.
  private func joint(of value: AttachmentBehavior, anchor: Vector2) -> JointDefinition {
    let (a, b) = (frame(value.items[0]), value.items.count == 2 ? frame(value.items[1]) : nil)
    var (armA, armB) = (arm(value.offset, value.items[0]), anchor)
    if !value.keepsDistance {
      armA = (anchor - a.position).unrotated(by: a.rotation)
      if let b { armB = (anchor - b.position).unrotated(by: b.rotation) }
    } else if b != nil {
      armB = arm(value.otherOffset, value.items[1])
    }
    let length = value.length.map { $0 < PhysicsLimit.reach ? $0 : PhysicsLimit.reach }
    let kind: JointDefinition.Kind =
      switch value.kind {
      case .distance:
        .distance(length: length, frequency: value.frequency, dampingRatio: value.damping)
      case .limit: .rope(length: length)
      case .fixed: .weld(angle: nil)
      case .pin: .revolute(limits: value.limits, frictionTorque: value.brake)
      case .sliding: .prismatic(axis: value.axis.unrotated(by: a.rotation), limits: value.limits)
      }
    // Items move farther than joints may hold: there a joint holds where it can.
    return JointDefinition(
      kind, a: body(value.items[0]), anchorA: Self.holdable(armA),
      b: b == nil ? nil : body(value.items[1]), anchorB: Self.holdable(armB))
  }

  private static func holdable(_ point: Vector2) -> Vector2 {
    Vector2(
      point.x.brought(within: PhysicsLimit.place), point.y.brought(within: PhysicsLimit.place))
  }

  /// From an item's centre of mass to a point about its centre.
  private func arm(_ offset: Vector2, _ item: ItemID) -> Vector2 {
    offset - items[Int(item.slot)].solid.centerOfMass
  }

  func body(_ item: ItemID) -> BodyID {
    assert(items[Int(item.slot)].body != nil, "an attachment's items have bodies")
    return items[Int(item.slot)].body!
  }

  private func frame(_ item: ItemID) -> BodyState { world.body(body(item))! }
}

extension AttachmentBehavior {
  /// Whether it is about the distance between two points.
  var keepsDistance: Bool { kind == .distance || kind == .limit }

  /// The range as a joint counts it.
  fileprivate var limits: ClosedRange<Float>? {
    attachmentRange.map { -$0.upperBound...(-$0.lowerBound) }
  }

  /// A pin's friction as the solver counts torques: in mass·pt²/s².
  fileprivate var brake: Float { frictionTorque * 10_000 }
}

/// The solver's joint of an attachment that was added, and where it holds.
struct AttachmentJoint: Equatable, Sendable {
  var id: JointID
  /// The point of the world that it holds an item to: the attachment's anchor at the last step.
  var anchor: Vector2
  /// Whether the anchor jumped and the item is on its way to it.
  var jumps = false
}
