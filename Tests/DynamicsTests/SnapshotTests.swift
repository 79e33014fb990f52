import Dynamics
import Testing

@Suite struct SnapshotTests {
  /// Every kind of behaviour, on items of every shape.
  static func everything() throws -> Animator {
    var animator = try Scenes.empty(width: 800, height: 600)
    var items: [ItemID] = []
    for i in 0..<24 {
      let center = Vector2(60 + Float(i % 8) * 90, 60 + Float(i / 8) * 90)
      let shapes: [ItemShape] = [
        .ellipse(width: 40, height: 40), .rectangle(width: 50, height: 30, cornerRadius: 4),
        .path([Vector2(-20, 15), Vector2(20, 15), Vector2(0, -25)]),
        .ellipse(width: 60, height: 30),
      ]
      items.append(
        try animator.addItem(
          Item(shapes[i % 4], center: center, angle: Float(i), tag: UInt32(i))))
    }
    let group = try animator.addGroup([items[22], items[23]])
    let moving = Array(items[0..<22]) + [group]
    try animator.add(GravityBehavior(items: Array(moving[0..<18])))
    var collision = CollisionBehavior(items: moving)
    collision.translatesReferenceBoundsIntoBoundary = true
    try collision.addBoundary(.segment(Vector2(0, 400), Vector2(300, 500)), id: BoundaryID(4))
    try collision.addBoundary(
      .path([Vector2(500, 500), Vector2(600, 450), Vector2(700, 500)], closed: false),
      id: BoundaryID(-2))
    try collision.addBoundary(
      .rectangle(Rectangle(x: 350, y: 400, width: 60, height: 20)), id: BoundaryID(9))
    try animator.add(collision)
    var material = ItemBehavior(items: moving)
    material.elasticity = 0.4
    material.friction = 0.3
    material.charge = 1
    var slow = ItemBehavior(items: Array(moving[0..<5]))
    slow.resistance = 0.5
    slow.density = 2
    try animator.add(CompositeBehavior(children: [.item(material), .item(slow)]))
    var push = PushBehavior(items: [items[3]], mode: .continuous)
    push.setAngle(0.4, magnitude: 2)
    try push.setTargetOffsetFromCenter(Vector2(4, 4), for: items[3])
    try animator.add(push)
    push = PushBehavior(items: [items[4]], mode: .instantaneous)
    push.direction = Vector2(0, -3)
    try animator.add(push)
    try animator.add(SnapBehavior(item: items[5], snapTo: Vector2(400, 100), damping: 0.3))
    var spring = AttachmentBehavior(item: items[6], attachedToAnchor: Vector2(500, 100))
    spring.frequency = 2
    spring.damping = 0.1
    try animator.add(spring)
    try animator.add(AttachmentBehavior(item: items[7], attachedTo: items[8]))
    try animator.add(AttachmentBehavior.limit(item: items[9], attachedTo: items[10]))
    var pin = AttachmentBehavior.pin(item: items[11], attachedToAnchor: Vector2(400, 200))
    pin.attachmentRange = -1...1
    pin.frictionTorque = 0.1
    try animator.add(pin)
    try animator.add(
      AttachmentBehavior.sliding(
        item: items[12], attachmentAnchor: Vector2(420, 150), axisOfTranslation: Vector2(1, 1)))
    for (i, field) in [
      FieldBehavior.noise(smoothness: 0.5, animationSpeed: 1, items: [items[18]]),
      .turbulence(smoothness: 0.2, animationSpeed: 0.5, items: [items[19], items[20]]),
      .magnetic(items: [items[20]]), .vortex(items: [items[21]]), .drag(items: [items[19]]),
    ].enumerated() {
      var field = field
      field.position = Vector2(400, 300)
      field.region = Region.circle(radius: 300).difference(
        .rectangle(width: 10 * Float(i), height: 20))
      try animator.add(field)
    }
    return animator
  }

  @Test func aRestoredAnimatorContinuesBitForBit() throws {
    var animator = try Self.everything()
    var bytes: [UInt8] = []
    for run in 0..<6 {
      animator.step(times: 25)
      animator.save(into: &bytes)
      var restored = try Animator.restore(from: bytes)
      #expect(restored.stateHash() == animator.stateHash())
      var copy = animator
      for tick in 0..<50 {
        let (one, two) = (copy.step(), restored.step())
        #expect(one == two)
        #expect(copy.stateHash() == restored.stateHash(), "run \(run), tick \(tick)")
      }
      var (again, other): ([UInt8], [UInt8]) = ([], [])
      copy.save(into: &again)
      restored.save(into: &other)
      #expect(again == other)
    }
  }

  @Test func aRestoredAnimatorTakesTheSameChanges() throws {
    var animator = try Self.everything()
    animator.step(times: 40)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    var restored = try Animator.restore(from: bytes)
    func change(_ animator: inout Animator) throws {
      let item = try #require(animator.itemID(atSlot: 7))
      try animator.removeItem(item)
      let fresh = try animator.addItem(Scenes.ball(at: Vector2(100, 30)))
      for id in animator.behaviorIDs {
        if let gravity = animator.handle(id, as: GravityBehavior.self) {
          try animator.addItem(fresh, to: gravity)
          try animator.update(gravity) { $0.angle = 1 }
        }
        if let collision = animator.handle(id, as: CollisionBehavior.self) {
          try animator.removeBoundary(id: BoundaryID(4), from: collision)
          try animator.addItem(fresh, to: collision)
        }
      }
    }
    try change(&animator)
    try change(&restored)
    for _ in 0..<60 { #expect(animator.step() == restored.step()) }
    #expect(animator.stateHash() == restored.stateHash())
  }

  @Test func theHashSeesBehaviours() throws {
    var animator = try Self.everything()
    let before = animator.stateHash()
    var copy = animator
    #expect(copy.stateHash() == before)
    for id in animator.behaviorIDs {
      if let snap = animator.handle(id, as: SnapBehavior.self) {
        try copy.update(snap) { $0.damping = 0.31 }
      }
    }
    #expect(copy.stateHash() != before)
    animator.step()
    #expect(animator.stateHash() != before)
  }

  @Test func anyBytesAreAnErrorOrAnAnimatorThatSteps() throws {
    var animator = try Self.everything()
    animator.step(times: 30)
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    #expect(throws: DynamicsError.malformedSnapshot) { try Animator.restore(from: []) }
    for length in stride(from: 0, to: bytes.count, by: 97) {
      #expect(throws: DynamicsError.malformedSnapshot) {
        try Animator.restore(from: Array(bytes[0..<length]))
      }
    }
    // The solver's part at the end is the solver's to check.
    var worldBytes: [UInt8] = []
    animator.world.save(into: &worldBytes)
    let own = bytes.count - worldBytes.count
    var random = RandomGenerator(seed: 5)
    var accepted = 0
    for _ in 0..<1500 {
      var forged = bytes
      for _ in 0...random.next(below: 3) {
        let place = Int(random.next(below: UInt32(own)))
        forged[place] = UInt8(truncatingIfNeeded: random.next())
      }
      guard var restored = try? Animator.restore(from: forged) else { continue }
      accepted += 1
      restored.step(times: 2)
      restored.removeAllBehaviors()
    }
    #expect(accepted > 0)
  }
}
