import Dynamics

/// Bubbles that burst when they meet, from within the action of the very step in which they do: the
/// action has the animator to change, and the events that it goes through are a value of their own.
struct RemovalInAction {
  private(set) var animator: Animator
  private(set) var bursts = 0

  init(count: Int) throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 320))
    var bubbles: [ItemID] = []
    for i in 0..<count {
      let place = Vector2(20 + Float(i % 8) * 40, 20 + Float(i / 8) * 40)
      bubbles.append(try animator.addItem(Item(.circle(diameter: 24), center: place)))
    }
    try animator.add(
      CollisionBehavior(items: bubbles, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: bubbles, elasticity: 1))
    for (i, bubble) in bubbles.enumerated() {
      try animator.setLinearVelocity(
        Vector2(angle: Float(i) * 2.4, length: 150), of: bubble)
    }
  }

  mutating func step() throws {
    var burst = 0
    try animator.step { animator, events in
      for event in events.began {
        guard case .item(let other) = event.other else { continue }
        // An earlier event may have taken one of the two away.
        for bubble in [event.item, other] where animator.contains(bubble) {
          try animator.removeItem(bubble)
          burst += 1
        }
      }
    }
    bursts += burst
  }
}
