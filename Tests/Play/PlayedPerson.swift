import Simulation
import Wire

/// Somebody who plays, within all limits of a legal client and as wildly as those allow.
struct PlayedPerson {
  let person: UInt16
  /// How often this one takes hold of something, once in so many ticks: people differ.
  private let eagerness: Int
  private var hands: [PlayedHand] = []
  private var sequence: UInt32 = 0

  /// As many as the pit lets a person hold: `Grip.mostOfPerson`.
  private static let mostHands = 3

  init(person: UInt16, _ chance: inout PlayChance) {
    self.person = person
    eagerness = chance.from(4...60)
  }

  /// What this one does in a tick.
  mutating func act(
    in world: PlayedWorld, tick: UInt32, _ chance: inout PlayChance
  ) -> [Command] {
    var commands = moveHands(world, tick, &chance)
    if hands.count < PlayedPerson.mostHands, !world.bodies.isEmpty,
      chance.happens(onceIn: eagerness)
    {
      commands.append(grab(world, tick, &chance))
    }
    if chance.happens(onceIn: 40) { commands.append(something(world, &chance)) }
    return commands
  }

  /// Goes away: nobody holds anything any more.
  mutating func leave() -> Command {
    hands.removeAll()
    return .leave
  }

  /// Numbers commands as the server does.
  mutating func stamped(_ command: Command) -> StampedCommand {
    sequence += 1
    return StampedCommand(person: person, sequence: sequence, command: command)
  }

  private mutating func moveHands(
    _ world: PlayedWorld, _ tick: UInt32, _ chance: inout PlayChance
  ) -> [Command] {
    var commands: [Command] = []
    for hand in hands {
      if hand.ends == tick {
        commands.append(end(hand, world, &chance))
      } else if let (x, y) = hand.place(at: tick) {
        commands.append(.move(slot: hand.slot, x: Int16(clamping: x), y: Int16(clamping: y)))
      }
    }
    hands.removeAll { $0.ends == tick }
    return commands
  }

  /// Lets go: at rest, with a flick, or to somewhere.
  private func end(
    _ hand: PlayedHand, _ world: PlayedWorld, _ chance: inout PlayChance
  ) -> Command {
    if chance.happens(onceIn: 4), let body = world.body(inSlot: hand.slot) {
      let point = world.point(&chance)
      return .snap(slot: hand.slot, generation: body.generation, x: point.x, y: point.y)
    }
    let velocity = PlayedPerson.velocity(&chance)
    return .release(slot: hand.slot, velocityX: velocity.x, velocityY: velocity.y)
  }

  private mutating func grab(
    _ world: PlayedWorld, _ tick: UInt32, _ chance: inout PlayChance
  ) -> Command {
    let body = world.bodies[chance.below(world.bodies.count)]
    let steps = world.stepsPerPoint
    let point = PlayedHand.touch(body, stepsPerPoint: steps, &chance)
    hands.append(
      PlayedHand(on: body, at: point, tick: tick, stepsPerPoint: steps, &chance))
    return .grab(
      slot: body.slot, generation: body.generation, x: Int16(clamping: point.x),
      y: Int16(clamping: point.y))
  }

  /// Something that needs no hand.
  private func something(_ world: PlayedWorld, _ chance: inout PlayChance) -> Command {
    let point = world.point(&chance)
    switch chance.below(8) {
    case 0, 1: return .drop(kind: UInt8(chance.below(16)), x: point.x, y: point.y)
    // Snow and cake: what the keywords of the rain stand for.
    case 2, 3: return .say(keyword: UInt8(chance.from(18...19)))
    case 4 where !world.bodies.isEmpty:
      let body = world.bodies[chance.below(world.bodies.count)]
      return .snap(slot: body.slot, generation: body.generation, x: point.x, y: point.y)
    default:
      let velocity = PlayedPerson.velocity(&chance)
      return .throwSticker(
        x: point.x, y: point.y, velocityX: velocity.x, velocityY: velocity.y)
    }
  }

  /// None, a flick, or the fastest throw that a pit knows, in pt/s.
  private static func velocity(_ chance: inout PlayChance) -> (x: Int16, y: Int16) {
    let most = [0, 1500, 10_000][chance.below(3)]
    return (Int16(chance.from(-most...most)), Int16(chance.from(-most...most)))
  }
}

/// What people see of the world when they act.
struct PlayedWorld {
  var bodies: [StreamBody] = []
  /// Size in points, and the steps of commands in one.
  let width: Int
  let height: Int
  let stepsPerPoint: Int

  func body(inSlot slot: UInt16) -> StreamBody? { bodies.first { $0.slot == slot } }

  /// A point of the world, or a little outside.
  func point(_ chance: inout PlayChance) -> (x: Int16, y: Int16) {
    (
      Int16(clamping: chance.from(-20...width + 20) * stepsPerPoint),
      Int16(clamping: chance.from(-20...height + 20) * stepsPerPoint)
    )
  }
}
