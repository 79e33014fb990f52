import Physics

/// The physical side of the pit: a box with stickers in it. The pit's rules go through here.
struct Playground: Sendable {
  private(set) var world: PhysicsWorld
  let size: Vector2

  /// A box of `size` in points that holds up to `capacity` stickers.
  init(size: Vector2, capacity: Int) throws(PitError) {
    self.size = size
    var configuration = WorldConfiguration.default
    configuration.capacity = capacity
    do throws(PhysicsError) {
      world = try PhysicsWorld(configuration)
      let box = Rectangle(x: 0, y: 0, width: size.x, height: size.y)
      try world.addBoundary(.bounds(box), id: Playground.box)
    } catch {
      throw .physics(error)
    }
  }

  private static let box = BoundaryID(0)
  /// As in the article that the scene comes from.
  private static let elasticity: Float = 0.6
  /// What UIKit's items were measured to have: without friction no ball would ever roll.
  private static let friction: Float = 0.2
  private static let angularResistance: Float = 0.1

  /// Gravity in pt/s².
  var gravity: Vector2 {
    get { world.gravity }
    set { world.gravity = newValue }
  }

  /// Puts a sticker in. Returns nil if there is no room for another body.
  mutating func add(
    _ sticker: Sticker, at position: Vector2, angle: Float, velocity: Vector2
  ) -> BodyID? {
    do throws(PhysicsError) {
      var definition = BodyDefinition(
        shape: try sticker.shape(), position: position, angle: angle)
      definition.velocity = velocity
      definition.properties.restitution = Playground.elasticity
      definition.properties.friction = Playground.friction
      definition.properties.angularDamping = Playground.angularResistance
      definition.properties.userData = sticker.userData
      return try world.addBody(definition)
    } catch {
      return nil
    }
  }

  /// Takes a sticker out, if it is there.
  mutating func remove(_ id: BodyID) {
    do throws(PhysicsError) { try world.removeBody(id) } catch {}
  }

  /// The sticker whose form covers a point; the topmost of several.
  func body(at point: Vector2) -> BodyID? { world.body(at: point) }

  /// Whether no sticker's bounding box meets the square of `halfSize` about a point.
  func isFree(around point: Vector2, halfSize: Float, scratch: inout [BodyID]) -> Bool {
    let square = Rectangle(
      x: point.x - halfSize, y: point.y - halfSize, width: 2 * halfSize, height: 2 * halfSize)
    world.bodies(in: square, into: &scratch)
    return scratch.isEmpty
  }

  mutating func setVelocity(_ velocity: Vector2, of id: BodyID) {
    world.setVelocity(velocity, of: id)
  }

  mutating func setPosition(_ position: Vector2, of id: BodyID) {
    world.setPosition(position, of: id)
  }

  /// What the body is.
  func sticker(of id: BodyID) -> Sticker { Sticker(userData: world.properties(of: id).userData) }

  /// One tick of 1/60 s.
  mutating func step() { world.step() }
}
