import Dynamics
import Testing

/// The short ways of saying what several lines can say: each equals the long one.
@Suite struct SugarTests {
  private let items = [ItemID(slot: 0, generation: 0), ItemID(slot: 1, generation: 0)]

  @Test func gravityAndPushInOneLine() {
    var gravity = GravityBehavior(items: items)
    gravity.direction = Vector2(3, -4)
    #expect(GravityBehavior(items: items, direction: Vector2(3, -4)) == gravity)
    gravity = GravityBehavior(items: items)
    gravity.setAngle(.pi / 3, magnitude: 2)
    #expect(GravityBehavior(items: items, angle: .pi / 3, magnitude: 2) == gravity)
    #expect(abs(GravityBehavior(magnitude: 3).direction.x) < 1e-6)
    #expect(GravityBehavior(magnitude: 3).direction.y == 3)

    var push = PushBehavior(items: items, mode: .instantaneous)
    push.direction = Vector2(1, 2)
    push.isActive = false
    #expect(
      PushBehavior(items: items, mode: .instantaneous, direction: Vector2(1, 2), isActive: false)
        == push)
    push = PushBehavior(items: items, mode: .continuous)
    push.setAngle(1, magnitude: -2)
    #expect(PushBehavior(items: items, mode: .continuous, angle: 1, magnitude: -2) == push)
  }

  @Test func propertiesInOneLineStateOnlyWhatIsGiven() throws {
    var long = ItemBehavior(items: items)
    long.elasticity = 0.6
    long.allowsRotation = false
    #expect(ItemBehavior(items: items, elasticity: 0.6, allowsRotation: false) == long)
    var all = ItemBehavior(items: items)
    all.elasticity = 0.1
    all.friction = 0.2
    all.density = 0.3
    all.resistance = 0.4
    all.angularResistance = 0.5
    all.charge = 0.6
    all.isAnchored = true
    all.allowsRotation = true
    #expect(
      ItemBehavior(
        items: items, elasticity: 0.1, friction: 0.2, density: 0.3, resistance: 0.4,
        angularResistance: 0.5, charge: 0.6, isAnchored: true, allowsRotation: true) == all)
    #expect(ItemBehavior(items: items, elasticity: 0) != ItemBehavior(items: items))
  }

  @Test func attachmentsInOneLine() {
    let (a, b) = (items[0], items[1])
    var spring = AttachmentBehavior(item: a, attachedToAnchor: Vector2(1, 2))
    spring.length = 10
    spring.frequency = 2
    spring.damping = 0.5
    #expect(
      AttachmentBehavior(
        item: a, attachedToAnchor: Vector2(1, 2), length: 10, frequency: 2, damping: 0.5) == spring)
    spring = AttachmentBehavior(item: a, attachedTo: b)
    spring.length = 10
    spring.frequency = 2
    spring.damping = 0.5
    #expect(
      AttachmentBehavior(item: a, attachedTo: b, length: 10, frequency: 2, damping: 0.5) == spring)
    var rope = AttachmentBehavior.limit(item: a, attachedTo: b)
    rope.length = 7
    #expect(AttachmentBehavior.limit(item: a, attachedTo: b, length: 7) == rope)
    rope = .limit(item: a, attachedToAnchor: .zero)
    rope.length = 7
    #expect(AttachmentBehavior.limit(item: a, attachedToAnchor: .zero, length: 7) == rope)
    for (short, long) in [
      (
        AttachmentBehavior.pin(
          item: a, attachedTo: b, attachmentAnchor: .zero, attachmentRange: -1...2,
          frictionTorque: 3),
        AttachmentBehavior.pin(item: a, attachedTo: b, attachmentAnchor: .zero)
      ),
      (
        .pin(item: a, attachedToAnchor: .zero, attachmentRange: -1...2, frictionTorque: 3),
        .pin(item: a, attachedToAnchor: .zero)
      ),
    ] {
      var long = long
      long.attachmentRange = -1...2
      long.frictionTorque = 3
      #expect(short == long)
    }
    let axis = Vector2(0, 1)
    for (short, long) in [
      (
        AttachmentBehavior.sliding(
          item: a, attachedTo: b, attachmentAnchor: .zero, axisOfTranslation: axis,
          attachmentRange: 0...5),
        AttachmentBehavior.sliding(
          item: a, attachedTo: b, attachmentAnchor: .zero, axisOfTranslation: axis)
      ),
      (
        .sliding(
          item: a, attachmentAnchor: .zero, axisOfTranslation: axis, attachmentRange: 0...5),
        .sliding(item: a, attachmentAnchor: .zero, axisOfTranslation: axis)
      ),
    ] {
      var long = long
      long.attachmentRange = 0...5
      #expect(short == long)
    }
  }

  @Test func collisionsInOneLine() throws {
    var long = CollisionBehavior(items: items)
    long.mode = .boundaries
    long.translatesReferenceBoundsIntoBoundary = true
    try long.addBoundary(.segment(.zero, Vector2(9, 0)), id: BoundaryID(4))
    var short = CollisionBehavior(
      items: items, mode: .boundaries, translatesReferenceBoundsIntoBoundary: true)
    try short.addBoundary(from: .zero, to: Vector2(9, 0), id: 4)
    #expect(short == long)
    var animator = try Scenes.empty()
    let live = try animator.add(CollisionBehavior())
    try animator.addBoundary(from: .zero, to: Vector2(9, 0), id: 4, to: live)
    #expect(try animator.behavior(live).boundary(id: 4) == .segment(.zero, Vector2(9, 0)))
  }

  @Test func aCompositeOfSeveralKinds() {
    let gravity = GravityBehavior(items: items)
    let material = ItemBehavior(items: items, elasticity: 0.6)
    let composite = CompositeBehavior {
      gravity
      material
      CompositeBehavior { gravity }
      if material.elasticity > 1 { material }
      for item in items { SnapBehavior(item: item, snapTo: .zero) }
      if items.isEmpty { gravity } else { material }
    }
    let expected = CompositeBehavior(children: [
      .gravity(gravity), .item(material),
      .composite(CompositeBehavior(children: [.gravity(gravity)])),
      .snap(SnapBehavior(item: items[0], snapTo: .zero)),
      .snap(SnapBehavior(item: items[1], snapTo: .zero)), .item(material),
    ])
    #expect(composite == expected)
    #expect(CompositeBehavior().children.isEmpty)
  }

  @Test func itemsByFrame() throws {
    let frame = Rect2(x: 10, y: 20, width: 30, height: 40)
    #expect(
      Item(frame: frame, tag: 3)
        == Item(.rectangle(width: 30, height: 40), center: Vector2(25, 40), tag: 3))
    #expect(
      Item(ellipseIn: frame) == Item(.ellipse(width: 30, height: 40), center: Vector2(25, 40)))
    #expect(ItemShape.circle(diameter: 8) == .ellipse(width: 8, height: 8))
    var animator = try Scenes.empty()
    let names = try animator.addItems([Item(frame: frame), Item(ellipseIn: frame)])
    #expect(names.map { animator.center(of: $0) } == [Vector2(25, 40), Vector2(25, 40)])
    let before = animator.stateHash()
    #expect(throws: DynamicsError.emptyPath) {
      try animator.addItems([Item(frame: frame), Item(.path([]), center: .zero)])
    }
    #expect(animator.stateHash() == before)
  }

  @Test func whatIsGoneIsNil() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    #expect(animator[item] == animator.state(of: item))
    try animator.removeItem(item)
    #expect(animator[item] == nil)
    #expect(animator[ItemID(slot: .max, generation: 0)] == nil)
  }

  @Test func pointsConvertToAndFromItems() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square(at: Vector2(100, 200), angle: .pi / 2))
    // Turned a quarter clockwise: what was right of the centre is below it.
    #expect((animator.convert(Vector2(50, 0), from: item) - Vector2(100, 250)).length < 1e-4)
    #expect((animator.convert(Vector2(100, 250), to: item) - Vector2(50, 0)).length < 1e-4)
  }

  @Test func vectorsByAngle() {
    #expect(isClose(Vector2(3, 4).angle, 0.92729522, within: 1e-6))
    #expect((Vector2(angle: 0.92729522, length: 5) - Vector2(3, 4)).length < 1e-5)
    #expect(Vector2.zero.angle == 0)
  }

  @Test("Collision: paths round an ellipse and along an arc, within 0.25 pt")
  func curves() throws {
    let frame = Rect2(x: 100, y: 100, width: 400, height: 200)
    guard case .path(let points, closed: true) = BoundaryPath.ellipse(in: frame) else {
      Issue.record("an ellipse is a closed path")
      return
    }
    for (i, point) in points.enumerated() {
      let next = points[(i + 1) % points.count]
      for place in [point, (point + next) / 2] {
        let unit = Vector2((place.x - 300) / 200, (place.y - 200) / 100)
        #expect(unit.length < 1.0001 && unit.length > 1 - 0.25 / 200)
      }
    }
    guard
      case .path(let bow, closed: false) = BoundaryPath.arc(
        center: Vector2(50, 60), radius: 80, startAngle: 0, endAngle: .pi / 2)
    else {
      Issue.record("an arc is an open path")
      return
    }
    #expect((bow.first! - Vector2(130, 60)).length < 1e-3)
    #expect((bow.last! - Vector2(50, 140)).length < 1e-3)
    for (one, next) in zip(bow, bow.dropFirst()) {
      #expect(abs(((one + next) / 2 - Vector2(50, 60)).length - 80) < 0.25)
    }
    // A bowl holds a ball, and nonsense is refused like any other path.
    var animator = try Scenes.empty()
    let ball = try animator.addItem(Scenes.ball(at: Vector2(480, 400)))
    try animator.add(GravityBehavior(items: [ball]))
    try animator.add(ItemBehavior(items: [ball], resistance: 1))
    var bowl = CollisionBehavior(items: [ball])
    try bowl.addBoundary(
      .arc(center: Vector2(500, 300), radius: 200, startAngle: 0, endAngle: .pi), id: 1)
    #expect(throws: DynamicsError.self) {
      try bowl.addBoundary(
        .ellipse(in: Rect2(x: 0, y: 0, width: .nan, height: 3)), id: 2)
    }
    #expect(throws: DynamicsError.self) {
      try bowl.addBoundary(
        .arc(center: .zero, radius: .infinity, startAngle: .nan, endAngle: 1), id: 2)
    }
    try animator.add(bowl)
    animator.step(times: 900)
    #expect((animator.center(of: ball) - Vector2(500, 480)).length < 3)
  }

  @Test func aContactKnowsWhomItInvolves() throws {
    var animator = try Scenes.empty()
    let (a, b, c) = (
      try animator.addItem(Scenes.ball(at: Vector2(300, 500))),
      try animator.addItem(Scenes.ball(at: Vector2(350, 500))),
      try animator.addItem(Scenes.ball(at: .zero))
    )
    try animator.add(CollisionBehavior(items: [a, b, c]))
    try animator.setLinearVelocity(Vector2(600, 0), of: a)
    var contacts: [CollisionEvent] = []
    for _ in 0..<10 { contacts += animator.step().began }
    #expect(contacts.count == 1)
    #expect(contacts.allSatisfy { $0.involves(a) && $0.involves(b) && !$0.involves(c) })
  }

  @Test func aFieldAloneIsEnoughForAStep() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(FieldBehavior.custom(items: [item]))
    animator.step { _ in Vector2(6, 0) }
    #expect(isClose(animator.linearVelocity(of: item).x, 10, within: 0.001))
    animator.step(field: { _ in Vector2(6, 0) })
    #expect(isClose(animator.linearVelocity(of: item).x, 20, within: 0.001))
  }
}
