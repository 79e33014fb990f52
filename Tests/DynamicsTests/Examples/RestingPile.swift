import Dynamics

/// A pile of blocks that comes to rest, so that the animator pauses and a display has nothing to
/// draw. What keeps an animator awake is something that changes in each tick: so this one is told
/// about its gravity in each tick, as programs do, and only real changes count.
struct RestingPile {
  private(set) var animator: Animator
  private(set) var blocks: [ItemID] = []
  private let gravity: GravityBehavior.Handle

  init(count: Int) throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 480))
    for i in 0..<count {
      let place = Vector2(40 + Float(i % 6) * 47, 40 + Float(i / 6) * 60)
      blocks.append(try animator.addItem(Item(.rectangle(width: 40, height: 40), center: place)))
    }
    gravity = try animator.add(GravityBehavior(items: blocks))
    try animator.add(
      CollisionBehavior(items: blocks, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: blocks, elasticity: 0.3, friction: 0.4))
  }

  /// Steps under a gravity that the caller reads anew each time. Returns whether there is something
  /// to draw.
  mutating func step(gravity direction: Vector2) throws -> Bool {
    // An update that changes nothing does not wake the animator; `setCenter` and
    // `setLinearVelocity` always do.
    try animator.update(gravity) { $0.direction = direction }
    guard animator.isRunning else { return false }
    animator.step()
    return true
  }

  /// The speed of the fastest block, in pt/s.
  var speed: Float { blocks.map { animator.linearVelocity(of: $0).length }.max() ?? 0 }
}
