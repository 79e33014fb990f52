import Dynamics
import Testing

@Suite(.tags(.fact)) struct PushTests {
  @Test("Units: a force of magnitude 1.0 accelerates a 100×100 item by 100 pt/s²")
  func continuous() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var push = PushBehavior(items: [item], mode: .continuous)
    push.direction = Vector2(1, 0)
    let handle = try animator.add(push)
    animator.step(times: 60)
    #expect(isClose(animator.linearVelocity(of: item).x, 100, within: 0.001))
    try animator.update(handle) { $0.isActive = false }
    animator.step(times: 60)
    #expect(isClose(animator.linearVelocity(of: item).x, 100, within: 0.001))
  }

  @Test("Units: an instantaneous push of 1.0 adds 100 pt/s at once, then active is false")
  func instantaneous() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var push = PushBehavior(items: [item], mode: .instantaneous)
    push.setAngle(.pi / 2, magnitude: 1)
    let handle = try animator.add(push)
    animator.step()
    #expect(isClose(animator.linearVelocity(of: item).y, 100, within: 0.0001))
    #expect(try !animator.behavior(handle).isActive)
    animator.step(times: 10)
    #expect(isClose(animator.linearVelocity(of: item).y, 100, within: 0.0001))
    try animator.update(handle) { $0.isActive = true }
    animator.step()
    #expect(isClose(animator.linearVelocity(of: item).y, 200, within: 0.0001))
  }

  @Test("Units: 0.3 on a 200×50 item of density 2 adds 15 pt/s")
  func oblong() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(
      Item(.rectangle(width: 200, height: 50), center: Vector2(500, 500)))
    var properties = ItemBehavior(items: [item])
    properties.density = 2
    try animator.add(properties)
    #expect(animator.mass(of: item) == 2)
    var push = PushBehavior(items: [item], mode: .instantaneous)
    push.direction = Vector2(0.3, 0)
    try animator.add(push)
    animator.step()
    #expect(isClose(animator.linearVelocity(of: item).x, 15, within: 0.0001))
  }

  @Test("Push: a negative magnitude reverses")
  func negative() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var push = PushBehavior(items: [item], mode: .instantaneous)
    push.setAngle(0, magnitude: -0.5)
    #expect(push.direction == Vector2(-0.5, 0))
    try animator.add(push)
    animator.step()
    #expect(isClose(animator.linearVelocity(of: item).x, -50, within: 0.0001))
  }

  @Test("Push: continuous (1, 0) at offset (0, 50) changes ω by −0.05 rad/s each 1/60 s")
  func offset() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var push = PushBehavior(items: [item], mode: .continuous)
    push.direction = Vector2(1, 0)
    try push.setTargetOffsetFromCenter(Vector2(0, 50), for: item)
    #expect(try push.targetOffsetFromCenter(for: item) == Vector2(0, 50))
    try animator.add(push)
    animator.step()
    #expect(isClose(animator.angularVelocity(of: item), -0.05, within: 0.001))
    animator.step()
    #expect(isClose(animator.angularVelocity(of: item), -0.1, within: 0.001))
  }

  @Test("Seed scene toss: magnitude speed/35 on the card of mass 4.3688 adds 0.654 × speed")
  func toss() throws {
    var animator = try Scenes.empty()
    let card = try animator.addItem(
      Item(.rectangle(width: 254, height: 172), center: Vector2(160, 223)))
    var push = PushBehavior(items: [card], mode: .instantaneous)
    push.direction = Vector2(1500, 0) / 35
    try animator.add(push)
    #expect(isClose(animator.mass(of: card), 4.3688, within: 1e-5))
    animator.step()
    #expect(isClose(animator.linearVelocity(of: card).x, 0.654 * 1500, within: 0.001))
  }
}
