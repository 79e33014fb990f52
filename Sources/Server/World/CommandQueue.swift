import DequeModule
import Simulation
import Wire

/// Commands and moves on their way into the next ticks.
///
/// A tick carries out a limited number of commands and the others wait, in rounds: everybody's
/// first comes before anybody's second, so who gives many keeps nobody waiting for all of them.
/// Moves don't count among them, but none overtakes an earlier command of its person: a finger's
/// move follows its grab.
struct CommandQueue {
  /// The commands of one person that wait.
  private struct Pending {
    var first: UInt32
    var last: UInt32
    /// The round of the last one.
    var round: UInt64
  }

  /// A command and the round in which it is its person's turn.
  private struct Turn {
    let command: StampedCommand
    let round: UInt64
  }

  /// What the limits can be at most, and how many of those who left have their hands opened in a
  /// tick: with a release for each of the world's grips it is less than a record holds.
  static let mostPerTick = 1024
  static let mostMoves = 2048
  static let mostLeaving = 4096

  private let limits: Limits
  /// By round, those of a round in the order of their arrival.
  private var waiting: Deque<Turn> = []
  /// The round of the last command that was taken.
  private var round: UInt64 = 0
  private var pending: [UInt16: Pending] = [:]
  private var moves: [StampedCommand] = []
  /// Where the last move of a finger stands, by `finger(of:_:)`.
  private var places: [UInt32: Int] = [:]
  /// People who left and may still hold something.
  private var leaving: [StampedCommand] = []

  init(limits: Limits) {
    self.limits = limits
  }

  /// Takes a command that is no move; false when too many wait.
  mutating func add(_ command: StampedCommand) -> Bool {
    guard waiting.count < limits.waitingCommands else { return false }
    let next = pending[command.person].map { $0.round + 1 } ?? round
    let turn = Turn(command: command, round: next)
    waiting.insert(turn, at: place(after: turn.round))
    notePending(turn)
    return true
  }

  /// Takes a move of the finger that holds `slot`; false when too many wait. It takes the place of
  /// the finger's last one, unless the person gave another command in between.
  mutating func add(move: StampedCommand, of slot: UInt16) -> Bool {
    let finger = Self.finger(of: move.person, slot)
    assert(places.count <= moves.count)
    if let place = places[finger], moves[place].sequence > pending[move.person]?.last ?? 0 {
      moves[place] = move
      return true
    }
    guard moves.count < limits.waitingMoves else { return false }
    places[finger] = moves.count
    moves.append(move)
    return true
  }

  /// Whether commands of a person wait: what they will hold is still to be seen.
  func isWaiting(_ person: UInt16) -> Bool { pending[person] != nil }

  /// Forgets what somebody who left still wanted, and opens the hands.
  mutating func leave(_ person: UInt16, sequence: UInt32) {
    leaving.append(StampedCommand(person: person, sequence: sequence, command: .leave))
  }

  /// Appends what the next tick carries out, in no order.
  mutating func take(into commands: inout [StampedCommand]) {
    forgetLeaving()
    let count = min(waiting.count, limits.commandsPerTick)
    for turn in waiting.prefix(count) {
      commands.append(turn.command)
      round = turn.round
    }
    waiting.removeFirst(count)
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
    for turn in waiting { notePending(turn) }
    takeMoves(into: &commands)
    let leaves = min(leaving.count, Self.mostLeaving)
    commands.append(contentsOf: leaving.prefix(leaves))
    leaving.removeFirst(leaves)
    assert(commands.count <= TickRecord.mostCommands)
  }

  private mutating func takeMoves(into commands: inout [StampedCommand]) {
    // Before anything else: whoever left may have taken all moves along.
    if !places.isEmpty { places.removeAll(keepingCapacity: true) }
    guard !moves.isEmpty else { return }
    var kept = 0
    for move in moves {
      guard let first = pending[move.person]?.first, first < move.sequence else {
        commands.append(move)
        continue
      }
      if case .move(let slot, _, _) = move.command {
        places[Self.finger(of: move.person, slot)] = kept
      }
      moves[kept] = move
      kept += 1
    }
    moves.removeLast(moves.count - kept)
  }

  /// What people who left wanted before is void; what they want since they came back is not.
  private mutating func forgetLeaving() {
    guard !leaving.isEmpty else { return }
    var ends: [UInt16: UInt32] = [:]
    for leave in leaving { ends[leave.person] = leave.sequence }
    let isVoid = { (command: StampedCommand) in
      ends[command.person].map { command.sequence < $0 } ?? false
    }
    waiting.removeAll { isVoid($0.command) }
    moves.removeAll(where: isVoid)
  }

  /// Notes a command that waits, behind all others of its person.
  private mutating func notePending(_ turn: Turn) {
    let sequence = turn.command.sequence
    let first = pending[turn.command.person]?.first ?? sequence
    pending[turn.command.person] = Pending(first: first, last: sequence, round: turn.round)
  }

  /// Where a command of a round belongs: behind all of that round, found by halving.
  private func place(after round: UInt64) -> Int {
    var (low, high) = (0, waiting.count)
    while low < high {
      let middle = (low + high) / 2
      if waiting[middle].round <= round { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func finger(of person: UInt16, _ slot: UInt16) -> UInt32 {
    UInt32(person) << 16 | UInt32(slot)
  }
}
