import Dynamics

/// Tiles in a grid that the screen's rotation lays out anew while they still swing. Bounds, sizes
/// and snap points change in one tick; places and motions go on, so nothing jumps.
struct Relayout {
  var animator: Animator
  private(set) var tiles: [ItemID] = []
  private var snaps: [SnapBehavior.Handle] = []

  init(count: Int, screen: Rect2) throws {
    animator = try Animator(referenceBounds: screen)
    for i in 0..<count {
      let frame = Self.frame(i, screen)
      let tile = try animator.addItem(Item(frame: frame))
      tiles.append(tile)
      snaps.append(try animator.add(SnapBehavior(item: tile, snapTo: frame.center)))
    }
  }

  /// Three columns upright, six lying.
  static func frame(_ i: Int, _ screen: Rect2) -> Rect2 {
    let columns = screen.width > screen.height ? 6 : 3
    let side = screen.width / Float(columns)
    return Rect2(
      x: Float(i % columns) * side, y: Float(i / columns) * side, width: side, height: side
    ).inset(by: 4)
  }

  mutating func layOut(_ screen: Rect2) throws {
    try animator.setReferenceBounds(screen)
    for (i, tile) in tiles.enumerated() {
      let frame = Self.frame(i, screen)
      let now = animator.state(of: tile)
      let shape = ItemShape.rectangle(width: frame.width, height: frame.height)
      try animator.updateItem(
        tile, usingCurrentState: Item(shape, center: now.center, angle: now.angle))
      try animator.update(snaps[i]) { $0.snapPoint = frame.center }
    }
  }

  /// A shake, to have something to lay out while it moves.
  mutating func shake(_ velocity: Vector2) throws {
    for tile in tiles { try animator.addLinearVelocity(velocity, for: tile) }
  }
}
