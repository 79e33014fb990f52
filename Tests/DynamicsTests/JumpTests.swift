import Dynamics
import Testing

/// An attachment whose anchor jumps drags its item after it at 3000 pt/s: never faster, readable as
/// the item's velocity, through nothing, and without throwing it in the end.
@Suite(.tags(.fact)) struct JumpTests {
  /// The documented speed in pt/s, and what rounding adds.
  static let fastest: Float = 3000 * 1.001

  /// An item without gravity on a rod of no length.
  private func held(
    _ item: Item, at point: Vector2, in animator: inout Animator
  ) throws -> (ItemID, AttachmentBehavior.Handle) {
    let item = try animator.addItem(item)
    let tie = AttachmentBehavior(item: item, attachedToAnchor: point, length: 0)
    return (item, try animator.add(tie))
  }

  @Test("Attachment: an anchor that jumps drags its item at 3000 pt/s, which can be read meanwhile")
  func speedIsKeptAndRead() throws {
    var animator = try Scenes.empty(width: 4000, height: 4000)
    let (item, tie) = try held(Scenes.square(), at: Vector2(500, 500), in: &animator)
    animator.step(times: 5)
    try animator.update(tie) { $0.anchorPoint = Vector2(1700, 1400) }
    var last = animator.center(of: item)
    var travelled = 0
    for tick in 1...35 {
      animator.step()
      let place = animator.center(of: item)
      let way = (place - last) * 60
      #expect(way.length <= Self.fastest, "tick \(tick)")
      // 1500 pt take 30 ticks; in the last of them it arrives and stands.
      if (place - Vector2(1700, 1400)).length > 0.1 {
        travelled += 1
        #expect((animator.linearVelocity(of: item) - way).length < 20, "tick \(tick)")
        #expect(way.length > 2900)
      }
      last = place
    }
    #expect(travelled == 29)
    #expect((last - Vector2(1700, 1400)).length < 0.1)
    #expect(animator.linearVelocity(of: item).length < 0.1)
  }

  @Test(
    "Attachment: whatever the tie, a jump drags no faster than documented, and does not throw",
    arguments: ["rod", "rope", "pin", "slider", "held at a corner"])
  func everyKind(_ kind: String) throws {
    var animator = try Scenes.empty(width: 4000, height: 4000)
    let item = try animator.addItem(Scenes.square())
    let point = Vector2(500, 400)
    let tie: AttachmentBehavior =
      switch kind {
      case "rod": AttachmentBehavior(item: item, attachedToAnchor: point)
      case "rope": .limit(item: item, attachedToAnchor: point)
      case "pin": .pin(item: item, attachedToAnchor: Vector2(520, 500))
      case "slider":
        .sliding(
          item: item, attachmentAnchor: point, axisOfTranslation: Vector2(1, 1),
          attachmentRange: -20...20)
      default:
        AttachmentBehavior(
          item: item, offsetFromCenter: Vector2(-50, -50), attachedToAnchor: Vector2(450, 450))
      }
    let handle = try animator.add(tie)
    animator.step(times: 3)
    try animator.update(handle) { $0.anchorPoint += Vector2(-1000, 700) }
    let start = animator.center(of: item)
    let offset = kind == "held at a corner" ? Vector2(-50, -50) : .zero
    // What is held beside its centre swings about the held point, twice as fast at most; and a
    // slider is brought both to its axis and along it.
    let swing: Float = kind == "pin" || kind == "held at a corner" ? 2 : kind == "slider" ? 1.42 : 1
    var last = start
    var lastHeld = start + offset
    for tick in 1...60 {
      animator.step()
      let state = animator.state(of: item)
      let held = state.center + offset.rotated(by: state.rotation)
      #expect((held - lastHeld).length * 60 <= Self.fastest || swing > 1, "tick \(tick)")
      #expect((state.center - last).length * 60 <= Self.fastest * swing, "tick \(tick)")
      #expect(state.velocity.length <= Self.fastest * swing, "tick \(tick)")
      last = state.center
      lastHeld = held
    }
    #expect((last - start).length > 900)
    #expect(animator.linearVelocity(of: item).length < 1500)
  }

  @Test("Attachment: who is let go while a jump drags it flies on as fast as could be read")
  func letGo() throws {
    var animator = try Scenes.empty(width: 4000, height: 4000)
    let (item, tie) = try held(Scenes.square(), at: Vector2(500, 500), in: &animator)
    try animator.add(ItemBehavior(items: [item]))
    try animator.update(tie) { $0.anchorPoint.x = 3000 }
    animator.step(times: 4)
    let read = animator.linearVelocity(of: item)
    try animator.remove(tie)
    let place = animator.center(of: item)
    animator.step()
    #expect((animator.linearVelocity(of: item) - read).length < 1)
    #expect(((animator.center(of: item) - place) * 60 - read).length < 20)
  }

  @Test("Attachment: a chain on an anchor that jumps shows its speed too, and ends in one piece")
  func chain() throws {
    var animator = try Scenes.empty(width: 4000, height: 4000)
    let (first, tie) = try held(
      Scenes.ball(at: Vector2(500, 500)), at: Vector2(500, 500), in: &animator)
    let second = try animator.addItem(Scenes.ball(at: Vector2(560, 500)))
    let third = try animator.addItem(Scenes.ball(at: Vector2(620, 500)))
    try animator.add(AttachmentBehavior(item: second, attachedTo: third, length: 60))
    try animator.add(AttachmentBehavior(item: first, attachedTo: second, length: 60))
    try animator.update(tie) { $0.anchorPoint.x = -700 }
    animator.step(times: 6)
    for item in [first, second, third] {
      #expect(isClose(animator.linearVelocity(of: item).x, -3000, within: 0.02))
    }
    animator.step(times: 45)
    #expect(animator.linearVelocity(of: third).length < 10)
    #expect(isClose((animator.center(of: third) - animator.center(of: second)).length, 60))
  }

  @Test("Attachment: an animator does not pause while an anchor is on its way")
  func noPauseOnTheWay() throws {
    var animator = try Scenes.empty(width: 10_000, height: 10_000)
    let item = try animator.addItem(Scenes.square())
    let rope = try animator.add(
      AttachmentBehavior.limit(item: item, attachedToAnchor: Vector2(500, 400), length: 5000))
    try animator.update(rope) { $0.anchorPoint = Vector2(9500, 500) }
    // It takes 80 ticks to get there; half a second of rest would end its way before.
    animator.step(times: 120)
    #expect(isClose(animator.center(of: item).x, 4500))
    animator.step(times: 60)
    #expect(animator.isPaused)
  }

  @Test("Attachment: a snapshot from the middle of a jump goes on like the animator")
  func snapshot() throws {
    var animator = try Scenes.empty(width: 4000, height: 4000)
    let (_, tie) = try held(Scenes.square(), at: Vector2(500, 500), in: &animator)
    try animator.update(tie) { $0.anchorPoint.x = 3000 }
    animator.step(times: 4)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    var restored = try Animator.restore(from: bytes)
    var assigned = try Scenes.empty()
    assigned.assign(animator)
    for _ in 0..<40 {
      animator.step()
      restored.step()
      assigned.step()
      #expect(restored.stateHash() == animator.stateHash())
      #expect(assigned.stateHash() == animator.stateHash())
    }
  }

  @Test("Attachment: small boxes that a jump drags go through no thin anchored item")
  func nothingGoesThrough() throws {
    var random = RandomGenerator(seed: 11)
    func between(_ low: Float, _ high: Float) -> Float { random.nextFloat(low, high) }
    var through = 0
    var tried = 0
    for _ in 0..<400 {
      var animator = try Scenes.empty(width: 4000, height: 4000)
      // A wall of 2 to 8 pt, and ten boxes of 6 to 20 pt left of it, each in a lane of its own.
      let wall = try animator.addItem(
        Item(.rectangle(width: between(2, 8), height: 1200), center: Vector2(1000, 1000)))
      try animator.add(ItemBehavior(items: [wall], isAnchored: true))
      var boxes: [ItemID] = []
      for lane in 0..<10 {
        let side = between(6, 20)
        let center = Vector2(1000 - between(30, 900), 550 + Float(lane) * 100)
        let box = try animator.addItem(
          Item(.rectangle(width: side, height: side), center: center, angle: between(0, 3)))
        boxes.append(box)
        let tie = try animator.add(
          AttachmentBehavior(item: box, attachedToAnchor: center, length: 0))
        try animator.update(tie) { $0.anchorPoint = center + Vector2(between(1000, 2500), 0) }
      }
      try animator.add(CollisionBehavior(items: boxes + [wall]))
      animator.step(times: 90)
      tried += boxes.count
      through += boxes.count { animator.center(of: $0).x > 1000 }
    }
    #expect(through == 0, "\(through) of \(tried) went through")
  }
}
