import Dynamics

/// Confetti that falls through the bottom of the screen. Nothing stops it there, and an item that
/// falls for ever keeps its animator awake for ever: whoever has left is told of and taken out.
struct FallenOff {
  private(set) var animator: Animator
  private(set) var pieces: [ItemID] = []
  private let gravity: GravityBehavior.Handle

  init(screen: Rect2 = Rect2(x: 0, y: 0, width: 320, height: 480)) throws {
    animator = try Animator(referenceBounds: screen)
    gravity = try animator.add(GravityBehavior())
  }

  mutating func drop(at place: Vector2) throws {
    let piece = try animator.addItem(Item(.rectangle(width: 10, height: 10), center: place))
    try animator.addItem(piece, to: gravity)
    pieces.append(piece)
  }

  /// Steps, and returns the pieces that have left the screen and are no more.
  mutating func step() throws -> [ItemID] {
    animator.step()
    let seen = Set(animator.items(in: animator.referenceBounds))
    let gone = pieces.filter { !seen.contains($0) }
    for piece in gone { try animator.removeItem(piece) }
    pieces.removeAll { !seen.contains($0) }
    return gone
  }
}
