import Dynamics
import Physics
import Wire

/// The pit: stickers in a box, under a gravity that everybody tilts. From an article's thirty balls
/// of 40 pt that a phone's attitude rolls about.
struct PitScene: SceneRules {
  private let gravity: GravityBehavior.Handle
  private let collision: CollisionBehavior.Handle
  /// The material of all stickers, or of a set's first kind; the others' follow it.
  private let material: ItemBehavior.Handle
  /// Stickers of the start that found no place yet and rain in.
  private var waiting = 0
  /// Sizes of all that comes in.
  private let sizes: StickerSizes

  /// As in the article.
  private static let elasticity: Float = 0.6
  /// What UIKit's items were measured to have: without friction no ball would ever roll.
  private static let friction: Float = 0.2
  static let angularResistance: Float = 0.1
  /// Beside the largest sticker in the cells in which the first ones start.
  private static let gap: Float = 2
  /// Places that a waiting sticker tries in a tick before it waits for the next.
  private static let tries = 8

  /// A box with `bodies` stickers.
  init(bodies: Int, _ sizes: StickerSizes, _ ground: inout Playground) throws(DynamicsError) {
    self.sizes = sizes
    gravity = try ground.animator.add(GravityBehavior())
    collision = try ground.animator.add(
      CollisionBehavior(translatesReferenceBoundsIntoBoundary: true))
    material = try PitScene.addMaterials(&ground)
    try placeFirstStickers(bodies, &ground)
  }

  mutating func tilt(_ direction: Vector2, _ ground: inout Playground) throws(DynamicsError) {
    try ground.animator.update(gravity) { $0.direction = direction }
  }

  mutating func beforeStep(_ ground: inout Playground) throws(DynamicsError) {
    if waiting > 0 { try rainIn(&ground) }
  }

  mutating func clear(_ ground: inout Playground) throws(DynamicsError) {
    waiting = 0
    try ground.removeAll()
  }

  mutating func drop(
    kind: UInt8, at point: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    guard ground.hasKind(kind) else { return false }
    return try insert(ground.sticker(ofKind: kind, sizes), at: point, .zero, &ground)
  }

  /// The sticker under the finger gets the velocity; where there is none, a new one does.
  mutating func flick(
    at point: Vector2, velocity: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    guard let hit = ground.animator.item(at: point) else {
      return try insert(ground.anySticker(sizes), at: point, velocity, &ground)
    }
    guard ground.holder(of: hit) == nil else { return false }
    try ground.animator.setLinearVelocity(velocity, of: hit)
    return true
  }

  /// Puts a sticker in, at the nearest place inside the box, in an angle that chance chooses. At
  /// the cap the oldest sticker makes room.
  private mutating func insert(
    _ sticker: Sticker, at point: Vector2, _ velocity: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) -> Bool {
    guard try ground.makeRoom() else { return false }
    let angle = ground.chance.nextFloat(-DeterministicMath.pi, DeterministicMath.pi)
    let place = ground.inside(point, margin: sticker.halfSize)
    let id = try ground.add(sticker, at: place, angle: angle)
    try ground.animator.setLinearVelocity(velocity, of: id)
    try enter(id, &ground)
    return true
  }

  private func enter(_ id: ItemID, _ ground: inout Playground) throws(DynamicsError) {
    let kind = ground.stickers == nil ? 0 : ground.sticker(of: id).kind
    try ground.animator.addItem(id, to: material(ofKind: kind, ground.animator) ?? material)
    try ground.animator.addItem(id, to: collision)
    try ground.animator.addItem(id, to: gravity)
  }

  /// Puts the first stickers into cells that chance chooses, spread over the whole pit as if they
  /// had been raining for a while, upright so that none touches another. What finds no cell rains
  /// in.
  private mutating func placeFirstStickers(
    _ wanted: Int, _ ground: inout Playground
  ) throws(DynamicsError) {
    let cell = cell(ground)
    let count = wanted < ground.bodyCap ? wanted : ground.bodyCap
    let columns = Int32(ground.size.x / cell)
    let rows = Int32(ground.size.y / cell)
    var cells: [Int32] = Array(0..<(columns * rows))
    let placed = count < cells.count ? count : cells.count
    for index in 0..<placed {
      let chosen = index + Int(ground.chance.next(below: UInt32(cells.count - index)))
      cells.swapAt(index, chosen)
      let sticker = ground.anySticker(sizes)
      let corner = Vector2(Float(cells[index] % columns), Float(cells[index] / columns))
      try place(sticker, inCell: corner, &ground)
    }
    waiting = count - placed
  }

  private func place(
    _ sticker: Sticker, inCell corner: Vector2, _ ground: inout Playground
  ) throws(DynamicsError) {
    let cell = cell(ground)
    let play = (cell - Float(sticker.size)) * 0.5
    let middle = (corner + Vector2(0.5, 0.5)) * cell
    let shift = Vector2(
      ground.chance.nextFloat(-play, play), ground.chance.nextFloat(-play, play))
    try enter(try ground.add(sticker, at: middle + shift), &ground)
  }

  /// Drops waiting stickers from the top at random x, wherever there is room.
  private mutating func rainIn(_ ground: inout Playground) throws(DynamicsError) {
    for _ in 0..<PitScene.tries where waiting > 0 {
      let margin = cell(ground) * 0.5
      let place = Vector2(ground.chance.nextFloat(margin, ground.size.x - margin), margin)
      guard ground.isFree(around: place, halfSize: margin) else { continue }
      if ground.ages.count < ground.bodyCap {
        _ = try insert(ground.anySticker(sizes), at: place, .zero, &ground)
      }
      waiting -= 1
    }
  }

  /// Edge of the cells in which the first stickers start.
  private func cell(_ ground: Playground) -> Float {
    let largest = ground.stickers?.largestSize(in: sizes) ?? Float(sizes.range.upperBound)
    return largest + PitScene.gap
  }

  /// The box is the page's own edge.
  func draw(into scenery: inout Scenery, _ ground: Playground) {}

  func write<Sink: WordSink>(_ sink: inout Sink) {
    sink.put(gravity.id)
    sink.put(collision.id)
    sink.put(material.id)
    sink.put(UInt32(waiting))
    sink.put(sizes.range.lowerBound | sizes.range.upperBound << 8)
  }

  init(from reader: inout PitReader, _ animator: Animator) throws(PitError) {
    gravity = try reader.handle(in: animator)
    collision = try reader.handle(in: animator)
    material = try reader.handle(in: animator)
    waiting = Int(try reader.word(upTo: UInt32(PitConfiguration.bodyLimit)))
    let word = try reader.word(upTo: UInt32(UInt16.max))
    guard let sizes = StickerSizes(smallest: word & 255, largest: word >> 8) else {
      throw .malformedSnapshot
    }
    self.sizes = sizes
  }
}

/// Materials: one of all stickers, or of a set one a kind, which stand side by side.
extension PitScene {
  /// Adds them, and returns the first.
  private static func addMaterials(
    _ ground: inout Playground
  ) throws(DynamicsError) -> ItemBehavior.Handle {
    guard let stickers = ground.stickers else {
      return try ground.animator.add(
        ItemBehavior(
          elasticity: elasticity, friction: friction, angularResistance: angularResistance))
    }
    let first = try ground.animator.add(stickers.kinds[0].material)
    for place in 1..<stickers.kinds.count {
      let next = try ground.animator.add(stickers.kinds[place].material)
      assert(Int(next.id.slot) == Int(first.id.slot) + place, "a new animator has no gaps")
    }
    return first
  }

  private func material(ofKind kind: UInt8, _ animator: Animator) -> ItemBehavior.Handle? {
    let first = material.id
    let slot = UInt32(first.slot) + UInt32(kind)
    guard slot <= UInt32(UInt16.max) else { return nil }
    return animator.handle(
      BehaviorID(slot: UInt16(slot), generation: first.generation), as: ItemBehavior.self)
  }

  /// Whether every kind has its material.
  func isSound(_ ground: Playground, _ claim: (BehaviorID) -> Void) -> Bool {
    guard let stickers = ground.stickers else { return true }
    return stickers.kinds.indices.allSatisfy {
      material(ofKind: UInt8($0), ground.animator) != nil
    }
  }
}
