import Dynamics
import Testing

/// Lists of items that change: on a behaviour's value, through the animator, through composites.
@Suite struct ItemListTests {
  @Test func aValueTakesItemsBeforeItIsAdded() throws {
    var animator = try Scenes.empty()
    let (a, b) = (
      try animator.addItem(Scenes.square()), try animator.addItem(Scenes.square(at: .zero))
    )
    var push = PushBehavior(items: [a], mode: .continuous)
    try push.addItem(b)
    try push.setTargetOffsetFromCenter(Vector2(3, 4), for: b)
    #expect(throws: DynamicsError.duplicateItem(b)) { try push.addItem(b) }
    try push.removeItem(a)
    #expect(throws: DynamicsError.itemNotInBehavior(a)) { try push.removeItem(a) }
    #expect(push.items == [b])
    #expect(try push.targetOffsetFromCenter(for: b) == Vector2(3, 4))
    // What waited for an item goes with it.
    var behavior = ItemBehavior(items: [a, b])
    try behavior.addLinearVelocity(Vector2(5, 0), for: a)
    try behavior.removeItem(a)
    try behavior.addItem(a)
    try animator.add(behavior)
    #expect(animator.linearVelocity(of: a) == .zero)
  }

  @Test func anUpdateMayChangeTheItems() throws {
    var animator = try Scenes.empty()
    let items = try (0..<4).map {
      try animator.addItem(Scenes.square(at: Vector2(200 * Float($0), 0)))
    }
    let gravity = try animator.add(GravityBehavior(items: [items[0], items[1]]))
    var material = ItemBehavior(items: [items[0], items[1]])
    material.density = 3
    let handle = try animator.add(material)
    try animator.update(gravity) { $0 = GravityBehavior(items: [items[2], items[1]]) }
    try animator.update(handle) { $0 = ItemBehavior(items: [items[3]]) }
    #expect(items.map { animator.isSimulated($0) } == [false, true, true, true])
    #expect(animator.properties(of: items[1]) == ItemProperties())
    animator.step(times: 6)
    #expect(animator.linearVelocity(of: items[1]).y > 99)
    #expect(animator.linearVelocity(of: items[2]).y > 99)
    #expect(animator.linearVelocity(of: items[3]) == .zero)
    #expect(try animator.behavior(gravity).items == [items[2], items[1]])
    try animator.remove(gravity)
    try animator.remove(handle)
    #expect(animator.world.bodyCount == 0)
  }

  @Test func anUpdateWithBadItemsChangesNothing() throws {
    var animator = try Scenes.empty()
    let a = try animator.addItem(Scenes.square())
    let b = try animator.addItem(Scenes.square(at: .zero))
    let nobody = ItemID(slot: 900, generation: 3)
    let gravity = try animator.add(GravityBehavior(items: [a]))
    let snap = try animator.add(SnapBehavior(item: a, snapTo: .zero))
    let before = animator.stateHash()
    #expect(throws: DynamicsError.unknownItem(nobody)) {
      try animator.update(gravity) { $0 = GravityBehavior(items: [nobody]) }
    }
    #expect(throws: DynamicsError.duplicateItem(b)) {
      try animator.update(gravity) { $0 = GravityBehavior(items: [b, b]) }
    }
    #expect(throws: DynamicsError.itemsAreFixed(snap.id)) {
      try animator.update(snap) { $0 = SnapBehavior(item: b, snapTo: .zero) }
    }
    #expect(animator.stateHash() == before && !animator.isSimulated(b))
  }

  @Test func anAttachmentMayBecomeAnother() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    try animator.add(GravityBehavior(items: [item]))
    let rod = try animator.add(AttachmentBehavior(item: item, attachedToAnchor: Vector2(500, 300)))
    try animator.update(rod) { $0 = .pin(item: item, attachedToAnchor: Vector2(450, 450)) }
    animator.step(times: 30)
    let state = animator.state(of: item)
    let corner = state.center + Vector2(-50, -50).rotated(by: state.rotation)
    #expect((corner - Vector2(450, 450)).length < 0.5)
    // Without a length, a rod takes the distance there is.
    try animator.update(rod) { $0 = AttachmentBehavior(item: item, attachedToAnchor: .zero) }
    let length = try #require(try animator.behavior(rod).length)
    #expect(isClose(length, animator.center(of: item).length, within: 1e-5))
    try animator.update(rod) { $0.length = nil }
    #expect(try animator.behavior(rod).length == length)
  }

  @Test("Composite: an item enters and leaves all children that have a list of items")
  func compositeLists() throws {
    var animator = try Scenes.empty()
    let item = try animator.addItem(Scenes.square())
    let other = try animator.addItem(Scenes.square(at: .zero))
    let rain = try animator.add(CompositeBehavior())
    #expect(throws: DynamicsError.itemsAreFixed(rain.id)) { try animator.addItem(item, to: rain) }
    let gravity = try animator.addChild(GravityBehavior(), to: rain)
    let inner = try animator.addChild(CompositeBehavior(), to: rain)
    let walls = try animator.addChild(CollisionBehavior(), to: inner)
    try animator.addChild(SnapBehavior(item: other, snapTo: .zero), to: rain)
    try animator.addItem(item, to: rain)
    #expect(try animator.behavior(gravity).items == [item])
    #expect(try animator.behavior(walls).items == [item])
    #expect(throws: DynamicsError.duplicateItem(item)) { try animator.addItem(item, to: rain) }
    try animator.removeItem(item, from: walls)
    try animator.removeItem(item, from: rain)
    #expect(!animator.isSimulated(item))
    #expect(throws: DynamicsError.itemNotInBehavior(item)) {
      try animator.removeItem(item, from: rain)
    }
  }

  @Test func compositesStandInsideEachOtherOnlySoDeep() throws {
    var animator = try Scenes.empty()
    var parent = try animator.add(CompositeBehavior())
    for _ in 1..<32 { parent = try animator.addChild(CompositeBehavior(), to: parent) }
    #expect(throws: DynamicsError.compositesTooDeep(limit: 32)) {
      try animator.addChild(GravityBehavior(), to: parent)
    }
    var nest = CompositeBehavior()
    for _ in 0..<40 { nest = CompositeBehavior(children: [.composite(nest)]) }
    #expect(throws: DynamicsError.compositesTooDeep(limit: 32)) { try animator.add(nest) }
    #expect(animator.behaviorIDs.count == 32)
  }

  @Test func handlesOfAnotherAnimatorAreRefusedWhenTheKindDiffers() throws {
    var here = try Scenes.empty()
    let item = try here.addItem(Scenes.square())
    try here.add(GravityBehavior())
    var there = try Scenes.empty()
    let foreign = try there.add(CompositeBehavior())
    let before = here.stateHash()
    let error = DynamicsError.unknownBehavior(foreign.id)
    #expect(throws: error) { try here.remove(foreign) }
    #expect(throws: error) { try here.behavior(foreign) }
    #expect(throws: error) { try here.children(of: foreign) }
    #expect(throws: error) { try here.addChild(CollisionBehavior(), to: foreign) }
    #expect(throws: error) { try here.addItem(item, to: foreign) }
    #expect(throws: error) { try here.removeItem(item, from: foreign) }
    #expect(throws: error) { try here.update(foreign) { _ in } }
    #expect(here.stateHash() == before)
    let second = try there.add(CollisionBehavior())
    #expect(throws: DynamicsError.unknownBehavior(second.id)) {
      try here.addBoundary(.segment(.zero, Vector2(1, 1)), id: BoundaryID(1), to: second)
    }
  }
}
