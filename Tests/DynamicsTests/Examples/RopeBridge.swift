import Dynamics

/// A bridge of planks between two cliffs, each pinned to the next, over which something may walk: a
/// chain is a list of items with an attachment from each to the next.
struct RopeBridge {
  private(set) var animator: Animator
  let planks: [ItemID]
  let walker: ItemID
  private let walk: PushBehavior.Handle

  init(planks count: Int) throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 400))
    let width = 300 / Float(count)
    var planks: [ItemID] = []
    for i in 0..<count {
      let center = Vector2(50 + (Float(i) + 0.5) * width, 200)
      planks.append(try animator.addItem(Item(.rectangle(width: width, height: 8), center: center)))
    }
    self.planks = planks
    walker = try animator.addItem(Item(.circle(diameter: 30), center: Vector2(25, 180)))

    try animator.add(.pin(item: planks[0], attachedToAnchor: Vector2(50, 200)))
    for i in 1..<count {
      let joint = Vector2(50 + Float(i) * width, 200)
      try animator.add(
        .pin(item: planks[i - 1], attachedTo: planks[i], attachmentAnchor: joint))
    }
    try animator.add(.pin(item: planks[count - 1], attachedToAnchor: Vector2(350, 200)))

    // The planks meet the walker, not each other.
    for plank in planks {
      try animator.add(CollisionBehavior(items: [plank, walker]))
    }
    var cliffs = CollisionBehavior(items: [walker])
    try cliffs.addBoundary(from: Vector2(0, 196), to: Vector2(50, 196), id: 1)
    try cliffs.addBoundary(from: Vector2(350, 196), to: Vector2(400, 196), id: 2)
    try animator.add(cliffs)
    try animator.add(GravityBehavior(items: planks + [walker]))
    try animator.add(ItemBehavior(items: planks + [walker], friction: 0.5, angularResistance: 1))
    walk = try animator.add(
      PushBehavior(items: [walker], mode: .continuous, direction: Vector2(0.02, 0)))
  }

  mutating func rest() throws {
    try animator.update(walk) { $0.isActive = false }
  }

  mutating func step() { animator.step() }
}
