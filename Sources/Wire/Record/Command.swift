/// What a client may ask of the world, in the wire's fixed point; points are in the units of the
/// world's `PointScale`.
public enum Command: Equatable, Sendable {
  /// A new sticker of `kind` (0…15) at a point; a point outside is moved inside.
  case drop(kind: UInt8, x: Int16, y: Int16)
  /// The sticker under a point gets a velocity in pt/s; without one, a new sticker does.
  case throwSticker(x: Int16, y: Int16, velocityX: Int16, velocityY: Int16)
  /// Takes hold of a sticker at a point: nobody else moves it until it is released.
  case grab(slot: UInt16, generation: UInt16, x: Int16, y: Int16)
  /// The finger that holds a slot is at a point now; a point outside is moved inside.
  case move(slot: UInt16, x: Int16, y: Int16)
  /// Lets a slot go with a velocity in pt/s.
  case release(slot: UInt16, velocityX: Int16, velocityY: Int16)
  /// Sends a sticker to a point, where it is free again.
  case snap(slot: UInt16, generation: UInt16, x: Int16, y: Int16)
  /// A keyword was said that stands for stickers of this kind.
  case say(keyword: UInt8)
  /// The person left: whatever they hold is free. No client sends this; the server does.
  case leave
}

/// A command, with who gave it and when in their own order.
public struct StampedCommand: Equatable, Sendable {
  /// The person's number.
  public var person: UInt16
  /// The command is the person's n-th.
  public var sequence: UInt32
  public var command: Command

  public init(person: UInt16, sequence: UInt32, command: Command) {
    self.person = person
    self.sequence = sequence
    self.command = command
  }

  /// Whether this command is applied before `other`.
  public func precedes(_ other: StampedCommand) -> Bool {
    person != other.person ? person < other.person : sequence < other.sequence
  }
}

extension UInt32 {
  /// The number of a person's command after this one. 0 is left to the server's own.
  package var nextCommand: UInt32 { self == .max ? 1 : self + 1 }
}

// MARK: Bytes

extension StampedCommand {
  /// The number of a kind of command, 4 bits.
  private enum Opcode: UInt32 {
    case drop, throwSticker, grab, move, release, snap, say, leave
  }

  func write(to writer: inout BitWriter) {
    writer.write(varying: UInt32(person))
    writer.write(varying: sequence)
    switch command {
    case .drop(let kind, let x, let y):
      write(.drop, [x, y], to: &writer)
      writer.write(byte: kind)
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      write(.throwSticker, [x, y, velocityX, velocityY], to: &writer)
    case .grab(let slot, let generation, let x, let y):
      write(.grab, [x, y], to: &writer)
      writer.write(slot)
      writer.write(generation)
    case .move(let slot, let x, let y):
      write(.move, [x, y], to: &writer)
      writer.write(slot)
    case .release(let slot, let velocityX, let velocityY):
      write(.release, [velocityX, velocityY], to: &writer)
      writer.write(slot)
    case .snap(let slot, let generation, let x, let y):
      write(.snap, [x, y], to: &writer)
      writer.write(slot)
      writer.write(generation)
    case .say(let keyword):
      write(.say, [], to: &writer)
      writer.write(byte: keyword)
    case .leave: write(.leave, [], to: &writer)
    }
  }

  private func write(_ opcode: Opcode, _ numbers: [Int16], to writer: inout BitWriter) {
    writer.write(opcode.rawValue, bits: 4)
    for number in numbers { writer.write(number) }
  }

  init(from reader: inout BitReader) throws(WireError) {
    guard let person = UInt16(exactly: try reader.readVarying()) else { throw .outOfRange(.person) }
    let sequence = try reader.readVarying()
    guard let opcode = Opcode(rawValue: try reader.read(bits: 4)) else {
      throw .outOfRange(.command)
    }
    self.init(
      person: person, sequence: sequence, command: try Self.command(opcode, from: &reader))
  }

  private static func command(
    _ opcode: Opcode, from reader: inout BitReader
  ) throws(WireError) -> Command {
    switch opcode {
    case .drop:
      let (x, y) = (try reader.readInt16(), try reader.readInt16())
      return .drop(kind: try reader.readByte(), x: x, y: y)
    case .throwSticker:
      return .throwSticker(
        x: try reader.readInt16(), y: try reader.readInt16(),
        velocityX: try reader.readInt16(), velocityY: try reader.readInt16())
    case .grab:
      let (x, y) = (try reader.readInt16(), try reader.readInt16())
      let slot = try reader.readUInt16()
      return .grab(slot: slot, generation: try reader.readUInt16(), x: x, y: y)
    case .move:
      let (x, y) = (try reader.readInt16(), try reader.readInt16())
      return .move(slot: try reader.readUInt16(), x: x, y: y)
    case .release:
      let (x, y) = (try reader.readInt16(), try reader.readInt16())
      return .release(slot: try reader.readUInt16(), velocityX: x, velocityY: y)
    case .snap:
      let (x, y) = (try reader.readInt16(), try reader.readInt16())
      let slot = try reader.readUInt16()
      return .snap(slot: slot, generation: try reader.readUInt16(), x: x, y: y)
    case .say: return .say(keyword: try reader.readByte())
    case .leave: return .leave
    }
  }
}

extension ClientMessage {
  /// The message with which a client asks for a command. Nil for what no client sends: a keyword is
  /// found by the server in what somebody says, and leaving is the end of a connection.
  public init?(_ command: Command) {
    switch command {
    case .drop(let kind, let x, let y): self = .drop(kind: kind, x: x, y: y)
    case .throwSticker(let x, let y, let velocityX, let velocityY):
      self = .throwSticker(x: x, y: y, velocityX: velocityX, velocityY: velocityY)
    case .grab(let slot, let generation, let x, let y):
      self = .grab(slot: slot, generation: generation, x: x, y: y)
    case .move(let slot, let x, let y): self = .move(slot: slot, x: x, y: y)
    case .release(let slot, let velocityX, let velocityY):
      self = .release(slot: slot, velocityX: velocityX, velocityY: velocityY)
    case .snap(let slot, let generation, let x, let y):
      self = .snap(slot: slot, generation: generation, x: x, y: y)
    case .say, .leave: return nil
    }
  }
}
