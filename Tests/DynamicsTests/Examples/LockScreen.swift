import Dynamics

/// A lock screen that hops when it is tapped, falls back and bounces; dragged above the middle and
/// let go, it falls upwards and is open.
struct LockScreen {
  var animator: Animator
  let panel: ItemID
  let size: Vector2
  private let gravity: GravityBehavior.Handle
  private let tap: PushBehavior.Handle
  private(set) var isOpen = false

  init(size: Vector2 = Vector2(320, 568)) throws {
    self.size = size
    animator = try Animator(
      referenceBounds: Rect2(x: 0, y: -size.y, width: size.x, height: 2 * size.y))
    panel = try animator.addItem(
      Item(frame: Rect2(x: 0, y: 0, width: size.x, height: size.y)))
    gravity = try animator.add(GravityBehavior(items: [panel], magnitude: 2))
    try animator.add(
      CollisionBehavior(items: [panel], translatesReferenceBoundsIntoBoundary: true))
    try animator.add(ItemBehavior(items: [panel], elasticity: 0.5, allowsRotation: false))
    var push = PushBehavior(items: [panel], mode: .instantaneous)
    push.isActive = false
    tap = try animator.add(push)
  }

  /// Throws the panel up at 600 pt/s. A push of 1 changes 100 pt/s of mass 1.
  mutating func tapped() throws {
    guard !isOpen else { return }
    let strength = animator.mass(of: panel) * 600 / 100
    try animator.update(tap) {
      $0.direction = Vector2(0, -strength)
      $0.isActive = true
    }
  }

  /// Lets go of the panel after it was dragged to `bottom`, the y of its lower edge.
  mutating func released(bottom: Float) throws {
    try animator.setCenter(Vector2(size.x / 2, bottom - size.y / 2), of: panel)
    isOpen = bottom < size.y / 2
    let down = isOpen ? Vector2(0, -2) : Vector2(0, 2)
    try animator.update(gravity) { $0.direction = down }
  }

  /// The y of the panel's lower edge, in points.
  var bottom: Float { animator.center(of: panel).y + size.y / 2 }
}
