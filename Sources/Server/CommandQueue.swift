import DequeModule
import Simulation

/// Commands and moves on their way into the next ticks.
///
/// A tick carries out a limited number of commands and the others wait. Moves don't count among
/// them, but none overtakes an earlier command of its client: a finger's move follows its grab.
/// Everything here costs the same for each message, however many there are.
struct CommandQueue {
  /// The commands of one client that wait.
  private struct Pending {
    var first: UInt32
    var last: UInt32
  }

  private let limits: Limits
  /// In the order of their arrival.
  private var waiting: Deque<StampedCommand> = []
  private var pending: [UInt16: Pending] = [:]
  private var moves: [StampedCommand] = []
  /// Where the last move of a finger stands, by `finger(of:_:)`.
  private var places: [UInt32: Int] = [:]
  /// Clients that are gone and may still hold something.
  private var leaving: [StampedCommand] = []

  init(limits: Limits) {
    self.limits = limits
  }

  /// Takes a command that is no move; false when too many wait.
  mutating func add(_ command: StampedCommand) -> Bool {
    guard waiting.count < limits.waitingCommands else { return false }
    waiting.append(command)
    pending[command.client, default: Pending(first: command.sequence, last: 0)].last =
      command.sequence
    return true
  }

  /// Takes a move of the finger that holds `slot`; false when too many wait. It takes the place of
  /// the finger's last one, unless the client gave another command in between.
  mutating func add(move: StampedCommand, of slot: UInt16) -> Bool {
    let finger = Self.finger(of: move.client, slot)
    assert(places.count <= moves.count)
    if let place = places[finger], moves[place].sequence > pending[move.client]?.last ?? 0 {
      moves[place] = move
      return true
    }
    guard moves.count < limits.waitingMoves else { return false }
    places[finger] = moves.count
    moves.append(move)
    return true
  }

  /// Whether commands of a client wait: what it will hold is still to be seen.
  func isWaiting(_ client: UInt16) -> Bool { pending[client] != nil }

  /// Forgets what a client still wanted and opens its hands.
  mutating func leave(_ client: UInt16, sequence: UInt32) {
    leaving.append(StampedCommand(client: client, sequence: sequence, command: .leave))
  }

  /// Appends what the next tick carries out, in no order.
  mutating func take(into commands: inout [StampedCommand]) {
    forgetLeaving()
    takeWaiting(into: &commands)
    notePending()
    takeMoves(into: &commands)
    commands.append(contentsOf: leaving)
    leaving.removeAll(keepingCapacity: true)
  }

  /// Everybody's oldest command first, then everybody's next: who gives many does not keep the
  /// others waiting for all of them.
  private mutating func takeWaiting(into commands: inout [StampedCommand]) {
    var left = limits.commandsPerTick
    while left > 0, !waiting.isEmpty {
      var served: Set<UInt16> = []
      waiting.removeAll { command in
        guard left > 0, served.insert(command.client).inserted else { return false }
        commands.append(command)
        left -= 1
        return true
      }
    }
  }

  private mutating func takeMoves(into commands: inout [StampedCommand]) {
    // Before anything else: whoever left may have taken all moves along.
    if !places.isEmpty { places.removeAll(keepingCapacity: true) }
    guard !moves.isEmpty else { return }
    var kept = 0
    for move in moves {
      guard let first = pending[move.client]?.first, first < move.sequence else {
        commands.append(move)
        continue
      }
      if case .move(let slot, _, _) = move.command {
        places[Self.finger(of: move.client, slot)] = kept
      }
      moves[kept] = move
      kept += 1
    }
    moves.removeLast(moves.count - kept)
  }

  /// What clients that left wanted before is void; what they want since they are back is not.
  private mutating func forgetLeaving() {
    guard !leaving.isEmpty else { return }
    var ends: [UInt16: UInt32] = [:]
    for leave in leaving { ends[leave.client] = leave.sequence }
    let isVoid = { (command: StampedCommand) in
      ends[command.client].map { command.sequence < $0 } ?? false
    }
    waiting.removeAll(where: isVoid)
    moves.removeAll(where: isVoid)
  }

  private mutating func notePending() {
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
    for command in waiting {
      pending[command.client, default: Pending(first: command.sequence, last: 0)].last =
        command.sequence
    }
  }

  private static func finger(of client: UInt16, _ slot: UInt16) -> UInt32 {
    UInt32(client) << 16 | UInt32(slot)
  }
}
