import Dynamics

/// Cards that slide in a tray as the device is tilted. What the sensor says is never quite the same
/// twice, so small changes are left out; otherwise nothing would ever come to rest.
struct TiltCards {
  var animator: Animator
  private(set) var cards: [ItemID] = []
  private let gravity: GravityBehavior.Handle

  init(count: Int, tray: Rect2 = Rect2(x: 0, y: 0, width: 320, height: 480)) throws {
    animator = try Animator(referenceBounds: tray)
    for i in 0..<count {
      let row = Vector2(tray.center.x, tray.minY + 60 + Float(i) * 90)
      cards.append(try animator.addItem(Item(.rectangle(width: 60, height: 80), center: row)))
    }
    gravity = try animator.add(GravityBehavior(items: cards, direction: .zero))
    try animator.add(
      CollisionBehavior(items: cards, translatesReferenceBoundsIntoBoundary: true))
    try animator.add(
      ItemBehavior(items: cards, friction: 0.1, resistance: 1, allowsRotation: false))
  }

  /// Takes a sample of the device's attitude, in radians; flat on a table is (0, 0).
  mutating func tilted(pitch: Float, roll: Float) throws {
    let sample = Vector2(roll, pitch)
    let old = try animator.behavior(gravity).direction
    guard (sample - old).length > 0.02 else { return }
    try animator.update(gravity) { $0.direction = sample.length > 0.02 ? sample : .zero }
  }
}
