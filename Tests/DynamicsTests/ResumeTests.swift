import Dynamics
import Testing

/// An animator that paused with everything asleep, and what gets it going again.
@Suite(.tags(.fact)) struct ResumeTests {
  /// A ball on a line in the air, a square beside it, on a floor, all at rest.
  struct Resting {
    var animator: Animator
    let ball: ItemID
    let square: ItemID
    let stranger: ItemID
    let gravity: GravityBehavior.Handle
    let walls: CollisionBehavior.Handle
    let material: ItemBehavior.Handle
    let push: PushBehavior.Handle
    let blow: PushBehavior.Handle
    let field: FieldBehavior.Handle
    let rod: AttachmentBehavior.Handle
    let snap: SnapBehavior.Handle

    init() throws {
      animator = try Scenes.empty(width: 1000, height: 500)
      let names = try animator.addItems([
        Scenes.ball(at: Vector2(200, 280)), Scenes.square(at: Vector2(500, 450)),
        Scenes.square(at: Vector2(700, 450)), Scenes.square(at: Vector2(850, 450)),
        Scenes.ball(at: Vector2(100, 100)),
      ])
      (ball, square, stranger) = (names[0], names[1], names[4])
      gravity = try animator.add(GravityBehavior(items: [ball, square]))
      var collision = CollisionBehavior(
        items: [ball, square], translatesReferenceBoundsIntoBoundary: true)
      try collision.addBoundary(from: Vector2(100, 300), to: Vector2(300, 300), id: 1)
      walls = try animator.add(collision)
      material = try animator.add(ItemBehavior(items: [square], density: 1))
      push = try animator.add(
        PushBehavior(
          items: [ball], mode: .continuous, direction: Vector2(0, -20), isActive: false))
      blow = try animator.add(
        PushBehavior(
          items: [square], mode: .instantaneous, direction: Vector2(0, -2), isActive: false))
      var spring = FieldBehavior.linearGravity(direction: Vector2(3, 0), items: [ball, square])
      spring.strength = 0
      field = try animator.add(spring)
      rod = try animator.add(
        AttachmentBehavior(item: names[2], attachedToAnchor: Vector2(700, 400)))
      snap = try animator.add(SnapBehavior(item: names[3], snapTo: Vector2(850, 450)))
      for _ in 0..<600 where !animator.isPaused { animator.step() }
      #expect(animator.isPaused)
    }

    /// Where everything is.
    var places: [Vector2] {
      var places: [Vector2] = []
      animator.forEachItem { _, state in places.append(state.center) }
      return places
    }
  }

  @Test("Animator: resumes on any change, and what the change frees moves")
  func anyChange() throws {
    let changes: [(String, (inout Resting) throws -> Void)] = [
      ("gravity turned", { try $0.animator.update($0.gravity) { $0.angle = 0 } }),
      ("gravity stronger, upwards", { try $0.animator.update($0.gravity) { $0.magnitude = -1 } }),
      (
        "gravity gone, then a field",
        {
          try $0.animator.remove($0.gravity)
          try $0.animator.update($0.field) { $0.strength = 1 }
        }
      ),
      ("a push activated", { try $0.animator.update($0.push) { $0.isActive = true } }),
      ("a blow activated", { try $0.animator.update($0.blow) { $0.isActive = true } }),
      ("a field switched on", { try $0.animator.update($0.field) { $0.strength = 1 } }),
      ("a boundary removed", { try $0.animator.removeBoundary(id: 1, from: $0.walls) }),
      ("all boundaries removed", { try $0.animator.update($0.walls) { $0.removeAllBoundaries() } }),
      (
        "bounds opened",
        {
          try $0.animator.update($0.walls) { $0.translatesReferenceBoundsIntoBoundary = false }
        }
      ),
      (
        "bounds moved",
        {
          try $0.animator.setReferenceBounds(Rect2(x: 0, y: 0, width: 1000, height: 800))
        }
      ),
      ("mode changed", { try $0.animator.update($0.walls) { $0.mode = .items } }),
      ("collision removed", { try $0.animator.remove($0.walls) }),
      (
        "an item taken out of the collision",
        { try $0.animator.removeItem($0.ball, from: $0.walls) }
      ),
      (
        "an anchor moved",
        {
          try $0.animator.update($0.rod) { $0.anchorPoint = Vector2(720, 380) }
        }
      ),
      ("a rod lengthened", { try $0.animator.update($0.rod) { $0.length = 90 } }),
      (
        "a snap point moved",
        {
          try $0.animator.update($0.snap) { $0.snapPoint = Vector2(860, 400) }
        }
      ),
      ("an item placed", { try $0.animator.setCenter(Vector2(200, 200), of: $0.ball) }),
      ("an item turned", { try $0.animator.setAngle(0.4, of: $0.square) }),
      ("a velocity", { try $0.animator.addLinearVelocity(Vector2(0, -90), for: $0.ball) }),
      (
        "a velocity through the behaviour",
        {
          let square = $0.square
          try $0.animator.update($0.material) { material throws(DynamicsError) in
            try material.addLinearVelocity(Vector2(0, -90), for: square)
          }
        }
      ),
      ("an item added to gravity", { try $0.animator.addItem($0.stranger, to: $0.gravity) }),
      (
        "a snap added",
        {
          try $0.animator.add(SnapBehavior(item: $0.ball, snapTo: Vector2(300, 100)))
        }
      ),
      (
        "an attachment added",
        {
          try $0.animator.add(
            AttachmentBehavior(item: $0.ball, attachedToAnchor: Vector2(200, 200), length: 40))
        }
      ),
      (
        "updated from outside",
        {
          try $0.animator.updateItem(
            $0.ball, usingCurrentState: Scenes.ball(at: Vector2(200, 100), diameter: 60))
        }
      ),
    ]
    for (name, change) in changes {
      var world = try Resting()
      let before = world.places
      let elapsed = world.animator.elapsedTime
      world.animator.step()
      #expect(world.animator.elapsedTime == elapsed && world.places == before)
      try change(&world)
      #expect(world.animator.isRunning, "\(name)")
      #expect(world.animator.step().willResume, "\(name)")
      var moved: Float = 0
      for _ in 0..<30 {
        moved = max(moved, zip(before, world.places).map { ($0 - $1).length }.max() ?? 0)
        world.animator.step()
      }
      #expect(moved > 2, "\(name): nothing moved")
    }
  }

  @Test(
    "Animator: at rest is slower than 1 pt/s and 2° a second",
    arguments: [
      (Float(0.98), Float(0), true), (1.02, 0, false), (0, 1.96, true), (0, 2.04, false),
      (-0.98, -1.96, true), (0, -2.04, false),
    ])
  func limits(_ speed: Float, _ degrees: Float, _ rests: Bool) throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(ItemBehavior(items: [item]))
    try animator.setLinearVelocity(Vector2(speed * 0.6, speed * 0.8), of: item)
    try animator.setAngularVelocity(degrees * .pi / 180, of: item)
    for tick in 1...60 {
      let events = animator.step()
      #expect(events.didPause == (rests && tick == 30))
    }
    #expect(animator.isPaused == rests)
  }

  @Test("Animator: what still moves after thirty seconds keeps it running")
  func noFalsePause() throws {
    // A body that the solver lets sleep beside one that moves.
    var animator = try Scenes.empty()
    let still = try animator.addItem(Scenes.square())
    let moving = try animator.addItem(Scenes.square(at: .zero))
    try animator.add(ItemBehavior(items: [still, moving]))
    try animator.setAngularVelocity(1, of: moving)
    for _ in 0..<1800 { #expect(!animator.step().didPause) }
    #expect(isClose(animator.angularVelocity(of: moving), 1, within: 0.001))
  }
}
