/// What became of some of a client's commands, at most 64 of them; sent to that client alone.
///
/// A client's commands (drop, throw, grab, move, release, snap, say) count from 1 on each
/// connection. Moves count and get a receipt only if they are left out: of several in a tick only
/// the last is carried out.
public struct Receipt: Equatable, Sendable {
  /// The tick in which this was decided, the low 32 bits.
  public var tick: UInt32
  /// The commands, in the order in which they were decided; of more than 64 the first are sent.
  public var commands: [ReceivedCommand]

  public init(tick: UInt32, commands: [ReceivedCommand]) {
    self.tick = tick
    self.commands = commands
  }
}

/// A command and what became of it.
public struct ReceivedCommand: Equatable, Sendable {
  /// The client's n-th command on this connection, from 1.
  public var number: UInt32
  public var outcome: CommandOutcome

  public init(number: UInt32, outcome: CommandOutcome) {
    self.number = number
    self.outcome = outcome
  }
}

/// What became of a command.
public enum CommandOutcome: UInt8, Sendable, CaseIterable {
  /// Carried out in the receipt's tick.
  case carriedOut = 0
  /// Refused by the world: what it asked for isn't there, is another's, the client's hands are
  /// full, or it means nothing here.
  case refused = 1
  /// Left out before the world saw it: a limit of the address, or too many commands waited.
  case leftOut = 2
}

extension Receipt {
  func write(to writer: inout BitWriter) {
    writer.write(byte: ServerMessageType.receipt.rawValue)
    writer.write(tick, bits: 32)
    let sent = commands.prefix(WireLimits.receipts)
    writer.write(byte: UInt8(sent.count))
    for command in sent {
      writer.write(command.number, bits: 32)
      writer.write(byte: command.outcome.rawValue)
    }
  }

  init(from reader: inout BitReader) throws(WireError) {
    let tick = try reader.read(bits: 32)
    let count = Int(try reader.readByte())
    guard count <= WireLimits.receipts else { throw .outOfRange(.receipts) }
    var commands: [ReceivedCommand] = []
    for _ in 0..<count {
      let number = try reader.read(bits: 32)
      guard let outcome = CommandOutcome(rawValue: try reader.readByte()) else {
        throw .outOfRange(.outcome)
      }
      commands.append(ReceivedCommand(number: number, outcome: outcome))
    }
    self.init(tick: tick, commands: commands)
  }
}
