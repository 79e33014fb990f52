import Dynamics
import Testing

@Suite(.tags(.fact)) struct AttachmentTests {
  /// A square on a gravity of magnitude 1, with an attachment that `make` builds.
  private func hanging(
    at center: Vector2 = Vector2(500, 500), gravity: Float = 1,
    _ make: (ItemID) -> AttachmentBehavior
  ) throws -> (Animator, ItemID, BehaviorHandle<AttachmentBehavior>) {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square(at: center))
    var fall = GravityBehavior(items: [item])
    fall.magnitude = gravity
    try animator.add(fall)
    let handle = try animator.add(make(item))
    return (animator, item, handle)
  }

  @Test("Attachment: length defaults to the distance at creation")
  func defaultLength() throws {
    let (animator, _, handle) = try hanging {
      AttachmentBehavior(
        item: $0, offsetFromCenter: Vector2(-25, -25), attachedToAnchor: Vector2(500, 400))
    }
    let length = try #require(try animator.behavior(handle).length)
    #expect(isClose(length, 79.0569, within: 1e-5))
    #expect(try animator.behavior(handle).attachedBehaviorType == .anchor)
  }

  @Test("Attachment: frequency 0 is a rigid rod: a pendulum's first second within 1 %")
  func pendulum() throws {
    var (animator, item, _) = try hanging(at: Vector2(600, 500)) {
      AttachmentBehavior(item: $0, attachedToAnchor: Vector2(500, 500))
    }
    // θ'' = −g/L·sin θ from the horizontal, in Double with small steps.
    var angle = Double.pi / 2
    var speed = 0.0
    for _ in 0..<60 {
      for _ in 0..<1000 {
        speed -= 10 * DoubleMath.sine(angle) / 60_000
        angle += speed / 60_000
      }
      animator.step()
      let arm = animator.center(of: item) - Vector2(500, 500)
      #expect(isClose(arm.length, 100, within: 0.001))
      let expected = Vector2(
        Float(100 * DoubleMath.sine(angle)), Float(100 * DoubleMath.cosine(angle)))
      #expect((arm - expected).length < 1)
    }
  }

  @Test("Attachment: a rod, not a rope: it pushes too")
  func rodPushes() throws {
    var (animator, item, _) = try hanging(at: Vector2(500, 400)) {
      AttachmentBehavior(item: $0, attachedToAnchor: Vector2(500, 500))
    }
    animator.step(times: 60)
    #expect((animator.center(of: item) - Vector2(500, 400)).length < 0.1)
  }

  @Test(
    "Attachment: frequency in Hz and damping (1 = critical): a spring's first second within 1 %",
    arguments: [(Float(1), Float(0)), (2, 0.2), (4, 0.5), (1, 1), (10, 0.1)])
  func spring(_ frequency: Float, _ damping: Float) throws {
    var (animator, item, handle) = try hanging(gravity: 0.5) {
      var spring = AttachmentBehavior(item: $0, attachedToAnchor: Vector2(500, 300))
      spring.frequency = frequency
      spring.damping = damping
      return spring
    }
    try animator.update(handle) { $0.length = 150 }
    let omega = 2 * Double.pi * Double(frequency)
    var place = 200.0
    var speed = 0.0
    for _ in 0..<60 {
      for _ in 0..<2000 {
        let force =
          500 - omega * omega * (place - 150) - 2 * Double(damping) * omega * speed
        speed += force / 120_000
        place += speed / 120_000
      }
      animator.step()
      let expected = Float(place) + 300
      #expect(abs(animator.center(of: item).y - expected) < 0.5)
    }
  }

  @Test("Attachment: the item swings about its offset")
  func offset() throws {
    // A square held at its corner is a physical pendulum: ω² = m·g·d / (I + m·d²).
    var (animator, item, _) = try hanging {
      AttachmentBehavior(
        item: $0, offsetFromCenter: Vector2(-50, -50), attachedToAnchor: Vector2(450, 450))
    }
    let d = 5000.0.squareRoot()
    let omega2 = 1000 * d / (10_000 / 6 + 5000)
    var angle = Double.pi / 4
    var speed = 0.0
    for _ in 0..<60 {
      for _ in 0..<1000 {
        speed -= omega2 * DoubleMath.sine(angle) / 60_000
        angle += speed / 60_000
      }
      animator.step()
    }
    let expected = Vector2(
      450 + Float(d * DoubleMath.sine(angle)), 450 + Float(d * DoubleMath.cosine(angle)))
    #expect((animator.center(of: item) - expected).length < 1)
  }

  @Test("Attachment: moving the anchor drags the item, at the rod's length within 1 %")
  func drag() throws {
    var (animator, item, handle) = try hanging {
      AttachmentBehavior(
        item: $0, offsetFromCenter: Vector2(-25, -25), attachedToAnchor: Vector2(500, 400))
    }
    for tick in 0..<240 {
      let t = Float(tick) / 60
      let finger = Vector2(
        500 + 200 * DeterministicMath.sine(3 * t), 400 + 100 * DeterministicMath.sine(5 * t))
      try animator.update(handle) { $0.anchorPoint = finger }
      animator.step()
      let state = animator.state(of: item)
      let held = state.center + Vector2(-25, -25).rotated(by: state.rotation)
      #expect(isClose((held - finger).length, 79.0569))
    }
  }

  @Test("Attachment: a finger that jumps neither tears nor throws")
  func jump() throws {
    var (animator, item, handle) = try hanging {
      AttachmentBehavior(item: $0, attachedToAnchor: Vector2(500, 400))
    }
    animator.step(times: 30)
    try animator.update(handle) { $0.anchorPoint = Vector2(100, 900) }
    animator.step(times: 20)
    let arm = animator.center(of: item) - Vector2(100, 900)
    #expect(isClose(arm.length, 100))
    #expect(animator.linearVelocity(of: item).length < 6000)
    animator.step(times: 300)
    #expect(isClose((animator.center(of: item) - Vector2(100, 900)).length, 100))
    // Energy: no faster than a fall from the height of the jump and a swing over the top.
    #expect(animator.linearVelocity(of: item).length < 1500)
  }

  @Test("Attachment: an item pulled into a wall stays in front of it, quietly")
  func pulledIntoWall() throws {
    var animator = try Scenes.empty(width: 400, height: 400)
    let item = try animator.addItem(Scenes.ball(at: Vector2(200, 200)))
    var walls = CollisionBehavior(items: [item])
    walls.translatesReferenceBoundsIntoBoundary = true
    try animator.add(walls)
    var material = ItemBehavior(items: [item])
    material.elasticity = 0.6
    try animator.add(material)
    let handle = try animator.add(
      AttachmentBehavior(item: item, attachedToAnchor: Vector2(200, 200)))
    try animator.update(handle) { $0.anchorPoint = Vector2(200, 700) }
    animator.step(times: 60)
    for _ in 0..<60 {
      animator.step()
      #expect(abs(animator.center(of: item).y - 380) < 6)
    }
    try animator.remove(handle)
    animator.step(times: 2)
    #expect(animator.linearVelocity(of: item).length < 300)
  }

  @Test("Attachment: item to item keeps their distance")
  func pair() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(300, 500)))
    let b = try animator.addItem(Scenes.square(at: Vector2(500, 500)))
    let handle = try animator.add(AttachmentBehavior(item: a, attachedTo: b))
    #expect(try animator.behavior(handle).attachedBehaviorType == .item)
    try animator.setLinearVelocity(Vector2(0, 300), of: a)
    for _ in 0..<120 {
      animator.step()
      let d = animator.center(of: b) - animator.center(of: a)
      #expect(isClose(d.length, 200, within: 0.001))
      let momentum = animator.linearVelocity(of: a) + animator.linearVelocity(of: b)
      #expect(isClose(momentum.y, 300, within: 0.001) && abs(momentum.x) < 0.5)
    }
    // Two equal masses on a rod turn at v/L for ever.
    let across = (animator.linearVelocity(of: a) - animator.linearVelocity(of: b)).length
    #expect(isClose(across, 300))
  }

  @Test("Attachment: item to item, each with an offset in the item's own frame")
  func pairWithOffsets() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(300, 500), angle: .pi / 2))
    let b = try animator.addItem(Scenes.square(at: Vector2(600, 500), angle: .pi))
    let rod = try animator.add(
      AttachmentBehavior(
        item: a, offsetFromCenter: Vector2(0, -50), attachedTo: b,
        offsetFromCenter: Vector2(50, 0)))
    // (0, −50) turned a quarter is (50, 0), (50, 0) turned half is (−50, 0): 350 to 550.
    #expect(isClose(try #require(try animator.behavior(rod).length), 200, within: 1e-5))
    try animator.setLinearVelocity(Vector2(0, 300), of: a)
    try animator.setAngularVelocity(4, of: b)
    var turned: Float = 0
    for _ in 0..<120 {
      animator.step()
      let held = animator.convert(Vector2(0, -50), from: a)
      let other = animator.convert(Vector2(50, 0), from: b)
      #expect(isClose((held - other).length, 200))
      turned = max(turned, abs(animator.angularVelocity(of: a)))
    }
    #expect(turned > 0.5)
  }

  @Test("Attachment: limit is a rope: a maximum distance")
  func limit() throws {
    var animator = try Scenes.empty()
    let post = try animator.addItem(Scenes.ball(at: Vector2(500, 200)))
    let ball = try animator.addItem(Scenes.ball(at: Vector2(500, 250)))
    var anchored = ItemBehavior(items: [post])
    anchored.isAnchored = true
    try animator.add(anchored)
    try animator.add(GravityBehavior(items: [ball]))
    var rope = AttachmentBehavior.limit(item: ball, attachedTo: post)
    rope.length = 200
    try animator.add(rope)
    animator.step(times: 15)
    // Still falling freely: ½·1000·0.25² = 31.25 pt, and half a sub-step more.
    #expect(isClose(animator.center(of: ball).y - 250, 31.25 + 250 / 720))
    animator.step(times: 120)
    #expect(isClose(animator.center(of: ball).y, 400, within: 0.001))
    #expect(animator.linearVelocity(of: ball).length < 1)
    try animator.setLinearVelocity(Vector2(0, -200), of: ball)
    animator.step(times: 6)
    #expect(animator.center(of: ball).y < 390)
  }

  @Test("Attachment: fixed is a weld")
  func fixed() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(400, 500)))
    let b = try animator.addItem(Scenes.square(at: Vector2(520, 500), angle: 0.3))
    try animator.add(
      AttachmentBehavior.fixed(item: a, attachedTo: b, attachmentAnchor: Vector2(460, 500)))
    try animator.setLinearVelocity(Vector2(0, 400), of: a)
    try animator.setAngularVelocity(3, of: b)
    for _ in 0..<180 {
      animator.step()
      let (one, two) = (animator.state(of: a), animator.state(of: b))
      let apart = (two.center - one.center).unrotated(by: one.rotation)
      #expect((apart - Vector2(120, 0)).length < 0.5)
      let turn = (two.rotation * one.rotation.inverse).angle
      #expect(abs(turn - 0.3) < 0.005)
    }
    #expect(abs(animator.angularVelocity(of: a)) > 0.5)
  }

  @Test("Attachment: pin lets items turn about a point, within a range, against a friction")
  func pin() throws {
    var (animator, item, handle) = try hanging {
      AttachmentBehavior.pin(item: $0, attachedToAnchor: Vector2(450, 450))
    }
    var fastest: Float = 0
    for _ in 0..<60 {
      animator.step()
      let state = animator.state(of: item)
      let held = state.center + Vector2(-50, -50).rotated(by: state.rotation)
      #expect((held - Vector2(450, 450)).length < 0.2)
      fastest = max(fastest, abs(state.angularVelocity))
    }
    // From 45° beside the lowest place: ω² = 2·g·d·(1 − cos 45°) / (I/m + d²).
    #expect(isClose(fastest, 2.493, within: 0.02))

    (animator, item, handle) = try hanging {
      AttachmentBehavior.pin(item: $0, attachedToAnchor: Vector2(450, 450))
    }
    try animator.update(handle) { $0.attachmentRange = -0.1...0.4 }
    var (least, most) = (Float(0), Float(0))
    for _ in 0..<300 {
      animator.step()
      let angle = animator.angle(of: item)
      (least, most) = (angle < least ? angle : least, angle > most ? angle : most)
    }
    // It would swing to π/2 about the corner; the range holds it at 0.4.
    #expect(most < 0.41 && most > 0.39)
    #expect(least > -0.11)

    (animator, item, handle) = try hanging(gravity: 0) {
      AttachmentBehavior.pin(item: $0, attachedToAnchor: Vector2(500, 500))
    }
    try animator.setAngularVelocity(6, of: item)
    try animator.update(handle) { $0.frictionTorque = 0.5 }
    animator.step(times: 60)
    // 0.5·10 000 / (10 000/6) = 3 rad/s².
    #expect(isClose(animator.angularVelocity(of: item), 3))
    animator.step(times: 90)
    #expect(abs(animator.angularVelocity(of: item)) < 0.001)
  }

  @Test("Attachment: sliding moves along its axis, in a range of points, without relative rotation")
  func sliding() throws {
    var (animator, item, handle) = try hanging {
      AttachmentBehavior.sliding(
        item: $0, attachmentAnchor: Vector2(500, 500), axisOfTranslation: Vector2(3, 4))
    }
    animator.step(times: 60)
    let axis = Vector2(0.6, 0.8)
    let way = animator.center(of: item) - Vector2(500, 500)
    // g·0.8 along the axis: ½·800·1² = 400 pt.
    #expect(isClose(way.dot(axis), 400))
    #expect(abs(way.cross(axis)) < 0.2)
    try animator.setCenter(Vector2(500, 500), of: item)
    try animator.setLinearVelocity(.zero, of: item)
    try animator.update(handle) { $0.attachmentRange = -50...100 }
    for _ in 0..<120 {
      animator.step()
      let way = animator.center(of: item) - Vector2(500, 500)
      #expect(abs(way.cross(axis)) < 0.2)
      #expect(way.dot(axis) < 101)
      #expect(abs(animator.angle(of: item)) < 0.002)
    }
    #expect(isClose((animator.center(of: item) - Vector2(500, 500)).dot(axis), 100))
  }

  @Test("Attachment: a chain of ten rods hangs at its length")
  func chain() throws {
    var animator = try Scenes.empty()
    var links: [ItemID] = []
    for i in 0..<10 {
      links.append(try animator.addItem(Scenes.ball(at: Vector2(500 + Float(i) * 50, 100))))
    }
    try animator.add(GravityBehavior(items: links))
    var calm = ItemBehavior(items: links)
    calm.resistance = 1
    try animator.add(calm)
    try animator.add(AttachmentBehavior(item: links[0], attachedToAnchor: Vector2(450, 100)))
    for i in 1..<10 {
      try animator.add(AttachmentBehavior(item: links[i], attachedTo: links[i - 1]))
    }
    animator.step(times: 900)
    #expect(abs(animator.center(of: links[9]).y - 600) < 6)
  }
}

/// Sine and cosine for the tests' own integrators.
enum DoubleMath {
  static func sine(_ x: Double) -> Double {
    var (term, sum) = (x, x)
    for n in 1..<20 {
      term *= -x * x / Double((2 * n) * (2 * n + 1))
      sum += term
    }
    return sum
  }
  static func cosine(_ x: Double) -> Double { sine(x + Double.pi / 2) }
}
