import Dynamics

/// A ball that a heavy press squeezes against a boundary. It never goes through a line, however
/// hard it is pressed; but it may roll out past the end of one. So what is to stay inside gets a
/// boundary all round: a closed path, or the reference bounds.
struct Squeezed {
  var animator: Animator
  let ball: ItemID
  let press: ItemID
  private let drive: SnapBehavior.Handle

  static let box = Rect2(x: 100, y: 100, width: 200, height: 300)

  init(ball shape: ItemShape, x: Float, press size: Float, density: Float) throws {
    animator = try Animator(referenceBounds: Self.box)
    let floor = Self.box.maxY
    ball = try animator.addItem(Item(shape, center: Vector2(x, floor - shape.size.y * 0.75)))
    press = try animator.addItem(Item(.circle(diameter: size), center: Vector2(200, 200)))
    try animator.add(GravityBehavior(items: [ball]))
    try animator.add(ItemBehavior(items: [press], density: density))
    var collision = CollisionBehavior(items: [ball, press])
    try collision.addBoundary(.rectangle(Self.box), id: 1)
    try animator.add(collision)
    drive = try animator.add(SnapBehavior(item: press, snapTo: Vector2(200, 200)))
  }

  /// Sends the press to a place, which may lie on the ball or beyond the floor.
  mutating func press(towards place: Vector2) throws {
    try animator.update(drive) { $0.snapPoint = place }
  }
}
