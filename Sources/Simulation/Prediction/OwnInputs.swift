import Physics
import Wire

/// What this person did and the log has not shown yet: commands with the tick that each is meant
/// for, and the tilts of the last two seconds.
struct OwnInputs: Sendable {
  private struct Aimed {
    var tick: UInt32
    var command: StampedCommand
  }

  private struct Tilt {
    var tick: UInt32
    var vector: Vector2
  }

  /// The person's number.
  let person: UInt16
  /// The number of its last command.
  private(set) var sequence: UInt32
  private var commands: [Aimed] = []
  private var tilts: [Tilt] = []

  /// More than a person may send in two seconds, after which none is waited for.
  private static let mostCommands = 512
  /// Two seconds' worth of samples: older ones count nothing.
  private static let mostTilts = 160
  /// Ticks after which the server has forgotten a command that the log did not show.
  private static let longestWait = 120

  init(person: UInt16, commandsBefore: UInt32) {
    self.person = person
    sequence = commandsBefore
  }

  /// Counts a command that nobody can foretell.
  mutating func skip() {
    sequence = sequence.nextCommand
  }

  /// Notes a command of this person; the oldest gives way to one too many.
  mutating func add(_ command: Command, for tick: UInt32) {
    skip()
    assert(commands.last.map { $0.command.sequence.ticks(since: sequence) < 0 } ?? true)
    if commands.count == Self.mostCommands { commands.removeFirst() }
    commands.append(
      Aimed(
        tick: tick,
        command: StampedCommand(person: person, sequence: sequence, command: command)))
  }

  mutating func addTilt(x: Int16, y: Int16, for tick: UInt32) {
    if tilts.count == Self.mostTilts { tilts.removeFirst() }
    tilts.append(Tilt(tick: tick, vector: TiltBlend.vector(x: x, y: y)))
  }

  /// A tilt counts from another tick on than it was meant for, as the server says.
  mutating func note(_ late: LateTilt) {
    for index in tilts.indices where tilts[index].tick == late.meant {
      tilts[index].tick = late.taken
    }
  }

  /// Appends what the server does for this person in `tick`, as far as is known: what is meant for
  /// it, and what came too late for the ticks up to `confirmed`. A move of what the person neither
  /// holds nor asks for before it is left out there, and of several moves of a finger the last
  /// counts.
  /// - Parameter isHeld: whether the person holds the sticker in a slot before the tick.
  func append(
    for tick: UInt32, after confirmed: UInt32, to commands: inout [StampedCommand],
    isHeld: (UInt16) -> Bool
  ) {
    let isFirst = tick == confirmed.nextTick
    var asks = false
    // Where the moves begin that no other command of this person comes after.
    var lastMoves = commands.count
    for aimed in self.commands {
      let wait = tick.ticks(since: aimed.tick)
      guard wait == 0 || (isFirst && wait > 0) else { continue }
      if let slot = aimed.command.movedSlot {
        guard asks || isHeld(slot) else { continue }
        let earlier = commands[lastMoves...].firstIndex { $0.movedSlot == slot }
        if let earlier { commands.remove(at: earlier) }
      } else {
        asks = true
        lastMoves = commands.count + 1
      }
      commands.append(aimed.command)
    }
    assert(lastMoves <= commands.count)
  }

  /// The log showed a command: it and all before it are decided, because no command overtakes
  /// another of the same person.
  /// - Returns: how many ticks later than meant; nil for a command that nobody waited for.
  mutating func settle(through sequence: UInt32, in tick: UInt32) -> Int? {
    var late: Int?
    for aimed in commands where aimed.command.sequence == sequence {
      late = tick.ticks(since: aimed.tick)
    }
    commands.removeAll { $0.command.sequence.ticks(since: sequence) <= 0 }
    return late
  }

  /// The server left a command out.
  mutating func leaveOut(_ sequence: UInt32) {
    commands.removeAll { $0.command.sequence == sequence }
  }

  /// Forgets what can't count any more after a tick.
  mutating func forget(at tick: UInt32) {
    if let first = commands.first, tick.ticks(since: first.tick) > Self.longestWait {
      commands.removeAll { tick.ticks(since: $0.tick) > Self.longestWait }
    }
    while tilts.count > 1, tick.ticks(since: tilts[1].tick) >= 0 { tilts.removeFirst() }
  }

  /// This person's part in the blend at a tick: its last tilt and what that counts, 0…1.
  func tilt(at tick: UInt32) -> (vector: Vector2, weight: Float) {
    var last: Tilt?
    for tilt in tilts where tick.ticks(since: tilt.tick) >= 0 { last = tilt }
    guard let last else { return (.zero, 0) }
    return (last.vector, TiltBlend.weight(age: tick.ticks(since: last.tick)))
  }
}

extension StampedCommand {
  /// The slot of what a finger moves; nil for all other commands.
  fileprivate var movedSlot: UInt16? {
    if case .move(let slot, _, _) = command { slot } else { nil }
  }
}
