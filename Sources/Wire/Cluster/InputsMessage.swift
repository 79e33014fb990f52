/// Something that a person did, as members tell it.
public enum MemberInput: Equatable, Sendable {
  /// A phone's tilt, `GravitySample`'s coordinates; for a tick, or for the next one.
  case tilt(person: UInt16, x: Int16, y: Int16, at: UInt32?)
  case command(StampedCommand, at: UInt32?)
  /// The person left; the number is one more than their last command's.
  case left(person: UInt16, sequence: UInt32)

  /// Whose it is.
  public var person: UInt16 {
    switch self {
    case .tilt(let person, _, _, _), .left(let person, _): person
    case .command(let command, _): command.person
    }
  }
}

/// What an edge's people did since its last message.
public struct InputsMessage: Equatable, Sendable {
  public var member: MemberID
  /// The member's n-th message, from 1 on. The leader takes them in this order, none twice.
  public var number: UInt32
  /// Whether somebody there who follows the log needs a world.
  public var wantsWorld: Bool
  public var inputs: [MemberInput]

  public init(
    member: MemberID, number: UInt32, wantsWorld: Bool = false, inputs: [MemberInput] = []
  ) {
    precondition(inputs.count <= ClusterLimits.inputs)
    self.member = member
    self.number = number
    self.wantsWorld = wantsWorld
    self.inputs = inputs
  }

  /// The message's bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    BitWriter.append(to: &bytes) { writer in
      writer.write(byte: BitWriter.clusterVersion)
      writer.write(member.value, bits: 32)
      writer.write(number, bits: 32)
      writer.write(byte: wantsWorld ? 1 : 0)
      writer.write(UInt16(inputs.count))
      for input in inputs { input.write(to: &writer) }
    }
    return bytes
  }

  /// Reads a message. Throws `WireError` for bytes that are none.
  public init(_ bytes: [UInt8]) throws(WireError) {
    self = try decodeArray(bytes) { (raw) throws(WireError) in
      var reader = BitReader(raw)
      let message = try InputsMessage(from: &reader)
      try reader.finish()
      return message
    }
  }

  private init(from reader: inout BitReader) throws(WireError) {
    try reader.readClusterVersion()
    member = MemberID(try reader.read(bits: 32))
    number = try reader.read(bits: 32)
    let flags = try reader.readByte()
    guard flags <= 1 else { throw .outOfRange(.flags) }
    wantsWorld = flags == 1
    let count = Int(try reader.readUInt16())
    guard count <= ClusterLimits.inputs else { throw .outOfRange(.count) }
    inputs = []
    for _ in 0..<count { inputs.append(try MemberInput(from: &reader)) }
  }
}

extension MemberInput {
  /// Two bits.
  private enum Kind: UInt32 {
    case tilt, command, left
  }

  fileprivate func write(to writer: inout BitWriter) {
    switch self {
    case .tilt(let person, let x, let y, let tick):
      writer.write(Kind.tilt.rawValue, bits: 2)
      Self.write(tick, to: &writer)
      writer.write(person)
      writer.write(x)
      writer.write(y)
    case .command(let command, let tick):
      writer.write(Kind.command.rawValue, bits: 2)
      Self.write(tick, to: &writer)
      command.write(to: &writer)
    case .left(let person, let sequence):
      writer.write(Kind.left.rawValue, bits: 2)
      writer.write(person)
      writer.write(sequence, bits: 32)
    }
  }

  private static func write(_ tick: UInt32?, to writer: inout BitWriter) {
    writer.write(tick == nil ? 0 : 1, bits: 1)
    if let tick { writer.write(tick, bits: 32) }
  }

  fileprivate init(from reader: inout BitReader) throws(WireError) {
    guard let kind = Kind(rawValue: try reader.read(bits: 2)) else { throw .outOfRange(.kind) }
    switch kind {
    case .tilt:
      let tick = try Self.readTick(from: &reader)
      self = .tilt(
        person: try reader.readUInt16(), x: try reader.readInt16(), y: try reader.readInt16(),
        at: tick)
    case .command:
      let tick = try Self.readTick(from: &reader)
      self = .command(try StampedCommand(from: &reader), at: tick)
    case .left:
      self = .left(person: try reader.readUInt16(), sequence: try reader.read(bits: 32))
    }
  }

  private static func readTick(from reader: inout BitReader) throws(WireError) -> UInt32? {
    try reader.read(bits: 1) == 0 ? nil : try reader.read(bits: 32)
  }
}
