import Synchronization
import TickLog
import Wire

/// What other members' clients did, on the way to the leader's next tick. Each message is taken
/// once and in its turn: one that comes again is known, one that comes early waits.
///
/// The cluster's thread receives, the tick thread takes.
final class MemberInputs: Sendable {
  private struct State {
    /// Messages taken of each member.
    var counts: [MemberID: UInt32]
    /// Messages that came before their turn.
    var early: [MemberID: [UInt32: InputsMessage]] = [:]
    /// Members of whom something waits.
    var changed: Set<MemberID> = []
    var inputs: [MemberInput] = []
    var wantsWorld = false

    /// Whether another member can be heard. Some may wait for their first message.
    var hasRoom: Bool { counts.count + early.count < ClusterLimits.members }

    mutating func takeInTurn(of member: MemberID, after count: UInt32) {
      var count = count
      while count < .max, let message = early[member]?.removeValue(forKey: count + 1) {
        count += 1
        counts[member] = count
        changed.insert(member)
        inputs.append(contentsOf: message.inputs)
        if message.wantsWorld { wantsWorld = true }
      }
      if early[member]?.isEmpty == true { early[member] = nil }
    }
  }

  /// Inputs that may wait for a tick. Beyond, a member's messages are left for its next try.
  private static let most = 65_536
  /// How far before its turn a message may come: half a second. Others come again.
  private static let mostEarly: UInt32 = 32

  private let state: Mutex<State>

  /// - Parameter counts: messages that the log has already.
  init(_ counts: [MemberID: UInt32]) {
    state = Mutex(State(counts: counts))
  }

  /// Takes a message in its turn, and those that waited for it.
  /// - Returns: whether it is new.
  @discardableResult
  func receive(_ message: InputsMessage) -> Bool {
    state.withLock { state in
      let count = state.counts[message.member] ?? 0
      guard message.number > count, message.number - count <= Self.mostEarly,
        state.inputs.count + message.inputs.count <= Self.most,
        state.counts[message.member] != nil || state.hasRoom
      else { return false }
      let isNew = state.early[message.member]?[message.number] == nil
      state.early[message.member, default: [:]][message.number] = message
      state.takeInTurn(of: message.member, after: count)
      return isNew
    }
  }

  /// Forgets members that are gone, as `LogCursor` does.
  func forgetGone(_ isHere: (MemberID) -> Bool) {
    state.withLock { state in
      guard state.counts.count > ClusterLimits.members / 2 else { return }
      // Of the changed ones the next tick tells how much it took.
      let kept = state.counts.filter { isHere($0.key) || state.changed.contains($0.key) }
      state.counts = kept
      state.early = state.early.filter { kept[$0.key] != nil }
    }
  }

  /// Takes something on behalf of a member that is gone.
  func add(_ inputs: [MemberInput]) {
    state.withLock { $0.inputs.append(contentsOf: inputs) }
  }

  /// Whether a world is needed, elsewhere or beside the log.
  var wantsWorld: Bool { state.withLock { $0.wantsWorld } }

  /// Asks for a world.
  func wantWorld(_ isWanted: Bool) { state.withLock { $0.wantsWorld = isWanted } }

  /// Moves everything into `inputs`, whose content is dropped.
  /// - Returns: which messages that were, in ascending order of members.
  func take(into inputs: inout [MemberInput]) -> [InputsTaken] {
    inputs.removeAll(keepingCapacity: true)
    return state.withLock { state in
      swap(&inputs, &state.inputs)
      defer { state.changed.removeAll(keepingCapacity: true) }
      return state.changed.sorted { $0.value < $1.value }
        .map { InputsTaken(member: $0, count: state.counts[$0]!) }
    }
  }
}

/// What the tick thread of a leader has to do with the other servers: their inputs come from here,
/// and ticks go into the log from here.
final class LeaderDesk: Sendable {
  let ticks: PendingTicks
  let inputs: MemberInputs
  /// Whether a person at any member may still be here, so that what it holds is kept.
  let isHere: @Sendable (UInt16) -> Bool

  init(
    _ ticks: PendingTicks, _ inputs: MemberInputs, isHere: @escaping @Sendable (UInt16) -> Bool
  ) {
    self.ticks = ticks
    self.inputs = inputs
    self.isHere = isHere
  }
}

extension Exchange.Input {
  /// As another member told it.
  init(_ input: MemberInput) {
    switch input {
    case .tilt(let person, let x, let y, let tick):
      self = .tilt(person: person, x: x, y: y, at: tick)
    case .command(let command, let tick): self = .command(command, at: tick)
    case .left(let person, let sequence): self = .left(person: person, sequence: sequence)
    }
  }

  /// As another member is told it.
  var forMembers: MemberInput {
    switch self {
    case .tilt(let person, let x, let y, let tick): .tilt(person: person, x: x, y: y, at: tick)
    case .command(let command, let tick): .command(command, at: tick)
    case .left(let person, let sequence): .left(person: person, sequence: sequence)
    }
  }
}
