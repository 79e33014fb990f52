import Dynamics
import Physics

/// The physical side of the pit, in UIKit Dynamics' words: stickers as items under one gravity, one
/// collision behaviour with the reference bounds, and one item behaviour with their material.
struct Playground: Sendable {
  private(set) var animator: Animator
  private let gravityHandle: BehaviorHandle<GravityBehavior>
  private let collisionHandle: BehaviorHandle<CollisionBehavior>
  private let materialHandle: BehaviorHandle<ItemBehavior>
  private var found: [ItemID] = []
  private var scratch: [BodyID] = []

  /// As in the article that the scene comes from.
  private static let elasticity: Float = 0.6
  /// What UIKit's items were measured to have: without friction no ball would ever roll.
  private static let friction: Float = 0.2
  private static let angularResistance: Float = 0.1

  /// A box of `size` in points that holds up to `capacity` stickers.
  init(size: Vector2, capacity: Int) throws(PitError) {
    var configuration = WorldConfiguration.default
    configuration.capacity = capacity
    var collision = CollisionBehavior()
    collision.translatesReferenceBoundsIntoBoundary = true
    var material = ItemBehavior()
    material.elasticity = Playground.elasticity
    material.friction = Playground.friction
    material.angularResistance = Playground.angularResistance
    do throws(DynamicsError) {
      animator = try Animator(
        referenceBounds: Rectangle(x: 0, y: 0, width: size.x, height: size.y),
        configuration: configuration)
      gravityHandle = try animator.add(GravityBehavior())
      collisionHandle = try animator.add(collision)
      materialHandle = try animator.add(material)
    } catch {
      throw .dynamics(error)
    }
  }

  /// Stickers in the box.
  var count: Int { animator.itemCount }

  /// Turns gravity; 1 is 1000 pt/s².
  mutating func setGravity(_ direction: Vector2) {
    attempt { (playground) throws(DynamicsError) in
      try playground.animator.update(playground.gravityHandle) { gravity in
        gravity.direction = direction
      }
    }
  }

  /// Puts a sticker in. Returns nil if there is no room for another one.
  mutating func add(
    _ sticker: Sticker, at center: Vector2, angle: Float, velocity: Vector2
  ) -> ItemID? {
    do throws(DynamicsError) {
      let id = try animator.addItem(
        Item(sticker.itemShape, center: center, angle: angle, tag: sticker.tag))
      try animator.setLinearVelocity(velocity, of: id)
      try animator.addItem(id, to: materialHandle)
      try animator.addItem(id, to: collisionHandle)
      try animator.addItem(id, to: gravityHandle)
      return id
    } catch {
      return nil
    }
  }

  /// Takes a sticker out.
  mutating func remove(_ id: ItemID) {
    attempt { (playground) throws(DynamicsError) in try playground.animator.removeItem(id) }
  }

  /// The sticker whose form covers a point; the topmost of several.
  func item(at point: Vector2) -> ItemID? { animator.item(at: point) }

  /// Whether no sticker's bounding box meets the square of `halfSize` about a point.
  mutating func isFree(around point: Vector2, halfSize: Float) -> Bool {
    let square = Rectangle(
      x: point.x - halfSize, y: point.y - halfSize, width: 2 * halfSize, height: 2 * halfSize)
    animator.items(in: square, into: &found, scratch: &scratch)
    return found.isEmpty
  }

  mutating func setVelocity(_ velocity: Vector2, of id: ItemID) {
    attempt { (playground) throws(DynamicsError) in
      try playground.animator.setLinearVelocity(velocity, of: id)
    }
  }

  mutating func setCenter(_ center: Vector2, of id: ItemID) {
    attempt { (playground) throws(DynamicsError) in
      try playground.animator.setCenter(center, of: id)
    }
  }

  /// What the item is.
  func sticker(of id: ItemID) -> Sticker { Sticker(tag: animator.tag(of: id)) }

  /// One tick of 1/60 s.
  mutating func step() { animator.step() }

  /// Does what can only fail for an item that doesn't exist or a number that isn't finite, and the
  /// pit hands over neither.
  private mutating func attempt(_ change: (inout Playground) throws(DynamicsError) -> Void) {
    do throws(DynamicsError) { try change(&self) } catch {
      assertionFailure("the pit asked for something that can't be")
    }
  }
}
