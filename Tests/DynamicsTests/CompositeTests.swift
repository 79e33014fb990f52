import Dynamics
import Testing

@Suite(.tags(.fact)) struct CompositeTests {
  @Test("Composite: a behaviour made of child behaviours, which go with it")
  func children() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    var bouncy = ItemBehavior(items: [item])
    bouncy.elasticity = 0.5
    var fall = CompositeBehavior()
    fall.addChild(GravityBehavior(items: [item]))
    fall.addChild(bouncy)
    let handle = try animator.add(fall)
    let children = try animator.children(of: handle)
    #expect(children.count == 2)
    #expect(try animator.behavior(handle) == fall)
    let gravity = try #require(animator.handle(children[0], as: GravityBehavior.self))
    try animator.update(gravity) { $0.magnitude = 2 }
    animator.step(times: 6)
    #expect(isClose(animator.linearVelocity(of: item).y, 200, within: 0.001))
    #expect(animator.properties(of: item).elasticity == 0.5)
    try animator.remove(handle)
    #expect(animator.behaviorIDs.isEmpty)
    #expect(!animator.isSimulated(item))
  }

  @Test("Composite: depth-first order decides which item behaviour wins")
  func depthFirst() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    func elastic(_ value: Float) -> ItemBehavior {
      var behavior = ItemBehavior(items: [item])
      behavior.elasticity = value
      return behavior
    }
    let composite = try animator.add(CompositeBehavior(children: [.item(elastic(0.1))]))
    let last = try animator.add(elastic(0.2))
    #expect(animator.properties(of: item).elasticity == 0.2)
    // A child added later comes before what follows its parent.
    let inner = try animator.addChild(CompositeBehavior(), to: composite)
    let deep = try animator.addChild(elastic(0.3), to: inner)
    #expect(animator.properties(of: item).elasticity == 0.2)
    #expect(animator.behaviorIDs.last == last.id)
    #expect(try animator.children(of: inner) == [deep.id])
    try animator.remove(last)
    #expect(animator.properties(of: item).elasticity == 0.3)
  }

  @Test("Composite: a refused child takes all of it back")
  func refused() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    let gravity = try animator.add(GravityBehavior())
    let composite = CompositeBehavior(
      children: [
        .collision(CollisionBehavior(items: [item])), .gravity(GravityBehavior(items: [item])),
      ])
    #expect(throws: DynamicsError.secondGravity(gravity.id)) { try animator.add(composite) }
    #expect(animator.behaviorIDs == [gravity.id])
    #expect(!animator.isSimulated(item))
  }

  @Test("Composite: a per-step action runs after the step, with its events")
  func action() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(GravityBehavior(items: [item]))
    var heights: [Float] = []
    for _ in 0..<10 {
      animator.step { animator, _ in
        heights.append(animator.center(of: item).y)
        if heights.count == 5 { try? animator.setLinearVelocity(.zero, of: item) }
      }
    }
    #expect(heights.count == 10)
    #expect(heights.last == animator.center(of: item).y)
    #expect(animator.linearVelocity(of: item).y < 90)
  }
}
