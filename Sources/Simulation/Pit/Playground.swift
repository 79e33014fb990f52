import Dynamics
import Physics
import Wire

/// The ground on which a scene plays: an animator in UIKit Dynamics' words, the stickers by age,
/// the seeded chance, who holds what, and what happened in this tick.
///
/// A scene adds its behaviours to the animator and changes them by their handles; everything that
/// scenes have in common is here.
struct Playground: Sendable {
  var animator: Animator
  /// Size of the world in points; origin top left, y down.
  var size: Vector2
  /// Most stickers at a time.
  var bodyCap: Int
  var chance: RandomGenerator
  /// What the stickers are, where a set says so; nil for our own.
  var stickers: StickerSet?
  /// What the chance of commands is made of.
  var seed: UInt64
  /// Ticks so far, the low 32 bits.
  var tick: UInt32 = 0
  /// The stickers by age, the oldest first.
  var ages: [ItemID] = []
  /// Who holds what, in ascending order of the stickers' slots.
  var grips: [Grip] = []
  /// Stickers that fly to a point, in order of their take-off.
  var flights: [Flight] = []
  /// What happened in this tick.
  var events: [PitEvent] = []
  private var found: [ItemID] = []
  private var scratch: [BodyID] = []
  /// Marks for checks while a snapshot is read.
  var marks: [Bool] = []

  /// A ground of `size` in points that holds up to `bodyCap` stickers.
  init(size: Vector2, bodyCap: Int, seed: UInt64) throws(PitError) {
    var configuration = WorldConfiguration.default
    configuration.capacity = bodyCap
    do throws(DynamicsError) {
      animator = try Animator(
        referenceBounds: Rect2(x: 0, y: 0, width: size.x, height: size.y),
        configuration: configuration)
    } catch {
      throw .dynamics(error)
    }
    assert(size.x > 0 && size.y > 0 && bodyCap > 0)
    self.size = size
    self.bodyCap = bodyCap
    chance = RandomGenerator(seed: seed)
    self.seed = seed
  }

  /// The chance of a command. Drawn once to get away from that of the command before: seeds that
  /// differ by one give numbers that have nothing to do with each other.
  func chance(of stamped: StampedCommand) -> RandomGenerator {
    let name = UInt64(stamped.person) << 32 | UInt64(stamped.sequence)
    var drawn = RandomGenerator(seed: seed ^ name)
    return RandomGenerator(seed: drawn.next())
  }

  /// Stickers on the ground.
  var count: Int { animator.itemCount }

  /// Contacts that the last tick solved.
  var contactCount: Int { animator.world.contactCount }

  /// In how many parts the last tick was solved.
  var partsSolved: Int { animator.world.partsSolved }

  /// What the item is.
  func sticker(of id: ItemID) -> Sticker { Sticker(tag: animator.tag(of: id)) }

  /// The item that a message names; nil when there is none, or another one by now.
  func item(slot: UInt16, generation: UInt16) -> ItemID? {
    let id = ItemID(slot: slot, generation: generation)
    return animator.contains(id) ? id : nil
  }

  /// Puts a sticker in. It stands still until the scene adds it to a behaviour. The cap must not be
  /// reached.
  mutating func add(
    _ sticker: Sticker, at center: Vector2, angle: Float = 0
  ) throws(DynamicsError) -> ItemID {
    assert(ages.count < bodyCap, "whoever adds makes room first")
    let id = try animator.addItem(
      Item(itemShape(of: sticker), center: center, angle: angle, tag: sticker.tag))
    ages.append(id)
    assert(ages.count == animator.itemCount, "every item has its age")
    return id
  }

  /// Takes a sticker out, out of hands too.
  mutating func remove(_ id: ItemID) throws(DynamicsError) {
    assert(animator.contains(id))
    grips.removeAll { $0.item == id }
    flights.removeAll { $0.item == id }
    ages.removeAll { $0 == id }
    try animator.removeItem(id)
    assert(ages.count == animator.itemCount)
  }

  /// Makes room for one more at the cap: the oldest sticker goes that nobody holds. Returns whether
  /// there is room.
  mutating func makeRoom() throws(DynamicsError) -> Bool {
    while ages.count >= bodyCap {
      guard let oldest = ages.first(where: { holder(of: $0) == nil }) else { return false }
      try remove(oldest)
    }
    assert(ages.count < bodyCap)
    return true
  }

  /// The point, or the nearest one that is `margin` away from every side.
  func inside(_ point: Vector2, margin: Float) -> Vector2 {
    Vector2(
      Playground.clamp(point.x, margin, size.x - margin),
      Playground.clamp(point.y, margin, size.y - margin))
  }

  /// Whether a point is in the world, its edges included.
  func contains(_ point: Vector2) -> Bool {
    point.x >= 0 && point.x <= size.x && point.y >= 0 && point.y <= size.y
  }

  static func clamp(_ value: Float, _ low: Float, _ high: Float) -> Float {
    assert(low <= high, "a margin is at most half of the world")
    return value < low ? low : value > high ? high : value
  }

  /// Whether no sticker's bounding box meets the square of `halfSize` about a point.
  mutating func isFree(around point: Vector2, halfSize: Float) -> Bool {
    assert(halfSize >= 0)
    let square = Rect2(
      x: point.x - halfSize, y: point.y - halfSize, width: 2 * halfSize, height: 2 * halfSize)
    animator.items(in: square, into: &found, scratch: &scratch)
    return found.isEmpty
  }

  /// Puts stickers that left the box, by however strange a way, back to its nearest place, at rest.
  /// Whatever happens in the physics, nobody's sticker is lost.
  mutating func bringBackStrays() throws(DynamicsError) {
    let box = Rect2(x: 0, y: 0, width: size.x, height: size.y)
    var next = 0
    // The animator goes through them: a thousand questions from here took twice as long.
    while let place = animator.firstStray(of: ages, from: next, outside: box) {
      let id = ages[place]
      let margin = sticker(of: id).halfSize
      try animator.setCenter(inside(animator.center(of: id), margin: margin), of: id)
      try animator.setLinearVelocity(.zero, of: id)
      next = place + 1
    }
  }
}
