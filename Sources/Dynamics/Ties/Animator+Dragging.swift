/// A velocity that an item has only because an attachment drags it after a jump. It can be read and
/// others can be hit with it, but the item must not fly on with it: the next step takes it back.
struct LentMotion: Equatable, Sendable {
  /// The item's slot.
  var item: UInt16
  /// In pt/s.
  var velocity: Vector2
  /// In rad/s.
  var spin: Float
}

/// Items on their way to an anchor that jumped.
extension Animator {
  /// Before ties are solved: takes back from items that are still tied what they were lent. Whoever
  /// lost its attachment meanwhile flies on.
  mutating func takeBackLentMotion() {
    guard !lent.isEmpty else { return }
    assert(lent.count <= itemCount, "nobody is lent two motions")
    for motion in lent {
      let place = Int(items[Int(motion.item)].tie)
      guard place >= 0 else { continue }
      solver.takeBack(motion.velocity, spin: motion.spin, from: place)
    }
    lent.removeAll(keepingCapacity: true)
  }

  /// Leaves a dragged body the velocity that the step moved it with, and notes how much of that
  /// the attachments don't keep.
  mutating func lend(_ body: TiedBody) {
    assert(body.isDragged && body.inverseMass > 0)
    let velocity = body.moved - body.velocity
    let spin = body.movedSpin - body.spin
    guard velocity.isFinite, spin.isFinite, velocity != .zero || spin != 0 else { return }
    lent.append(LentMotion(item: body.item, velocity: velocity, spin: spin))
  }

  /// Forgets that an item's velocity is lent: somebody has set another, or the body is gone.
  mutating func keepVelocity(_ slot: Int) {
    guard !lent.isEmpty else { return }
    lent.removeAll { Int($0.item) == slot }
  }

  /// Whether the anchor of an attachment has not arrived yet where it jumped to.
  func hasTravellingAnchor() -> Bool {
    for slot in order {
      guard case .attachment(let value) = behaviorRecords[Int(slot)].value,
        let start = value.start
      else {
        continue
      }
      if start.lastAnchor != value.anchorPoint { return true }
    }
    return false
  }

  // MARK: Snapshots

  func writeLentMotion<Sink: WordSink>(_ sink: inout Sink) {
    guard !lent.isEmpty else { return }
    sink.put(lent.count)
    for motion in lent {
      sink.put(UInt32(motion.item))
      sink.put(motion.velocity)
      sink.put(motion.spin)
    }
  }

  /// Reads what the flag in front of the items announced. Each item has one at most.
  mutating func readLentMotion(_ reader: inout StateReader) throws(DynamicsError) {
    let count = try reader.count(of: 16)
    guard count > 0, count <= items.count else { throw .malformedSnapshot }
    for _ in 0..<count {
      let slot = try reader.word()
      guard slot < items.count, items[Int(slot)].exists, items[Int(slot)].body != nil,
        !lent.contains(where: { $0.item == slot })
      else { throw .malformedSnapshot }
      lent.append(
        LentMotion(
          item: UInt16(slot), velocity: try reader.vector(), spin: try reader.number()))
    }
  }
}

extension AttachmentSolver {
  /// Takes a velocity back from a body that moves, and has the anchors of its ties bring it the
  /// rest of their way without giving it their speed.
  mutating func takeBack(_ velocity: Vector2, spin: Float, from place: Int) {
    assert(place < bodies.count)
    if bodies[place].inverseMass > 0 { bodies[place].velocity -= velocity }
    if bodies[place].inverseInertia > 0 { bodies[place].spin -= spin }
    for i in 0..<ties.count where Int(ties[i].a) == place { ties[i].bringWithoutSpeed() }
  }

  /// Finds the bodies that ties drag, and those that hang on them.
  mutating func markDragged() {
    guard ties.contains(where: { $0.drags }) else { return }
    for i in 0..<ties.count where ties[i].drags { _ = mark(ties[i]) }
    // A chain is marked in one pass, or in one for each tie if they were added from its other end.
    for _ in 0..<ties.count {
      var marked = false
      for i in 0..<ties.count where isDragged(ties[i].a) || isDragged(ties[i].b) {
        if mark(ties[i]) { marked = true }
      }
      if !marked { break }
    }
    for i in 0..<bodies.count where bodies[i].isDragged {
      bodies[i].moved = bodies[i].velocity
      bodies[i].movedSpin = bodies[i].spin
    }
  }

  private func isDragged(_ place: Int32) -> Bool { place >= 0 && bodies[Int(place)].isDragged }

  /// Marks what moves of a tie's two bodies; whether one was not marked before.
  private mutating func mark(_ tie: Tie) -> Bool {
    var marked = false
    for place in [tie.a, tie.b] where place >= 0 && !isDragged(place) {
      guard bodies[Int(place)].inverseMass > 0 else { continue }
      bodies[Int(place)].isDragged = true
      marked = true
    }
    return marked
  }
}
