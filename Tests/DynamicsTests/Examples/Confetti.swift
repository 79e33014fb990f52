import Dynamics

/// Confetti without end: in each tick one piece comes and the oldest one goes. Slots are used
/// again, so ten thousand pieces take the memory of those that are there at a time.
struct Confetti {
  var animator: Animator
  private(set) var added = 0
  private let fall: CompositeBehavior.Handle
  private var pieces: [ItemID] = []
  private var oldest = 0

  init(atATime count: Int) throws {
    animator = try Animator(referenceBounds: Rect2(x: 0, y: 0, width: 320, height: 480))
    fall = try animator.add(
      CompositeBehavior {
        GravityBehavior()
        CollisionBehavior(translatesReferenceBoundsIntoBoundary: true)
        ItemBehavior(elasticity: 0.5)
      })
    for _ in 0..<count { pieces.append(try add()) }
  }

  mutating func step() throws {
    try animator.removeItem(pieces[oldest])
    pieces[oldest] = try add()
    oldest = (oldest + 1) % pieces.count
    animator.step()
  }

  private mutating func add() throws -> ItemID {
    let place = Vector2(10 + Float(added % 30) * 10, 10)
    added += 1
    let piece = try animator.addItem(Item(.rectangle(width: 8, height: 8), center: place))
    try animator.addItem(piece, to: fall)
    return piece
  }
}
