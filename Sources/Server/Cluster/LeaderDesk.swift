import TickLog
import Wire

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
