import Dynamics

/// A ball, a paddle and a wall of bricks. The ball keeps its speed for ever: elasticity 1, no
/// friction, no resistance, no rotation.
struct BrickGame {
  private(set) var animator: Animator
  let ball: ItemID
  let paddle: ItemID
  private(set) var bricks: [ItemID] = []
  private(set) var isLost = false

  private static let court = Rect2(x: 0, y: 0, width: 320, height: 480)
  private static let drain: BoundaryID = 1

  init(columns: Int = 8, rows: Int = 4) throws {
    animator = try Animator(referenceBounds: Self.court)
    ball = try animator.addItem(Item(.circle(diameter: 12), center: Vector2(160, 400)))
    paddle = try animator.addItem(
      Item(.rectangle(width: 72, height: 12), center: Vector2(160, 440)))
    let width = Self.court.width / Float(columns)
    for i in 0..<columns * rows {
      let (column, row) = (Float(i % columns), Float(i / columns))
      let frame = Rect2(
        x: column * width + 1, y: 40 + row * 20, width: width - 2, height: 18)
      bricks.append(try animator.addItem(Item(frame: frame)))
    }
    let all = [ball, paddle] + bricks
    var collision = CollisionBehavior(items: all, translatesReferenceBoundsIntoBoundary: true)
    try collision.addBoundary(from: Vector2(0, 470), to: Vector2(320, 470), id: Self.drain)
    try animator.add(collision)
    try animator.add(ItemBehavior(items: all, elasticity: 1))
    try animator.add(ItemBehavior(items: [paddle] + bricks, isAnchored: true))
    try animator.add(ItemBehavior(items: [ball], allowsRotation: false))
    try animator.setLinearVelocity(Vector2(130, -300), of: ball)
  }

  mutating func movePaddle(to x: Float) throws {
    try animator.setCenter(Vector2(min(max(x, 36), 284), 440), of: paddle)
  }

  /// Steps, takes away the bricks that were hit, and returns how many those were.
  mutating func step() throws -> Int {
    let events = animator.step()
    let before = bricks.count
    for event in events.began where event.involves(ball) {
      if event.other == .boundary(Self.drain) { isLost = true }
      for item in [event.item, event.other.item] {
        guard let item, let place = bricks.firstIndex(of: item) else { continue }
        bricks.remove(at: place)
        try animator.removeItem(item)
      }
    }
    return before - bricks.count
  }
}

extension CollisionPartner {
  /// The item, unless it is a boundary.
  fileprivate var item: ItemID? {
    if case .item(let item) = self { item } else { nil }
  }
}
