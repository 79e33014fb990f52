import Dynamics
import Testing

@Suite(.tags(.fact)) struct CollisionTests {
  @Test("Collision: reference bounds as a boundary, named nil, with a contact point")
  func referenceBounds() throws {
    var animator = try Scenes.empty(width: 400, height: 300)
    let item = try animator.addItem(Scenes.ball(at: Vector2(200, 100)))
    try animator.add(GravityBehavior(items: [item]))
    var walls = CollisionBehavior(items: [item])
    walls.translatesReferenceBoundsIntoBoundary = true
    let handle = try animator.add(walls)
    var began: [CollisionEvent] = []
    for _ in 0..<90 { began += animator.step().began }
    #expect(began.count == 1)
    #expect(began.first?.other == .boundary(nil))
    #expect(began.first?.behavior == handle)
    #expect(abs((began.first?.point ?? .zero).y - 300) < 15)
    #expect(abs(animator.center(of: item).y - 280) < 0.5)
  }

  @Test(
    "Collision: reference bounds with insets",
    arguments: [
      (Vector2(0, -1), Vector2(200, 10 + 20)), (Vector2(-1, 0), Vector2(20 + 20, 150)),
      (Vector2(0, 1), Vector2(200, 300 - 30 - 20)), (Vector2(1, 0), Vector2(400 - 40 - 20, 150)),
    ])
  func insets(_ down: Vector2, _ expected: Vector2) throws {
    var animator = try Scenes.empty(width: 400, height: 300)
    let item = try animator.addItem(Scenes.ball(at: Vector2(200, 150)))
    try animator.add(GravityBehavior(items: [item], direction: down))
    var walls = CollisionBehavior(items: [item])
    let insets = Insets(top: 10, left: 20, bottom: 30, right: 40)
    try walls.setTranslatesReferenceBoundsIntoBoundary(with: insets)
    #expect(walls.referenceInsets == insets && walls.translatesReferenceBoundsIntoBoundary)
    try animator.add(walls)
    animator.step(times: 90)
    #expect((animator.center(of: item) - expected).length < 0.5)
  }

  @Test("Collision: began and ended for a boundary, once for each bounce, where it was touched")
  func boundaryEvents() throws {
    var animator = try Scenes.empty(width: 400, height: 600)
    let item = try animator.addItem(Scenes.ball(at: Vector2(200, 300)))
    try animator.add(GravityBehavior(items: [item]))
    try animator.add(ItemBehavior(items: [item], elasticity: 0.8))
    let walls = try animator.add(
      CollisionBehavior(items: [item], translatesReferenceBoundsIntoBoundary: true))
    var log: [String] = []
    for _ in 0..<150 {
      let events = animator.step()
      for event in events.began + events.ended {
        #expect(event.behavior == walls && event.item == item && event.other == .boundary(nil))
        #expect(event.normal == Vector2(0, 1))
        #expect(abs(event.point.x - 200) < 0.1 && abs(event.point.y - 600) < 10)
      }
      log += events.began.map { _ in "began" } + events.ended.map { _ in "ended" }
    }
    // Down in 0.75 s, then 1.2 s and 0.96 s in the air.
    #expect(log == ["began", "ended", "began", "ended"])
  }

  @Test("Collision: began and ended for items, began first, both before the per-step action")
  func itemEvents() throws {
    var animator = try Scenes.empty()
    let left = try animator.addItem(Scenes.ball(at: Vector2(300, 500)))
    let right = try animator.addItem(Scenes.ball(at: Vector2(400, 500)))
    let handle = try animator.add(CollisionBehavior(items: [left, right]))
    var bouncy = ItemBehavior(items: [left, right])
    bouncy.elasticity = 1
    try animator.add(bouncy)
    try animator.setLinearVelocity(Vector2(600, 0), of: left)
    var log: [String] = []
    for _ in 0..<30 {
      animator.step { animator, events in
        for event in events.began {
          #expect(event.behavior == handle)
          #expect(event.item == left && event.other == .item(right))
          #expect(abs(event.point.x - 380) < 12)
          log.append("began")
        }
        for _ in events.ended { log.append("ended") }
      }
    }
    #expect(log == ["began", "ended"])
    // Equal masses, elasticity 1: the velocity is handed over.
    #expect(isClose(animator.linearVelocity(of: right).x, 600))
    #expect(abs(animator.linearVelocity(of: left).x) < 6)
  }

  @Test(
    "Collision: boundaries under identifiers: add, look up, remove, list"
  )
  func boundaries() throws {
    var collision = CollisionBehavior()
    try collision.addBoundary(.segment(Vector2(0, 0), Vector2(10, 0)), id: BoundaryID(7))
    try collision.addBoundary(
      .path([Vector2(0, 0), Vector2(10, 0), Vector2(10, 10)], closed: true), id: BoundaryID(3))
    try collision.addBoundary(
      .rectangle(Rect2(x: 0, y: 0, width: 5, height: 5)), id: BoundaryID(-1))
    #expect(collision.boundaryIdentifiers == [BoundaryID(7), BoundaryID(3), BoundaryID(-1)])
    #expect(
      collision.boundary(id: BoundaryID(7)) == .segment(Vector2(0, 0), Vector2(10, 0)))
    #expect(throws: DynamicsError.duplicateBoundary(BoundaryID(7))) {
      try collision.addBoundary(.segment(Vector2(0, 0), Vector2(1, 0)), id: BoundaryID(7))
    }
    try collision.removeBoundary(id: BoundaryID(3))
    #expect(collision.boundary(id: BoundaryID(3)) == nil)
    #expect(throws: DynamicsError.unknownBoundary(BoundaryID(3))) {
      try collision.removeBoundary(id: BoundaryID(3))
    }
    collision.removeAllBoundaries()
    #expect(collision.boundaryIdentifiers.isEmpty)
  }

  @Test("Collision: each boundary holds its items, and a removed one lets them go")
  func boundaryForms() throws {
    let paths: [BoundaryPath] = [
      .segment(Vector2(100, 300), Vector2(300, 300)),
      .path([Vector2(100, 300), Vector2(200, 300), Vector2(300, 300)], closed: false),
      .rectangle(Rect2(x: 100, y: 300, width: 200, height: 50)),
    ]
    for path in paths {
      var animator = try Scenes.empty()
      let item = try animator.addItem(Scenes.ball(at: Vector2(200, 200)))
      try animator.add(GravityBehavior(items: [item]))
      let collision = try animator.add(CollisionBehavior(items: [item]))
      try animator.addBoundary(path, id: BoundaryID(5), to: collision)
      var began: [CollisionPartner] = []
      for _ in 0..<90 { began += animator.step().began.map(\.other) }
      #expect(began == [.boundary(BoundaryID(5))])
      #expect(abs(animator.center(of: item).y - 280) < 0.5)
      try animator.removeBoundary(id: BoundaryID(5), from: collision)
      let ended = animator.step().ended
      #expect(ended.map(\.other) == [.boundary(BoundaryID(5))])
      animator.step(times: 60)
      #expect(animator.center(of: item).y > 400)
    }
  }

  @Test("Collision: remove all boundaries of a live behaviour, and open the reference bounds")
  func removeAll() throws {
    var animator = try Scenes.empty(width: 400, height: 300)
    let item = try animator.addItem(Scenes.ball(at: Vector2(200, 200)))
    try animator.add(GravityBehavior(items: [item]))
    var walls = CollisionBehavior(items: [item])
    walls.translatesReferenceBoundsIntoBoundary = true
    try walls.addBoundary(.segment(Vector2(100, 250), Vector2(300, 250)), id: BoundaryID(1))
    let handle = try animator.add(walls)
    animator.step(times: 60)
    #expect(abs(animator.center(of: item).y - 230) < 0.5)
    try animator.update(handle) { $0.removeAllBoundaries() }
    #expect(animator.step().ended.map(\.other) == [.boundary(BoundaryID(1))])
    animator.step(times: 60)
    #expect(abs(animator.center(of: item).y - 280) < 0.5)
    try animator.update(handle) { $0.translatesReferenceBoundsIntoBoundary = false }
    #expect(animator.step().ended.map(\.other) == [.boundary(nil)])
    animator.step(times: 60)
    #expect(animator.center(of: item).y > 400)
    // The bounds close again around what is inside; the reference bounds themselves may change.
    try animator.setCenter(Vector2(200, 100), of: item)
    try animator.setLinearVelocity(.zero, of: item)
    try animator.update(handle) { $0.translatesReferenceBoundsIntoBoundary = true }
    try animator.setReferenceBounds(Rect2(x: 0, y: 0, width: 400, height: 200))
    animator.step(times: 60)
    #expect(abs(animator.center(of: item).y - 180) < 0.5)
  }

  @Test("Collision: modes items, boundaries, everything")
  func modes() throws {
    for mode in [CollisionBehavior.Mode.items, .boundaries, .everything] {
      var animator = try Scenes.empty()
      let lower = try animator.addItem(Scenes.ball(at: Vector2(200, 200)))
      let upper = try animator.addItem(Scenes.ball(at: Vector2(200, 100)))
      try animator.add(GravityBehavior(items: [lower, upper]))
      var collision = CollisionBehavior(items: [lower, upper])
      collision.mode = mode
      try collision.addBoundary(.segment(Vector2(100, 300), Vector2(300, 300)), id: BoundaryID(0))
      try animator.add(collision)
      animator.step(times: 60)
      let (low, high) = (animator.center(of: lower).y, animator.center(of: upper).y)
      if mode == .boundaries { #expect(abs(low - 280) < 0.5 && abs(high - 280) < 0.5) }
      if mode == .everything { #expect(abs(low - 280) < 0.5 && abs(high - 240) < 0.5) }
      if mode == .items { #expect(low > 400 && high < low - 39) }
    }
  }

  @Test("Collision: items of different behaviours pass through each other")
  func strangers() throws {
    var animator = try Scenes.empty()
    let left = try animator.addItem(Scenes.ball(at: Vector2(300, 500)))
    let right = try animator.addItem(Scenes.ball(at: Vector2(400, 500)))
    try animator.add(CollisionBehavior(items: [left]))
    try animator.add(CollisionBehavior(items: [right]))
    try animator.setLinearVelocity(Vector2(600, 0), of: left)
    animator.step(times: 60)
    #expect(isClose(animator.linearVelocity(of: left).x, 600, within: 0.001))
  }

  @Test("Units: the collision shape is a rectangle, an ellipse or a path")
  func shapes() throws {
    let shapes: [(ItemShape, Float)] = [
      (.rectangle(width: 60, height: 40), 20),
      (.rectangle(width: 60, height: 40, cornerRadius: 8), 20),
      (.rectangle(width: 60, height: 40, cornerRadius: 20), 20),
      (.ellipse(width: 40, height: 40), 20),
      (.ellipse(width: 60, height: 40), 20),
      (.path([Vector2(-30, 15), Vector2(30, 15), Vector2(0, -40)]), 15),
    ]
    for (shape, foot) in shapes {
      var animator = try Scenes.empty(width: 400, height: 300)
      let item = try animator.addItem(Item(shape, center: Vector2(200, 200)))
      try animator.add(GravityBehavior(items: [item]))
      var walls = CollisionBehavior(items: [item])
      walls.translatesReferenceBoundsIntoBoundary = true
      try animator.add(walls)
      animator.step(times: 120)
      #expect(abs(animator.center(of: item).y - (300 - foot)) < 0.5, "\(shape)")
    }
  }
}
