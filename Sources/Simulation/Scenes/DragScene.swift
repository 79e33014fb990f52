import Dynamics
import Physics
import Wire

/// Squares that hang on rods: take one and its rod's anchor follows the finger while gravity acts;
/// let go and the rod is gone. Gravity stays straight down, however people tilt.
///
/// From UIKit's attachment example: 320×568 pt, squares of 100 pt, the rod at (−25, −25) of the
/// square's centre and its first anchor 100 pt above it. Ours: several squares, one holder each.
struct DragScene: SceneRules {
  /// A rod that nobody holds.
  private struct Rod: Sendable {
    let item: ItemID
    let tie: AttachmentBehavior.Handle
  }

  private var rods: [Rod] = []

  /// The world's size in points.
  static let size = Vector2(320, 568)
  /// Most squares: three rows of two.
  static let mostSquares = 6
  /// Where the rod holds a square, from its centre in its own frame.
  static let offset = Vector2(-25, -25)
  /// The first anchor, from the square's centre.
  static let anchorOffset = Vector2(0, -100)
  /// The rod's length in points: from (−25, −25) to (0, −100).
  static let length: Float = 79.0569415

  /// `bodies` squares that hang.
  init(bodies: Int, _ ground: inout Playground) throws(DynamicsError) {
    var squares: [ItemID] = []
    for index in 0..<bodies {
      let place = Vector2(index & 1 == 0 ? 90 : 230, 160 + 130 * Float(index / 2))
      squares.append(try ground.add(.square, at: place))
    }
    try ground.animator.add(GravityBehavior(items: squares))
    try ground.animator.add(
      CollisionBehavior(items: squares, translatesReferenceBoundsIntoBoundary: true))
    for square in squares {
      rods.append(Rod(item: square, tie: try hang(square, &ground)))
    }
    assert(rods.count <= DragScene.mostSquares)
  }

  private func hang(
    _ square: ItemID, _ ground: inout Playground
  ) throws(DynamicsError) -> AttachmentBehavior.Handle {
    try ground.animator.add(
      AttachmentBehavior(
        item: square, offsetFromCenter: DragScene.offset,
        attachedToAnchor: ground.animator.center(of: square) + DragScene.anchorOffset,
        length: DragScene.length))
  }

  /// The hand takes the rod that is there, or a new one. The first move brings the anchor to the
  /// finger.
  mutating func tie(
    _ id: ItemID, to point: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> AttachmentBehavior.Handle {
    guard let index = rods.firstIndex(where: { $0.item == id }) else {
      return try hang(id, &ground)
    }
    return rods.remove(at: index).tie
  }

  /// The square goes on as it moved: the hand held its rod, not the square.
  mutating func letGo(
    _ id: ItemID, velocity: Vector2?, _ ground: inout Playground
  ) throws(DynamicsError) {}

  /// A flight takes the square off its rod.
  mutating func takeOff(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {
    guard let index = rods.firstIndex(where: { $0.item == id }) else { return }
    try ground.animator.remove(rods.remove(at: index).tie)
  }

  func draw(into scenery: inout Scenery, _ ground: Playground) throws(DynamicsError) {
    scenery.drawBounds(ground.size)
    for slot in 0..<ground.animator.itemSlotCount {
      guard let id = ground.animator.itemID(atSlot: slot) else { continue }
      if let rod = rods.first(where: { $0.item == id }) {
        scenery.draw(try ground.animator.behavior(rod.tie))
      } else if let grip = ground.grips.first(where: { $0.item == id }) {
        scenery.draw(try ground.animator.behavior(grip.tie))
      }
    }
  }

  mutating func assign(_ other: DragScene) { rods.assign(other.rods) }

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(UInt32(rods.count))
    for rod in rods {
      sink.put(rod.item)
      sink.put(rod.tie.id)
    }
  }

  init(from reader: inout PitReader, _ animator: Animator) throws(PitError) {
    for _ in 0..<(try reader.word(upTo: UInt32(DragScene.mostSquares))) {
      let item = try reader.item(in: animator)
      rods.append(Rod(item: item, tie: try reader.handle(in: animator)))
    }
  }

  func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool {
    for rod in rods {
      guard ground.isOnly(rod.item, in: rod.tie.id) else { return false }
      claim(rod.tie.id)
    }
    return true
  }
}
