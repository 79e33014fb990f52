import Dynamics
import Physics
import Wire

extension Pit {
  /// The fastest throw in pt/s: what the physics stops at a wall without tunnelling.
  static let fastestThrow: Float = 10_000

  /// Carries a command out, or returns false if it asks for what there isn't or what another
  /// person has.
  ///
  /// What a command leaves to chance follows from the pit's seed, the person and the command's
  /// number. So a page that foretells its own command foretells the same, and one that is refused
  /// changes nobody else's chance.
  mutating func carryOut(_ stamped: StampedCommand) -> Bool {
    if host.isFrozen, !stamped.command.opensHands { return false }
    let worldsChance = playground.chance
    defer { playground.chance = worldsChance }
    playground.chance = playground.chance(of: stamped)
    return carryOut(stamped.command, of: stamped.person)
  }

  private mutating func carryOut(_ command: Command, of person: UInt16) -> Bool {
    switch command {
    case .drop(let kind, let x, let y):
      return take(.drop(kind: kind, point(x: x, y: y)))
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      let velocity = Pit.velocity(x: velocityX, y: velocityY)
      return take(.flick(point(x: x, y: y), velocity: velocity))
    case .grab(let slot, let generation, let x, let y):
      return grab(slot, generation, at: point(x: x, y: y), by: person)
    case .move(let slot, let x, let y):
      return move(slot, to: point(x: x, y: y), by: person)
    case .release(let slot, let velocityX, let velocityY):
      return release(slot, velocity: Pit.velocity(x: velocityX, y: velocityY), by: person)
    case .snap(let slot, let generation, let x, let y):
      return snap(slot, generation, to: point(x: x, y: y), by: person)
    case .say(let keyword):
      return take(.hear(keyword: keyword, person: person))
    case .leave:
      return leave(person)
    }
  }

  private func point(x: Int16, y: Int16) -> Vector2 {
    Vector2(Float(x), Float(y)) / Float(pointScale.stepsPerPoint)
  }

  /// The unit of commands' points: the world's size decides.
  public var pointScale: PointScale {
    PointScale(
      worldWidth: Fixed.nearest(worldSize.x), worldHeight: Fixed.nearest(worldSize.y))
  }

  private static func velocity(x: Int16, y: Int16) -> Vector2 {
    let velocity = Vector2(Float(x), Float(y))
    let speed = velocity.length
    assert(speed.isFinite)
    return speed > fastestThrow ? velocity * (fastestThrow / speed) : velocity
  }
}

extension Command {
  /// Whether it does nothing but open hands: whoever leaves a frozen world holds nothing any more.
  fileprivate var opensHands: Bool {
    switch self {
    case .release, .leave: true
    case .drop, .throwSticker, .grab, .move, .snap, .say: false
    }
  }
}
