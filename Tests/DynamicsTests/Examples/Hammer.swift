import Dynamics

/// A hammer, whose head and handle are one thing: a group is one body with the outlines of its
/// members, which stay items to draw. It hangs on a nail at the end of its handle.
struct Hammer {
  private(set) var animator: Animator
  let head: ItemID
  let handle: ItemID
  let hammer: ItemID

  init() throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 400))
    handle = try animator.addItem(
      Item(.rectangle(width: 120, height: 12), center: Vector2(200, 100)))
    head = try animator.addItem(Item(.rectangle(width: 24, height: 60), center: Vector2(272, 100)))
    hammer = try animator.addGroup([handle, head])
    try animator.add(GravityBehavior(items: [hammer]))
    try animator.add(ItemBehavior(items: [hammer], resistance: 1, angularResistance: 1))
    try animator.add(.pin(item: hammer, attachedToAnchor: Vector2(145, 100)))
  }

  mutating func step() { animator.step() }
}
