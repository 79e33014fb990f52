import Dynamics
import Testing

@Suite(.tags(.fact)) struct ItemBehaviorTests {
  /// An item with one item behaviour, which `change` fills.
  private func animator(
    _ change: (inout ItemBehavior) throws -> Void
  ) throws -> (Animator, ItemID, BehaviorHandle<ItemBehavior>) {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var behavior = ItemBehavior(items: [item])
    try change(&behavior)
    let handle = try animator.add(behavior)
    return (animator, item, handle)
  }

  @Test("Item properties: the defaults")
  func defaults() throws {
    let (animator, item, handle) = try animator { _ in }
    let behavior = try animator.behavior(handle)
    #expect(behavior.elasticity == 0)
    #expect(behavior.friction == 0)
    #expect(behavior.density == 1)
    #expect(behavior.resistance == 0)
    #expect(behavior.angularResistance == 0)
    #expect(behavior.charge == 0)
    #expect(!behavior.isAnchored)
    #expect(behavior.allowsRotation)
    #expect(animator.properties(of: item) == ItemProperties())
    #expect(animator.mass(of: item) == 1)
  }

  @Test("Item properties: elasticity is the restitution", arguments: [Float(0), 0.5, 1])
  func elasticity(_ elasticity: Float) throws {
    var animator = try Scenes.empty()
    let ball = try animator.addItem(Scenes.ball(at: Vector2(300, 600)))
    let box = try animator.addItem(Scenes.square(at: Vector2(700, 600)))
    var behavior = ItemBehavior(items: [ball, box])
    behavior.elasticity = elasticity
    try animator.add(behavior)
    var walls = CollisionBehavior(items: [ball, box])
    walls.translatesReferenceBoundsIntoBoundary = true
    try animator.add(walls)
    for item in [ball, box] { try animator.setLinearVelocity(Vector2(0, 900), of: item) }
    animator.step(times: 40)
    #expect(abs(animator.linearVelocity(of: ball).y + 900 * elasticity) < 9)
    #expect(abs(animator.linearVelocity(of: box).y + 900 * elasticity) < 9)
  }

  @Test("Item properties: friction 0 slides, friction µ slows by µ·g, above 1 too")
  func friction() throws {
    for friction in [Float(0), 0.3, 1.25] {
      var animator = try Scenes.empty(width: 4000, height: 1000)
      let item = try animator.addItem(Scenes.square(at: Vector2(200, 950)))
      var behavior = ItemBehavior(items: [item])
      behavior.friction = friction
      behavior.allowsRotation = false
      try animator.add(behavior)
      try animator.add(GravityBehavior(items: [item]))
      var walls = CollisionBehavior(items: [item])
      walls.translatesReferenceBoundsIntoBoundary = true
      try animator.add(walls)
      try animator.setLinearVelocity(Vector2(1600, 0), of: item)
      animator.step(times: 60)
      #expect(isClose(animator.linearVelocity(of: item).x, 1600 - friction * 1000, within: 0.01))
    }
  }

  @Test("Item properties: density makes the mass")
  func density() throws {
    let (animator, item, _) = try animator { $0.density = 2.5 }
    #expect(animator.mass(of: item) == 2.5)
  }

  @Test("Item properties: resistance multiplies v by 1 / (1 + h·r) per sub-step")
  func resistance() throws {
    var (animator, item, _) = try animator { $0.resistance = 3 }
    try animator.setLinearVelocity(Vector2(100, 0), of: item)
    animator.step(times: 60)
    var expected: Float = 100
    for _ in 0..<360 { expected *= 1 / (1 + 3 / 360) }
    #expect(isClose(animator.linearVelocity(of: item).x, expected, within: 0.001))
  }

  @Test("Item properties: angular resistance does the same to the spin")
  func angularResistance() throws {
    var (animator, item, _) = try animator { $0.angularResistance = 2 }
    try animator.setAngularVelocity(5, of: item)
    animator.step(times: 60)
    var expected: Float = 5
    for _ in 0..<360 { expected *= 1 / (1 + 2 / 360) }
    #expect(isClose(animator.angularVelocity(of: item), expected, within: 0.001))
  }

  @Test("Item properties: anchored collides but never moves")
  func anchored() throws {
    var (animator, item, _) = try animator { $0.isAnchored = true }
    let ball = try animator.addItem(Scenes.ball(at: Vector2(500, 200)))
    try animator.add(GravityBehavior(items: [item, ball]))
    try animator.add(CollisionBehavior(items: [item, ball]))
    animator.step(times: 120)
    #expect(animator.center(of: item) == Vector2(500, 500))
    #expect(abs(animator.center(of: ball).y - 430) < 0.5)
  }

  @Test("Item properties: without rotation the inertia is infinite")
  func allowsRotation() throws {
    var (animator, item, _) = try animator { $0.allowsRotation = false }
    var push = PushBehavior(items: [item], mode: .instantaneous)
    push.direction = Vector2(1, 0)
    try push.setTargetOffsetFromCenter(Vector2(0, 50), for: item)
    try animator.add(push)
    animator.step(times: 5)
    #expect(animator.angularVelocity(of: item) == 0)
    #expect(animator.angle(of: item) == 0)
  }

  @Test("Item properties: velocities given before association accumulate and are applied at it")
  func kicks() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var behavior = ItemBehavior(items: [item])
    try behavior.addLinearVelocity(Vector2(10, 0), for: item)
    try behavior.addLinearVelocity(Vector2(20, 5), for: item)
    try behavior.addAngularVelocity(0.25, for: item)
    try behavior.addAngularVelocity(0.5, for: item)
    let handle = try animator.add(behavior)
    #expect(animator.linearVelocity(of: item) == Vector2(30, 5))
    #expect(animator.angularVelocity(of: item) == 0.75)
    try animator.update(handle) { behavior throws(DynamicsError) in
      try behavior.addLinearVelocity(Vector2(1, 1), for: item)
    }
    #expect(animator.linearVelocity(of: item) == Vector2(31, 6))
    try animator.addAngularVelocity(0.25, for: item)
    #expect(animator.angularVelocity(of: item) == 1)
  }

  @Test("Item properties: per property the last behaviour in depth-first order wins")
  func lastWins() throws {
    var (animator, item, first) = try animator {
      $0.elasticity = 0.3
      $0.friction = 0.4
    }
    var later = ItemBehavior(items: [item])
    later.elasticity = 0.7
    later.density = 3
    let second = try animator.add(later)
    #expect(animator.properties(of: item).elasticity == 0.7)
    #expect(animator.properties(of: item).friction == 0.4)
    #expect(animator.properties(of: item).density == 3)
    try animator.update(first) { $0.elasticity = 0.1 }
    #expect(animator.properties(of: item).elasticity == 0.7)
    try animator.remove(second)
    #expect(animator.properties(of: item).elasticity == 0.1)
    #expect(animator.properties(of: item).density == 1)
  }

  @Test("Animator: removing an item behaviour puts the properties back to the defaults")
  func removal() throws {
    var (animator, item, handle) = try animator {
      $0.elasticity = 0.3
      $0.isAnchored = true
    }
    try animator.add(GravityBehavior(items: [item]))
    try animator.remove(handle)
    #expect(animator.properties(of: item) == ItemProperties())
    animator.step(times: 6)
    #expect(isClose(animator.linearVelocity(of: item).y, 100, within: 0.001))
  }
}
