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

  private static let room = Rect2(x: 0, y: 0, width: 320, height: 568)

  /// A block that may not turn, on a spring that wants its centre at a point.
  private func addHand(
    _ animator: inout Animator, frame: Rect2, wants anchor: Vector2, frequency: Float,
    damping: Float
  ) throws -> ItemID {
    let hand = try animator.addItem(Item(frame: frame))
    try animator.add(ItemBehavior(items: [hand], allowsRotation: false))
    try animator.add(
      AttachmentBehavior(
        item: hand, attachedToAnchor: anchor, length: 0, frequency: frequency, damping: damping))
    return hand
  }

  /// It crept along the wall, faster and faster, and was shot away after some ten seconds.
  @Test(arguments: [(Float(1), Float(1)), (4, 1), (4, 0), (8, 0.2), (30, 1)], [Float(0.1), 0.8])
  func whatASpringPressesOnAWallRests(spring: (frequency: Float, damping: Float), friction: Float)
    throws
  {
    var animator = try Animator(referenceBounds: Self.room)
    let square = try animator.addItem(Item(frame: Rect2(x: 270, y: 215, width: 50, height: 50)))
    let hand = try addHand(
      &animator, frame: Rect2(x: 220, y: 200, width: 50, height: 80), wants: Vector2(285, 240),
      frequency: spring.frequency, damping: spring.damping)
    try animator.add(
      CollisionBehavior(items: [square, hand], translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: [square, hand], friction: friction))
    let ticks = ticksUntilPause(&animator)
    #expect(ticks < 60, "\(ticks)")
    #expect(abs(animator.center(of: square).y - 240) < 0.01)
    #expect(abs(animator.center(of: hand).y - 240) < 0.01)
  }

  /// Friction of two springs' hands holds what they carry.
  @Test func twoSpringsCarryWhatLiesBetweenTheirHands() throws {
    var animator = try Animator(referenceBounds: Self.room)
    let square = try animator.addItem(Item(frame: Rect2(x: 135, y: 215, width: 50, height: 50)))
    let left = try addHand(
      &animator, frame: Rect2(x: 85, y: 200, width: 50, height: 80), wants: Vector2(150, 240),
      frequency: 4, damping: 1)
    let right = try addHand(
      &animator, frame: Rect2(x: 185, y: 200, width: 50, height: 80), wants: Vector2(170, 240),
      frequency: 4, damping: 1)
    let items = [left, square, right]
    try animator.add(CollisionBehavior(items: items))
    try animator.add(GravityBehavior(items: [square]))
    try animator.add(ItemBehavior(items: items, friction: 0.5))
    #expect(ticksUntilPause(&animator) < 120)
    #expect(abs(animator.center(of: square).y - 240) < 1)
    let (a, b) = (animator.center(of: left), animator.center(of: right))
    #expect(abs(a.x + b.x - 320) < 0.01, "neither hand gives way more than the other: \(a) \(b)")
  }

  private func ticksUntilPause(_ animator: inout Animator) -> Int {
    for tick in 0..<900 where animator.step().didPause { return tick }
    return .max
  }
}
