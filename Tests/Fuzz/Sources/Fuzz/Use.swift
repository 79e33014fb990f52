import Dynamics
import Physics

/// What a program does with a world or an animator that it restored: it adds, changes and removes
/// what it may, steps, saves, and restores what it saved. Calls may be refused, as a restored world
/// may be full; a trap is a finding, and so is a state that was saved and can't be restored.
enum Use {
  /// Ticks between the changes.
  private static let ticks = 4
  /// Bodies, items, boundaries or behaviours that are taken out or changed at most: an input has
  /// thousands of free slots at most, and runs take a second then.
  private static let most = 8

  static func use(_ world: inout PhysicsWorld) {
    for _ in 0..<ticks { world.step() }
    let ids = (0..<world.slotCount).compactMap { world.bodyID(atSlot: $0) }.prefix(most)
    add(to: &world, near: ids)
    for _ in 0..<ticks { world.step() }
    if let id = ids.first {
      try? world.setPosition(Vector2(40, 30), of: id)
      try? world.setRotation(Rotation(angle: 2), of: id)
      try? world.setVelocity(Vector2(-300, 20), of: id)
      try? world.applyForce(Vector2(100, 100), to: id)
      try? world.setShape(.circle(radius: 9), of: id)
      var properties = world.properties(of: id)!
      properties.kind = properties.kind == .anchored ? .dynamic : .anchored
      try? world.setProperties(properties, of: id)
    }
    world.gravity = Vector2(0, 500)
    checkSaving(world)
    for _ in 0..<ticks { world.step() }
    for id in ids { try? world.removeBody(id) }
    for number in Int32(0)..<4 { try? world.removeBoundary(id: BoundaryID(number)) }
    world.step()
    world.dropCaches()
    checkSaving(world)
    world.step()
  }

  private static func add(to world: inout PhysicsWorld, near ids: ArraySlice<BodyID>) {
    try? world.addBoundary(.segment(Vector2(0, 90), Vector2(200, 120)), id: BoundaryID(3))
    guard let box = try? BodyShape.box(width: 20, height: 10),
      let body = try? world.addBody(BodyDefinition(shape: box, position: Vector2(60, 60)))
    else { return }
    for id in ids.prefix(2) {
      _ = try? world.addJoint(
        JointDefinition(.rope(length: nil), a: body, b: id, anchorB: .zero))
      _ = try? world.addJoint(
        JointDefinition(.weld(angle: nil, frequency: 4), a: id, b: body, anchorB: .zero))
    }
  }

  private static func checkSaving(_ world: PhysicsWorld) {
    var bytes: [UInt8] = []
    world.save(into: &bytes)
    guard let again = try? PhysicsWorld.restore(from: bytes) else {
      fatalError("a world was saved that can't be restored")
    }
    precondition(again.stateHash() == world.stateHash(), "another world was restored")
  }

  static func use(_ animator: inout Animator) {
    for _ in 0..<ticks { animator.step() }
    let ids = (0..<animator.itemSlotCount).compactMap { animator.itemID(atSlot: $0) }.prefix(most)
    change(&animator, ids)
    checkSaving(animator)
    for _ in 0..<ticks { animator.step() }
    // Everybody out of everything, and in again.
    for behavior in animator.behaviorIDs.suffix(most) { try? animator.removeBehavior(behavior) }
    checkSaving(animator)
    for id in ids { _ = try? animator.add(GravityBehavior(items: [id])) }
    _ = try? animator.add(ItemBehavior(items: Array(ids), density: 2))
    animator.step()
    for id in ids.dropFirst(2) { try? animator.removeItem(id) }
    checkSaving(animator)
    for id in ids { _ = try? animator.add(ItemBehavior(items: [id], friction: 0.1)) }
    for _ in 0..<ticks { animator.step() }
    animator.dropCaches()
    animator.removeAllBehaviors()
    animator.step()
    checkSaving(animator)
  }

  private static func change(_ animator: inout Animator, _ ids: ArraySlice<ItemID>) {
    let fresh = try? animator.addItem(
      Item(.rectangle(width: 20, height: 30), center: Vector2(80, 40), angle: 1))
    for behavior in animator.behaviorIDs.prefix(most) {
      if let collision = animator.handle(behavior, as: CollisionBehavior.self) {
        let numbers = (try? animator.behavior(collision).boundaryIdentifiers) ?? []
        for number in numbers.prefix(2) {
          try? animator.removeBoundary(id: number, from: collision)
        }
        try? animator.addBoundary(
          .path([Vector2(0, 99), Vector2(90, 120), Vector2(200, 90)], closed: true),
          id: BoundaryID(77), to: collision)
        if let fresh { try? animator.addItem(fresh, to: collision) }
      }
      if let gravity = animator.handle(behavior, as: GravityBehavior.self), let fresh {
        try? animator.addItem(fresh, to: gravity)
      }
      if let tie = animator.handle(behavior, as: AttachmentBehavior.self) {
        try? animator.update(tie) { $0.anchorPoint = Vector2(50, 50) }
      }
    }
    if let fresh, let first = ids.first {
      _ = try? animator.add(
        AttachmentBehavior.pin(
          item: fresh, attachedTo: first, attachmentAnchor: Vector2(80, 40),
          attachmentRange: -1...1))
    }
    for id in ids {
      try? animator.setAngle(0.5, of: id)
      try? animator.addLinearVelocity(Vector2(10, 0), for: id)
    }
    if let last = ids.last { try? animator.setCenter(Vector2(30, 30), of: last) }
    try? animator.setReferenceBounds(Rect2(x: 0, y: 0, width: 300, height: 250))
  }

  private static func checkSaving(_ animator: Animator) {
    var bytes: [UInt8] = []
    animator.save(into: &bytes)
    guard let again = try? Animator.restore(from: bytes) else {
      fatalError("an animator was saved that can't be restored")
    }
    precondition(again.stateHash() == animator.stateHash(), "another animator was restored")
  }
}
