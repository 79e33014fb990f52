import Dynamics
import Physics
import Wire

/// What a scene decides: its items, its behaviours, and what commands do to them. The scenes in the
/// folder `Scenes` use Dynamics' public calls only, so each can be read as an example.
///
/// Every method may throw what the animator throws; with the pit's checked arguments it never does.
protocol SceneRules: Sendable {
  /// Whether sides keep the items in, so that a finger must leave room beside them.
  var hasWalls: Bool { get }
  /// The people's tilt, in scenes that tilt, and straight down at the start; 1 is 1000 pt/s².
  mutating func tilt(_ direction: Vector2, _ ground: inout Playground) throws(DynamicsError)
  /// The rules' turn before each step.
  mutating func beforeStep(_ ground: inout Playground) throws(DynamicsError)
  /// The rules' turn after each step, with the step's events in the animator.
  mutating func afterStep(_ ground: inout Playground) throws(DynamicsError)
  /// A new sticker at a point. Returns whether there is one.
  mutating func drop(
    kind: UInt8, at point: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool
  /// A flick at a point. Returns whether it moved something.
  mutating func flick(
    at point: Vector2, velocity: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool
  /// A keyword that stands for stickers of a kind. Returns whether it means something here.
  mutating func hear(
    keyword: UInt8, from person: UInt16, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool
  /// Somebody takes an item over, by hand or for a flight: what the scene does with it must end.
  mutating func giveUp(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError)
  /// A flight begins, after `giveUp`.
  mutating func takeOff(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError)
  /// Ties an item to the finger that took hold of it.
  mutating func tie(
    _ id: ItemID, to point: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> AttachmentBehavior.Handle
  /// The hand opened, after its tie was removed; no velocity when its person left.
  mutating func letGo(
    _ id: ItemID, velocity: Vector2?, _ ground: inout Playground
  ) throws(DynamicsError)
  /// A flight is over.
  mutating func landed(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError)
  /// The host wants every sticker gone; not called where `Pit.lendsStickers` says no.
  mutating func clear(_ ground: inout Playground) throws(DynamicsError)
  /// What is drawn besides the items.
  func draw(into scenery: inout Scenery, _ ground: Playground) throws(DynamicsError)
  /// All that the scene keeps.
  func write<Sink: WordSink>(_ sink: inout Sink)
  /// The scene as `write` described it, beside its animator.
  init(from reader: inout PitReader, _ animator: Animator) throws(PitError)
  /// Whether what was read from a snapshot fits the ground, so that the scene never asks it for
  /// what can't be. Claims the attachments and snaps that it will remove.
  func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool
}

/// What most scenes do.
extension SceneRules {
  var hasWalls: Bool { true }

  mutating func tilt(_ direction: Vector2, _ ground: inout Playground) throws(DynamicsError) {}

  mutating func beforeStep(_ ground: inout Playground) throws(DynamicsError) {}

  mutating func afterStep(_ ground: inout Playground) throws(DynamicsError) {
    try ground.bringBackStrays()
  }

  mutating func clear(_ ground: inout Playground) throws(DynamicsError) {
    try ground.removeAll()
  }

  mutating func drop(
    kind: UInt8, at point: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool { false }

  /// The sticker under the finger gets the finger's velocity.
  mutating func flick(
    at point: Vector2, velocity: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    guard let id = ground.animator.item(at: point), ground.holder(of: id) == nil else {
      return false
    }
    try ground.animator.setLinearVelocity(velocity, of: id)
    return true
  }

  mutating func hear(
    keyword: UInt8, from person: UInt16, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool { false }

  mutating func giveUp(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {}

  mutating func takeOff(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {}

  /// A rigid attachment of no length: the touched point is where the finger is.
  mutating func tie(
    _ id: ItemID, to point: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> AttachmentBehavior.Handle {
    try ground.animator.add(
      AttachmentBehavior(
        item: id, offsetFromCenter: ground.touched(id, at: point), attachedToAnchor: point,
        length: 0))
  }

  /// The sticker leaves with the finger's velocity.
  mutating func letGo(
    _ id: ItemID, velocity: Vector2?, _ ground: inout Playground
  ) throws(DynamicsError) {
    if let velocity { try ground.animator.setLinearVelocity(velocity, of: id) }
  }

  mutating func landed(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {}

  func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool { true }
}

/// Helpers for what scenes draw.
extension Scenery {
  /// 1/8 pt.
  static func fixed(_ value: Float) -> Int16 { Int16(clamping: Fixed.nearest(value * 8)) }

  /// A segment from `a` to `b`.
  mutating func draw(_ id: UInt8, from a: Vector2, to b: Vector2) {
    boundaries.append(
      SceneryBoundary(
        id: id, ax: Scenery.fixed(a.x), ay: Scenery.fixed(a.y), bx: Scenery.fixed(b.x),
        by: Scenery.fixed(b.y)))
  }

  /// The four sides of the world: top, right, bottom, left.
  mutating func drawBounds(_ size: Vector2) {
    let corners = [.zero, Vector2(size.x, 0), size, Vector2(0, size.y)]
    for side in 0..<4 {
      draw(Scenery.topSide + UInt8(side), from: corners[side], to: corners[(side + 1) & 3])
    }
  }

  /// The id of the world's top side; right, bottom and left follow.
  static let topSide: UInt8 = 240

  /// An attachment between an anchor and a point of an item.
  mutating func draw(_ attachment: AttachmentBehavior) {
    guard let item = attachment.items.first else { return }
    rods.append(
      SceneryRod(
        slot: item.slot, x: Scenery.fixed(attachment.anchorPoint.x),
        y: Scenery.fixed(attachment.anchorPoint.y), attachX: Scenery.fixed(attachment.offset.x),
        attachY: Scenery.fixed(attachment.offset.y)))
  }
}
