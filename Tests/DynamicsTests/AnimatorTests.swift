import Dynamics
import Testing

@Suite(.tags(.fact)) struct AnimatorTests {
  @Test("Animator: removing the last behaviour that uses an item removes its body")
  func bodies() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    #expect(animator.world.bodyCount == 0)
    let gravity = try animator.add(GravityBehavior(items: [item]))
    let collision = try animator.add(CollisionBehavior(items: [item]))
    #expect(animator.world.bodyCount == 1)
    animator.step(times: 10)
    let center = animator.center(of: item)
    try animator.remove(gravity)
    #expect(animator.isSimulated(item))
    try animator.removeItem(item, from: collision)
    #expect(!animator.isSimulated(item))
    #expect(animator.world.bodyCount == 0)
    animator.step(times: 10)
    #expect(animator.center(of: item) == center)
    #expect(center.y > 500)
  }

  @Test("Animator: pauses after 0.5 s of rest and resumes on any change")
  func pause() throws {
    var animator = try Scenes.empty(width: 400, height: 300)
    let item = try animator.addItem(Scenes.ball(at: Vector2(200, 250)))
    try animator.add(GravityBehavior(items: [item]))
    var walls = CollisionBehavior(items: [item])
    walls.translatesReferenceBoundsIntoBoundary = true
    try animator.add(walls)
    var lastMoving = 0
    var pausedAt = 0
    for tick in 1...600 where pausedAt == 0 {
      let events = animator.step()
      if animator.linearVelocity(of: item).length >= 1 { lastMoving = tick }
      if events.didPause { pausedAt = tick }
    }
    #expect(pausedAt == lastMoving + 30)
    #expect(animator.isPaused && !animator.isRunning)
    let elapsed = animator.elapsedTime
    animator.step(times: 10)
    #expect(animator.elapsedTime == elapsed)
    try animator.setLinearVelocity(Vector2(0, -300), of: item)
    #expect(animator.isRunning)
    #expect(animator.step().willResume)
    #expect(!animator.step().willResume)
    #expect(animator.center(of: item).y < 279)
  }

  @Test("Animator: elapsedTime is the sum of the steps")
  func elapsedTime() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(GravityBehavior(items: [item]))
    animator.step(times: 90)
    #expect(animator.elapsedTime == 1.5)
  }

  @Test("Animator: items(in:) finds simulated items by their bounds")
  func itemsIn() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(100, 100)))
    let b = try animator.addItem(Scenes.square(at: Vector2(400, 100)))
    let c = try animator.addItem(Scenes.square(at: Vector2(120, 100)))
    try animator.add(ItemBehavior(items: [a, b]))
    #expect(animator.items(in: Rect2(x: 0, y: 0, width: 200, height: 200)) == [a])
    #expect(animator.items(in: Rect2(x: 140, y: 140, width: 215, height: 50)) == [a, b])
    #expect(animator.item(at: Vector2(120, 100)) == a)
    #expect(animator.item(at: Vector2(250, 100)) == nil)
    #expect(animator.contains(c))
  }

  @Test("Animator: updateItem(usingCurrentState:) after an outside change")
  func updateItem() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(ItemBehavior(items: [item]))
    try animator.updateItem(
      item,
      usingCurrentState: Item(
        .rectangle(width: 200, height: 50), center: Vector2(10, 20), angle: 0.5, tag: 9))
    #expect(animator.center(of: item) == Vector2(10, 20))
    #expect(isClose(animator.angle(of: item), 0.5, within: 1e-5))
    #expect(animator.tag(of: item) == 9)
    let body = try #require(animator.body(of: item))
    #expect(animator.world.shape(of: body)?.size == Vector2(200, 50))
  }

  @Test("Animator: behaviours in order of addition")
  func order() throws {
    var animator = try Scenes.empty()
    let first = try animator.add(CollisionBehavior())
    let second = try animator.add(GravityBehavior())
    let third = try animator.add(PushBehavior(mode: .continuous))
    #expect(animator.behaviorIDs == [first.id, second.id, third.id])
    try animator.remove(first)
    let fourth = try animator.add(ItemBehavior())
    #expect(animator.behaviorIDs == [second.id, third.id, fourth.id])
    animator.removeAllBehaviors()
    #expect(animator.behaviorIDs.isEmpty)
  }

  @Test func aCopyContinuesOnItsOwn() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(GravityBehavior(items: [item]))
    animator.step(times: 10)
    var copy = animator
    copy.step(times: 10)
    #expect(animator.center(of: item).y < copy.center(of: item).y)
    animator.step(times: 10)
    #expect(animator.state(of: item) == copy.state(of: item))
  }
}
