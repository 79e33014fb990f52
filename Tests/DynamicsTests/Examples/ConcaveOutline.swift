import Dynamics

/// A cup that catches a ball. An item's outline is convex, so a concave one is made of convex parts
/// that are welded together where they touch. One collision behaviour has them all: so the parts
/// stand on each other, and the welds have little to carry.
struct ConcaveOutline {
  var animator: Animator
  /// Floor, left wall, right wall.
  let parts: [ItemID]
  let ball: ItemID

  init() throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 400, height: 600))
    let frames = [
      Rect2(x: 140, y: 480, width: 120, height: 20),
      Rect2(x: 140, y: 380, width: 20, height: 100),
      Rect2(x: 240, y: 380, width: 20, height: 100),
    ]
    parts = try animator.addItems(frames.map { Item(frame: $0) })
    ball = try animator.addItem(Item(.circle(diameter: 40), center: Vector2(205, 100)))
    try animator.add(
      CollisionBehavior(items: parts + [ball], translatesReferenceBoundsIntoBoundary: true))
    try animator.add(
      AttachmentBehavior.fixed(
        item: parts[1], attachedTo: parts[0], attachmentAnchor: Vector2(150, 480)))
    try animator.add(
      AttachmentBehavior.fixed(
        item: parts[2], attachedTo: parts[0], attachmentAnchor: Vector2(250, 480)))
    try animator.add(GravityBehavior(items: parts + [ball]))
    try animator.add(ItemBehavior(items: parts + [ball], friction: 0.5))
  }

  /// A boundary, unlike an item, may be concave: a landscape with a valley in it.
  static let valley = BoundaryPath.path(
    [
      Vector2(0, 300), Vector2(120, 300), Vector2(160, 500), Vector2(240, 500),
      Vector2(280, 300), Vector2(400, 300),
    ], closed: false)
}
