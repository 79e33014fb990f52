/// How an item moves only because an attachment brings it to where its anchor jumped: it can be
/// read as a part of the item's velocity, and whoever is let go meanwhile flies on with it; but it
/// ends when the item arrives, so that nothing is thrown.
struct DraggedItem: Equatable, Sendable {
  /// The item's slot.
  var item: UInt16
  /// In pt/s.
  var velocity: Vector2
  /// In rad/s.
  var spin: Float
}

/// Anchors that were moved. Up to `PhysicsWorld.fastestAnchor` they travel in the step and take
/// along what hangs on them. Beyond, they jump: the solver brings the items after them without
/// giving them velocity, at `PhysicsWorld.positionCorrectionSpeed` at most, so that walls stop it.
extension Animator {
  /// Before the step: moves the joints' points to the attachments' anchors.
  mutating func moveAnchors() {
    dragged.removeAll(keepingCapacity: true)
    for slot in order {
      guard case .attachment(let value) = behaviorRecords[Int(slot)].value, var joint = value.joint
      else { continue }
      // The solver's bodies fall asleep where nothing but a correction moves them.
      if joint.anchor != value.anchorPoint || joint.jumps {
        assert(value.items.count == 1, "between items there is no anchor to move")
        let way = (value.anchorPoint - joint.anchor).length
        // A spring doesn't drag.
        let isFar = way > PhysicsWorld.fastestAnchor * PhysicsWorld.tickLength
        joint.jumps = value.frequency == 0 && (isFar || joint.jumps)
        joint.anchor = value.anchorPoint
        checked { () throws(PhysicsError) in try world.setAnchor(joint.anchor, of: joint.id) }
        keep(joint, Int(slot))
      }
      if joint.jumps { noteDragged(value.items[0]) }
    }
  }

  /// After the step: how what is dragged has moved, and which jumps have ended.
  mutating func endJumps() {
    guard !dragged.isEmpty else { return }
    for place in dragged.indices { measureDrag(place) }
    for slot in order {
      guard case .attachment(let value) = behaviorRecords[Int(slot)].value, var joint = value.joint,
        joint.jumps, hasArrived(value, joint)
      else { continue }
      joint.jumps = false
      keep(joint, Int(slot))
    }
    dragged.removeAll { $0.velocity == .zero && $0.spin == 0 }
  }

  /// Whether an attachment brings its item no farther: there, or stopped by what is in its way.
  private func hasArrived(_ value: AttachmentBehavior, _ joint: AttachmentJoint) -> Bool {
    let gap = world.gap(of: joint.id)
    if gap < 0.5 { return true }
    let slot = value.items[0].slot
    for motion in dragged where motion.item == slot {
      return motion.velocity.lengthSquared < Self.restSpeed * Self.restSpeed
    }
    return true
  }

  /// Keeps where a joint stands. The behaviour is taken out of its record first, which would be
  /// copied otherwise.
  private mutating func keep(_ joint: AttachmentJoint, _ slot: Int) {
    guard case .attachment(var value) = behaviorRecords[slot].value else { return }
    value.joint = joint
    behaviorRecords[slot].value = .empty
    behaviorRecords[slot].value = .attachment(value)
  }

  /// Notes where an item is, and all that hangs on it rigidly.
  private mutating func noteDragged(_ item: ItemID) {
    var next = dragged.count
    note(item)
    while next < dragged.count {
      noteHanging(on: dragged[next].item)
      next += 1
      assert(next <= itemCount, "nobody is listed twice")
    }
  }

  /// Until the step has been made, place and angle stand where the motion will.
  private mutating func note(_ item: ItemID) {
    guard !items[Int(item.slot)].properties.isAnchored,
      !dragged.contains(where: { $0.item == item.slot })
    else { return }
    let state = world.body(body(item))!
    dragged.append(
      DraggedItem(item: item.slot, velocity: state.position, spin: state.rotation.angle))
  }

  private mutating func noteHanging(on slot: UInt16) {
    for behavior in order {
      guard case .attachment(let value) = behaviorRecords[Int(behavior)].value,
        value.items.count == 2, value.frequency == 0
      else { continue }
      if value.items[0].slot == slot { note(value.items[1]) }
      if value.items[1].slot == slot { note(value.items[0]) }
    }
  }

  private mutating func measureDrag(_ place: Int) {
    let start = dragged[place]
    let state = world.body(items[Int(start.item)].body!)!
    let h = PhysicsWorld.tickLength
    let turn = (state.rotation * Rotation(angle: -start.spin)).angle
    let drag = (state.position - start.velocity) / h - state.velocity
    let spin = turn / h - state.angularVelocity
    // What rounding makes of a motion is no drag.
    let isDragged = drag.lengthSquared > 1
    dragged[place].velocity = isDragged ? drag : .zero
    dragged[place].spin = isDragged ? spin : 0
  }

  /// How an item is dragged, besides its body's velocity.
  func drag(of slot: Int) -> DraggedItem? {
    dragged.isEmpty ? nil : dragged.first { Int($0.item) == slot }
  }

  /// Gives an item for good the velocity that it was dragged with.
  mutating func letFly(_ slot: Int) {
    guard let drag = drag(of: slot) else { return }
    let body = items[slot].body!
    let state = world.body(body)!
    checked { () throws(PhysicsError) in
      try world.setVelocity(state.velocity + drag.velocity, of: body)
      try world.setAngularVelocity(state.angularVelocity + drag.spin, of: body)
    }
    forgetDrag(slot)
  }

  /// Forgets that an item is dragged: somebody has set another velocity, or its body goes.
  mutating func forgetDrag(_ slot: Int) {
    guard !dragged.isEmpty else { return }
    dragged.removeAll { Int($0.item) == slot }
  }

  /// Whether an attachment still brings its item to where its anchor jumped.
  func hasJumpingAnchor() -> Bool {
    for slot in order {
      guard case .attachment(let value) = behaviorRecords[Int(slot)].value, let joint = value.joint
      else { continue }
      if joint.jumps || joint.anchor != value.anchorPoint { return true }
    }
    return false
  }

  // MARK: Snapshots

  func writeDragged<Sink: WordSink>(_ sink: inout Sink) {
    guard !dragged.isEmpty else { return }
    sink.put(dragged.count)
    for motion in dragged {
      sink.put(UInt32(motion.item))
      sink.put(motion.velocity)
      sink.put(motion.spin)
    }
  }

  /// Reads what the flag in front of the items announced. Each item has one at most.
  mutating func readDragged(_ reader: inout StateReader) throws(DynamicsError) {
    let count = try reader.count(of: 16)
    guard count > 0, count <= items.count else { throw .malformedSnapshot }
    for _ in 0..<count {
      let slot = try reader.word()
      guard slot < items.count, items[Int(slot)].exists, items[Int(slot)].body != nil,
        !dragged.contains(where: { $0.item == slot })
      else { throw .malformedSnapshot }
      let motion = DraggedItem(
        item: UInt16(slot), velocity: try reader.vector(), spin: try reader.number())
      guard motion.velocity.isWithin(MotionLimit.speed), motion.spin.isWithin(MotionLimit.speed)
      else { throw .malformedSnapshot }
      dragged.append(motion)
    }
  }
}
