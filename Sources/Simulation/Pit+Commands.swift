import Dynamics
import Physics

extension Pit {
  /// The fastest throw in pt/s: what the physics stops at a wall without tunnelling.
  static let fastestThrow: Float = 10_000
  /// Steps of a command's point in a point.
  static let pointUnit: Float = 8

  /// Carries a command out, or returns false if it asks for what there isn't.
  mutating func carryOut(_ command: Command) -> Bool {
    switch command {
    case .drop(let kind, let x, let y):
      guard UInt32(kind) < Sticker.kinds else { return false }
      let sticker = Sticker(kind: kind, from: &chance)
      return insert(sticker, at: Pit.point(x: x, y: y), velocity: .zero)
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      let velocity = Pit.shortened(Vector2(Float(velocityX), Float(velocityY)))
      return throwSticker(at: Pit.point(x: x, y: y), velocity: velocity)
    }
  }

  private mutating func throwSticker(at point: Vector2, velocity: Vector2) -> Bool {
    if let hit = playground.item(at: point) {
      playground.setVelocity(velocity, of: hit)
      return true
    }
    return insert(Sticker(from: &chance), at: point, velocity: velocity)
  }

  /// Puts a sticker in, at the nearest place inside the box, in an angle that chance chooses. At
  /// the cap the oldest sticker makes room.
  mutating func insert(_ sticker: Sticker, at point: Vector2, velocity: Vector2) -> Bool {
    while ages.count >= bodyCap { removeOldest() }
    let angle = chance.nextFloat(-DeterministicMath.pi, DeterministicMath.pi)
    let place = inside(point, margin: sticker.halfSize)
    guard let id = playground.add(sticker, at: place, angle: angle, velocity: velocity) else {
      return false
    }
    ages.append(id)
    return true
  }

  private mutating func removeOldest() {
    playground.remove(ages.removeFirst())
  }

  /// The point, or the nearest one that is `margin` away from every wall.
  func inside(_ point: Vector2, margin: Float) -> Vector2 {
    Vector2(
      Pit.clamp(point.x, margin, worldSize.x - margin),
      Pit.clamp(point.y, margin, worldSize.y - margin))
  }

  private static func clamp(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value < low ? low : value > high ? high : value
  }

  private static func point(x: Int16, y: Int16) -> Vector2 {
    Vector2(Float(x), Float(y)) / pointUnit
  }

  private static func shortened(_ velocity: Vector2) -> Vector2 {
    let speed = velocity.length
    return speed > fastestThrow ? velocity * (fastestThrow / speed) : velocity
  }
}
