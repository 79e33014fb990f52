import Dynamics
import Testing

/// An item that touches several sides of one boundary is told each with its own point and normal.
@Suite(.tags(.fact)) struct SideTests {
  /// An item in a box of 400×300 that is pushed to the left, steadily.
  private func pushed(
    _ item: Item, elasticity: Float = 0
  ) throws -> (Animator, ItemID, PushBehavior.Handle) {
    var animator = try Scenes.empty(width: 400, height: 300)
    let id = try animator.addItem(item)
    try animator.add(GravityBehavior(items: [id]))
    try animator.add(
      CollisionBehavior(items: [id], translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: [id], elasticity: elasticity))
    let push = try animator.add(
      PushBehavior(items: [id], mode: .continuous, direction: Vector2(-0.5, 0)))
    return (animator, id, push)
  }

  @Test("Collision: what slides down a wall lands on the floor, at its own point and normal")
  func landing() throws {
    for shape in [ItemShape.rectangle(width: 40, height: 40), .circle(diameter: 40)] {
      var (animator, _, _) = try pushed(Item(shape, center: Vector2(20, 60)))
      var began: [CollisionEvent] = []
      var ended: [CollisionEvent] = []
      for _ in 0..<120 {
        let events = animator.step()
        began += events.began
        ended += events.ended
      }
      #expect(began.count == 2 && ended.isEmpty, "\(shape)")
      #expect(began.allSatisfy { $0.other == .boundary(nil) })
      guard began.count == 2 else { continue }
      #expect((began[0].normal - Vector2(-1, 0)).length < 0.01 && abs(began[0].point.x) < 2)
      #expect((began[1].normal - Vector2(0, 1)).length < 0.01 && abs(began[1].point.y - 300) < 2)
    }
  }

  @Test("Collision: each bounce on the floor beside a wall is told")
  func bounces() throws {
    var (animator, _, _) = try pushed(
      Item(.circle(diameter: 40), center: Vector2(20, 60)), elasticity: 0.6)
    var landings = 0
    for _ in 0..<240 {
      for event in animator.step().began where event.normal.y > 0.9 { landings += 1 }
    }
    #expect(landings >= 4)
  }

  @Test("Collision: two sides met in one step are told both")
  func corner() throws {
    var animator = try Scenes.empty(width: 400, height: 300)
    let item = try animator.addItem(Scenes.ball(at: Vector2(50, 250)))
    try animator.add(
      CollisionBehavior(items: [item], translatesReferenceBoundsIntoBoundary: true))
    try animator.setLinearVelocity(Vector2(-300, 300), of: item)
    var normals: [Vector2] = []
    for _ in 0..<30 { normals += animator.step().began.map(\.normal) }
    #expect(normals.count == 2)
    #expect(normals.contains { ($0 - Vector2(-1, 0)).length < 0.01 })
    #expect(normals.contains { ($0 - Vector2(0, 1)).length < 0.01 })
  }

  @Test("Collision: who has left all sides has left the boundary, once")
  func leaving() throws {
    var (animator, item, push) = try pushed(Item(.circle(diameter: 40), center: Vector2(20, 60)))
    animator.step(times: 120)
    try animator.remove(push)
    try animator.setCenter(Vector2(200, 150), of: item)
    var ended = 0
    for _ in 0..<5 { ended += animator.step().ended.count }
    #expect(ended == 1)
  }

  @Test("Collision: a curve of many pieces is one side, a groove has two")
  func curves() throws {
    var animator = try Scenes.empty()
    let roller = try animator.addItem(Scenes.ball(at: Vector2(140, 300)))
    let wedged = try animator.addItem(Scenes.ball(at: Vector2(760, 300)))
    try animator.add(GravityBehavior(items: [roller, wedged]))
    var walls = CollisionBehavior(items: [roller, wedged])
    try walls.addBoundary(.ellipse(in: Rect2(x: 100, y: 100, width: 400, height: 400)), id: 1)
    try walls.addBoundary(
      .path([Vector2(650, 300), Vector2(750, 400), Vector2(850, 300)], closed: false), id: 2)
    try animator.add(walls)
    var counts = [0, 0]
    var ended = [0, 0]
    for _ in 0..<300 {
      let events = animator.step()
      for event in events.began { counts[event.item == roller ? 0 : 1] += 1 }
      for event in events.ended { ended[event.item == roller ? 0 : 1] += 1 }
    }
    #expect(counts[0] - ended[0] == 1 && counts[0] <= 3, "\(counts), \(ended)")
    #expect(counts[1] == 2 && ended[1] == 0, "\(counts), \(ended)")
  }
}
