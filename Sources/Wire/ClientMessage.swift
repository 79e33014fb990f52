/// Everything that a client says. PROTOCOL.md draws the bytes.
public enum ClientMessage: Equatable, Sendable {
  /// The first message of a connection.
  case hello(Hello)
  /// Where the phone leans: a vector of length ≤ 1 in 1/16 384, y down.
  case tilt(x: Int16, y: Int16)
  /// A new sticker of `kind` (0…15) at a point in 1/8 pt.
  case drop(kind: UInt8, x: Int16, y: Int16)
  /// The sticker under a point (1/8 pt) gets a velocity in pt/s.
  case throwSticker(x: Int16, y: Int16, velocityX: Int16, velocityY: Int16)
  /// Asks for an echo; the stamp comes back unread.
  case clock(stamp: UInt32)
  /// Takes hold of the body in a slot at a point in 1/8 pt.
  case grab(slot: UInt16, generation: UInt16, x: Int16, y: Int16)
  /// The finger that holds a slot is at a point in 1/8 pt now.
  case move(slot: UInt16, x: Int16, y: Int16)
  /// Lets a slot go with a velocity in pt/s.
  case release(slot: UInt16, velocityX: Int16, velocityY: Int16)
  /// Sends the body in a slot to a point in 1/8 pt.
  case snap(slot: UInt16, generation: UInt16, x: Int16, y: Int16)
  /// Words in which the server looks for keywords; nobody else sees them.
  case say(Words)
  /// From now on this stream: another kind, rate or profile without a new connection. A stream
  /// begins with a keyframe, the log with a snapshot. What the client has already is begun anew:
  /// after a frame that it refused, or when its world is not the server's.
  case stream(kind: StreamKind, rate: FrameRate, profile: CodecProfile)
  /// A tilt or a command with the tick that the client means it for: the server takes it there if
  /// it comes in time, else in the next tick.
  indirect case aimed(at: UInt32, message: ClientMessage)
  /// How well a page that runs the world itself foresees it, for those who run the server.
  case report(ClientReport)
}

extension ClientMessage {
  /// Appends the message's bytes.
  public func encode(into bytes: inout [UInt8]) {
    BitWriter.append(to: &bytes) { writer in
      switch self {
      case .hello(let hello): hello.write(to: &writer)
      case .tilt(let x, let y):
        writer.write(byte: ClientMessageType.tilt.rawValue)
        writer.write(x)
        writer.write(y)
      case .drop(let kind, let x, let y):
        writer.write(byte: ClientMessageType.drop.rawValue)
        writer.write(byte: kind)
        writer.write(x)
        writer.write(y)
      case .throwSticker(let x, let y, let velocityX, let velocityY):
        writer.write(byte: ClientMessageType.throwSticker.rawValue)
        writer.write(x)
        writer.write(y)
        writer.write(velocityX)
        writer.write(velocityY)
      case .clock(let stamp):
        writer.write(byte: ClientMessageType.clock.rawValue)
        writer.write(stamp, bits: 32)
      case .grab, .move, .release, .snap, .say: writeHand(to: &writer)
      case .stream(let kind, let rate, let profile):
        writer.write(byte: ClientMessageType.stream.rawValue)
        writer.write(byte: kind.rawValue)
        writer.write(byte: rate.rawValue)
        writer.write(byte: profile.rawValue)
      case .report(let report): report.write(to: &writer)
      case .aimed: break
      }
    }
    if case .aimed(let tick, let message) = self { message.encode(aimedAt: tick, into: &bytes) }
  }

  /// Appends the bytes of `.aimed(at: tick, message: self)`, which itself would take memory for the
  /// message inside: a finger's moves are told in every picture.
  public func encode(aimedAt tick: UInt32, into bytes: inout [UInt8]) {
    assert(isAimable)
    BitWriter.append(to: &bytes) { writer in
      writer.write(byte: ClientMessageType.aimed.rawValue)
      writer.write(tick, bits: 32)
    }
    encode(into: &bytes)
  }

  private func writeHand(to writer: inout BitWriter) {
    switch self {
    case .grab(let slot, let generation, let x, let y):
      writer.write(byte: ClientMessageType.grab.rawValue)
      writer.write(slot)
      writer.write(generation)
      writer.write(x)
      writer.write(y)
    case .move(let slot, let x, let y):
      writer.write(byte: ClientMessageType.move.rawValue)
      writer.write(slot)
      writer.write(x)
      writer.write(y)
    case .release(let slot, let velocityX, let velocityY):
      writer.write(byte: ClientMessageType.release.rawValue)
      writer.write(slot)
      writer.write(velocityX)
      writer.write(velocityY)
    case .snap(let slot, let generation, let x, let y):
      writer.write(byte: ClientMessageType.snap.rawValue)
      writer.write(slot)
      writer.write(generation)
      writer.write(x)
      writer.write(y)
    case .say(let words):
      writer.write(byte: ClientMessageType.say.rawValue)
      for byte in words.utf8 { writer.write(byte: byte) }
    case .hello, .tilt, .drop, .throwSticker, .clock, .stream, .aimed, .report: break
    }
  }

  /// Reads one message that fills `bytes` exactly.
  ///
  /// Throws `empty`, `tooLong`, `unknownType`, `truncated`, `trailing` or `outOfRange`.
  public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ClientMessage {
    guard bytes.count > 0 else { throw .empty }
    guard bytes.count <= WireLimits.clientMessageBytes else { throw .tooLong(bytes.count) }
    guard let type = ClientMessageType(rawValue: bytes[0]) else { throw .unknownType(bytes[0]) }
    var reader = BitReader(UnsafeRawBufferPointer(rebasing: bytes[1...]))
    let message = try read(type, from: &reader)
    try reader.finish()
    return message
  }

  /// `decode` for an array.
  public static func decode(_ bytes: [UInt8]) throws(WireError) -> ClientMessage {
    try decodeArray(bytes, decode)
  }

  private static func read(
    _ type: ClientMessageType, from reader: inout BitReader
  ) throws(WireError) -> ClientMessage {
    switch type {
    case .hello: return .hello(try Hello(from: &reader))
    case .tilt: return .tilt(x: try reader.readInt16(), y: try reader.readInt16())
    case .drop:
      let kind = try reader.readByte()
      guard kind < WireLimits.kinds else { throw .outOfRange(.kind) }
      return .drop(kind: kind, x: try reader.readInt16(), y: try reader.readInt16())
    case .throwSticker:
      return .throwSticker(
        x: try reader.readInt16(), y: try reader.readInt16(),
        velocityX: try reader.readInt16(), velocityY: try reader.readInt16())
    case .clock: return .clock(stamp: try reader.read(bits: 32))
    case .grab:
      return .grab(
        slot: try readSlot(&reader), generation: try reader.readUInt16(),
        x: try reader.readInt16(), y: try reader.readInt16())
    case .move:
      return .move(
        slot: try readSlot(&reader), x: try reader.readInt16(), y: try reader.readInt16())
    case .release:
      return .release(
        slot: try readSlot(&reader), velocityX: try reader.readInt16(),
        velocityY: try reader.readInt16())
    case .snap:
      return .snap(
        slot: try readSlot(&reader), generation: try reader.readUInt16(),
        x: try reader.readInt16(), y: try reader.readInt16())
    case .say: return .say(try Words(from: &reader))
    case .stream:
      return .stream(
        kind: try StreamKind(from: &reader), rate: try FrameRate(from: &reader),
        profile: try CodecProfile(from: &reader))
    case .report: return .report(try ClientReport(from: &reader))
    case .aimed:
      let tick = try reader.read(bits: 32)
      let byte = try reader.readByte()
      guard let inner = ClientMessageType(rawValue: byte), inner != .aimed else {
        throw .outOfRange(.command)
      }
      let message = try read(inner, from: &reader)
      guard message.isAimable else { throw .outOfRange(.command) }
      return .aimed(at: tick, message: message)
    }
  }
}

extension ClientMessage {
  /// Whether it changes the world, so that a tick can be named for it.
  public var isAimable: Bool {
    switch self {
    case .tilt, .drop, .throwSticker, .grab, .move, .release, .snap, .say: true
    case .hello, .clock, .stream, .aimed, .report: false
    }
  }

  /// No body has a higher slot.
  private static func readSlot(_ reader: inout BitReader) throws(WireError) -> UInt16 {
    let slot = try reader.readUInt16()
    guard slot < WireLimits.bodies else { throw .outOfRange(.slot) }
    return slot
  }
}

extension Hello {
  func write(to writer: inout BitWriter) {
    writer.write(byte: ClientMessageType.hello.rawValue)
    writer.write(version)
    writer.write(byte: stream.rawValue | (isWatching ? Self.watching : 0))
    writer.write(byte: rate.rawValue)
    writer.write(byte: profile.rawValue)
    resumeToken?.write(to: &writer)
    if let knownTick, resumeToken != nil { writer.write(knownTick, bits: 32) }
  }

  /// Reads what follows the type byte. The length tells whether a token is there. Of a hello of
  /// another version nothing else is read, whatever it holds: the refusal names the version.
  init(from reader: inout BitReader) throws(WireError) {
    let version = try reader.readUInt16()
    guard version == WireVersion.current else { throw .otherVersion(version) }
    let kind = try reader.readByte()
    guard let stream = StreamKind(rawValue: kind & ~Self.watching) else {
      throw .outOfRange(.stream)
    }
    let rate = try FrameRate(from: &reader)
    let profile = try CodecProfile(from: &reader)
    self.init(
      version: version, stream: stream, rate: rate, profile: profile,
      isWatching: kind & Self.watching != 0)
    if reader.remainingBits > 0 { resumeToken = try SessionToken(from: &reader) }
    if reader.remainingBits > 0 { knownTick = try reader.read(bits: 32) }
  }
}

extension StreamKind {
  init(from reader: inout BitReader) throws(WireError) {
    guard let kind = StreamKind(rawValue: try reader.readByte()) else { throw .outOfRange(.stream) }
    self = kind
  }
}

extension FrameRate {
  init(from reader: inout BitReader) throws(WireError) {
    guard let rate = FrameRate(rawValue: try reader.readByte()) else { throw .outOfRange(.rate) }
    self = rate
  }
}

extension CodecProfile {
  init(from reader: inout BitReader) throws(WireError) {
    guard let profile = CodecProfile(rawValue: try reader.readByte()) else {
      throw .outOfRange(.profile)
    }
    self = profile
  }
}

/// Runs a decoder on an array's bytes. (`withUnsafeBytes` does not carry typed errors everywhere.)
func decodeArray<Value>(
  _ bytes: [UInt8], _ decode: (UnsafeRawBufferPointer) throws(WireError) -> Value
) throws(WireError) -> Value {
  let result: Result<Value, WireError> = bytes.withUnsafeBytes { raw in
    do throws(WireError) { return .success(try decode(raw)) } catch { return .failure(error) }
  }
  return try result.get()
}

/// How well a page that runs the world itself foresees it, since it told last. Each number stays at
/// 65 535 when there was more.
public struct ClientReport: Equatable, Sendable {
  /// Times that ticks were run again, because what had been foretold was wrong.
  public var rollbacks: UInt16
  /// Ticks that were run again.
  public var replayedTicks: UInt16
  /// Rollbacks after which a sticker was seen to jump.
  public var corrections: UInt16
  /// Times that the world turned out not to be the server's.
  public var wrongWorlds: UInt16

  public init(
    rollbacks: UInt16 = 0, replayedTicks: UInt16 = 0, corrections: UInt16 = 0,
    wrongWorlds: UInt16 = 0
  ) {
    self.rollbacks = rollbacks
    self.replayedTicks = replayedTicks
    self.corrections = corrections
    self.wrongWorlds = wrongWorlds
  }
}

extension ClientReport {
  init(from reader: inout BitReader) throws(WireError) {
    rollbacks = try reader.readUInt16()
    replayedTicks = try reader.readUInt16()
    corrections = try reader.readUInt16()
    wrongWorlds = try reader.readUInt16()
  }

  func write(to writer: inout BitWriter) {
    writer.write(byte: ClientMessageType.report.rawValue)
    for number in [rollbacks, replayedTicks, corrections, wrongWorlds] { writer.write(number) }
  }
}
