import Dynamics
import Testing

@Suite(.tags(.fact)) struct GroupTests {
  @Test("Group: several items moved as one body")
  func oneBody() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(400, 300)))
    let b = try animator.addItem(
      Item(.rectangle(width: 100, height: 100), center: Vector2(500, 300), tag: 4))
    let group = try animator.addGroup([a, b])
    #expect(animator.members(of: group) == [a, b])
    #expect(animator.group(of: a) == group)
    #expect(animator.center(of: group) == Vector2(450, 300))
    #expect(animator.mass(of: group) == 2)
    var behavior = ItemBehavior(items: [group])
    behavior.density = 3
    try behavior.addAngularVelocity(2, for: group)
    try animator.add(behavior)
    try animator.add(GravityBehavior(items: [group]))
    #expect(animator.mass(of: group) == 6)
    #expect(animator.world.bodyCount == 1)
    for _ in 0..<60 {
      animator.step()
      let (one, two) = (animator.state(of: a), animator.state(of: b))
      let apart = (two.center - one.center).unrotated(by: one.rotation)
      #expect((apart - Vector2(100, 0)).length < 0.001)
      #expect(one.rotation == two.rotation)
      // The outer member is 50 pt from the centre: it goes round with ω·r.
      let v = two.velocity - animator.linearVelocity(of: group)
      #expect(isClose(v.length, 100, within: 0.001))
    }
    #expect(isClose(animator.angle(of: a), 2, within: 0.001))
  }

  @Test("Group: collides with the outline of its members")
  func outline() throws {
    for shape in [ItemShape.rectangle(width: 40, height: 40), .ellipse(width: 40, height: 40)] {
      var animator = try Scenes.empty(width: 600, height: 400)
      let items = try [Vector2(200, 100), Vector2(240, 100), Vector2(240, 140)].map {
        try animator.addItem(Item(shape, center: $0))
      }
      let group = try animator.addGroup(items)
      try animator.add(GravityBehavior(items: [group]))
      var walls = CollisionBehavior(items: [group])
      walls.translatesReferenceBoundsIntoBoundary = true
      try animator.add(walls)
      var calm = ItemBehavior(items: [group])
      calm.friction = 0.5
      calm.angularResistance = 1
      try animator.add(calm)
      animator.step(times: 400)
      // Members touch the floor and none is in it.
      let lowest = items.map { animator.center(of: $0).y }.max() ?? 0
      #expect(lowest > 370 && lowest < 381)
    }
  }

  @Test("Group: a removed group lets its members go with their motion")
  func freed() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square(at: Vector2(400, 300)))
    let b = try animator.addItem(Scenes.square(at: Vector2(500, 300)))
    let group = try animator.addGroup([a, b])
    try animator.add(ItemBehavior(items: [group]))
    try animator.setLinearVelocity(Vector2(30, 0), of: group)
    try animator.setAngularVelocity(1, of: group)
    animator.step(times: 10)
    let before = animator.state(of: b)
    try animator.removeItem(group)
    #expect(animator.group(of: b) == nil)
    try animator.add(GravityBehavior(items: [b]))
    #expect(animator.state(of: b).center == before.center)
    #expect((animator.linearVelocity(of: b) - before.velocity).length < 0.001)
  }

  @Test func misuseIsRefused() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square())
    let b = try animator.addItem(Scenes.square(at: .zero))
    #expect(throws: DynamicsError.groupUnusable) { try animator.addGroup([]) }
    #expect(throws: DynamicsError.duplicateItem(a)) { try animator.addGroup([a, a]) }
    let gravity = try animator.add(GravityBehavior(items: [a]))
    #expect(throws: DynamicsError.groupUnusable) { try animator.addGroup([a, b]) }
    try animator.remove(gravity)
    let group = try animator.addGroup([a, b])
    #expect(throws: DynamicsError.itemInGroup(a)) {
      try animator.add(GravityBehavior(items: [a]))
    }
    #expect(throws: DynamicsError.itemInGroup(a)) { try animator.setCenter(.zero, of: a) }
    #expect(throws: DynamicsError.itemInGroup(a)) { try animator.removeItem(a) }
    #expect(throws: DynamicsError.itemInGroup(a)) { try animator.addGroup([a]) }
    #expect(throws: DynamicsError.groupUnusable) { try animator.addGroup([group]) }
  }
}
