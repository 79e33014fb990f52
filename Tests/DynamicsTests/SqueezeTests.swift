import Dynamics
import Testing

/// Two hands press an item between those that they hold, until there is no room for it: they give
/// way, and nothing is shot away.
@Suite(.tags(.fact)) struct SqueezeTests {
  private static let size: Float = 60

  @Test(
    arguments: [
      ItemShape.ellipse(width: size, height: size), .rectangle(width: size, height: size),
    ], [Float(0), 0.35, 0.6])
  func whatIsHeldStaysNearItsHand(shape: ItemShape, nearest: Float) throws {
    var animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 600, height: 600))
    let items = try (0..<3).map { i in
      try animator.addItem(Item(shape, center: Vector2(130 + 90 * Float(i), 570)))
    }
    try animator.add(GravityBehavior(items: items))
    try animator.add(
      CollisionBehavior(items: items, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: items, elasticity: 0.3, friction: 0.2))
    let hands = try [items[0], items[2]].map { item in
      try animator.add(
        AttachmentBehavior(item: item, attachedToAnchor: animator.center(of: item), length: 0))
    }
    let middle = animator.center(of: items[1])
    var (fastest, farthest): (Float, Float) = (0, 0)
    for tick in 0..<600 {
      for (index, hand) in hands.enumerated() {
        let phase = Float((tick + 23 * index) % 60) / 60
        let side: Float = (index == 0 ? -90 : 90) * (nearest + (1 - nearest) * abs(2 * phase - 1))
        let point = middle + Vector2(side, 0)
        try animator.update(hand) { $0.anchorPoint = point }
      }
      animator.step()
      guard tick > 60 else { continue }
      for item in items { fastest = max(fastest, animator.linearVelocity(of: item).length) }
      for (item, hand) in zip([items[0], items[2]], hands) {
        let anchor = try animator.behavior(hand).anchorPoint
        farthest = max(farthest, (animator.center(of: item) - anchor).length)
      }
    }
    // Where both hands meet in the middle, what they hold lies a whole item away from them.
    #expect(farthest < 1.1 * Self.size, "\(farthest)")
    #expect(fastest < 800, "\(fastest)")
  }
}
