/// Everything that the server says. PROTOCOL.md draws the bytes.
///
/// The stream's frames belong to `StreamEncoder` and `StreamDecoder`: `decode` only tells that
/// bytes are one of them.
public enum ServerMessage: Equatable, Sendable {
  /// The answer to a hello.
  case welcome(Welcome)
  /// A frame of the state stream: give the bytes to a `StreamDecoder`.
  case frame
  /// A run of records: give the bytes to a replica.
  case records
  /// The world with which a replica begins: give it the bytes after the first one.
  case snapshot
  /// The answer to a clock message.
  case clockEcho(ClockEcho)
  /// News for people.
  case notice(Notice)
  /// What happened in a tick.
  case events(WireEvents)
  /// What became of this client's commands.
  case receipt(Receipt)
  /// A tilt of this client was taken in another tick than it was meant for.
  case lateTilt(LateTilt)
  /// The server is about to close this connection because it ends, perhaps to start anew: the
  /// client connects again after so many milliseconds, each after its own, so that they don't come
  /// at once.
  case comeBack(afterMilliseconds: UInt16)
}

/// A client's stamp, returned with the server's place in time.
public struct ClockEcho: Equatable, Sendable {
  /// What the client sent.
  public var stamp: UInt32
  /// The last tick that the server stepped.
  public var tick: UInt32
  /// Time since that tick's deadline in µs.
  public var microseconds: UInt32

  public init(stamp: UInt32, tick: UInt32, microseconds: UInt32) {
    self.stamp = stamp
    self.tick = tick
    self.microseconds = microseconds
  }
}

extension ServerMessage {
  /// Appends the message's bytes. Frames come from a `StreamEncoder`, records and snapshots
  /// from a `RecordCoder`; encoding their cases here appends nothing.
  public func encode(into bytes: inout [UInt8]) {
    BitWriter.append(to: &bytes) { writer in
      switch self {
      case .welcome(let welcome): welcome.write(to: &writer)
      case .frame: assertionFailure("frames are encoded by StreamEncoder")
      case .records, .snapshot: assertionFailure("the log is encoded by RecordCoder")
      case .clockEcho(let echo): echo.write(to: &writer)
      case .notice(let notice): notice.write(to: &writer)
      case .events(let events): events.write(to: &writer)
      case .receipt(let receipt): receipt.write(to: &writer)
      case .lateTilt(let tilt): tilt.write(to: &writer)
      case .comeBack(let milliseconds):
        writer.write(byte: ServerMessageType.comeBack.rawValue)
        writer.write(milliseconds)
      }
    }
  }

  /// Reads one message that fills `bytes` exactly; of a frame, a run of records or a snapshot the
  /// type only.
  ///
  /// Throws `empty`, `tooLong`, `unknownType`, `truncated`, `trailing` or `outOfRange`.
  public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ServerMessage {
    guard bytes.count > 0 else { throw .empty }
    guard bytes.count <= WireLimits.serverMessageBytes else { throw .tooLong(bytes.count) }
    if StreamDecoder.accepts(bytes[0]) { return .frame }
    if RecordCoder.accepts(bytes[0]) { return .records }
    guard let type = ServerMessageType(rawValue: bytes[0]) else { throw .unknownType(bytes[0]) }
    var reader = BitReader(UnsafeRawBufferPointer(rebasing: bytes[1...]))
    let message: ServerMessage
    switch type {
    case .keyframe, .state, .held: return .frame
    case .snapshot: return .snapshot
    case .welcome: message = .welcome(try Welcome(from: &reader))
    case .clockEcho: message = .clockEcho(try ClockEcho(from: &reader))
    case .notice: message = .notice(try Notice(from: &reader))
    case .events: message = .events(try WireEvents(from: &reader))
    case .receipt: message = .receipt(try Receipt(from: &reader))
    case .lateTilt: message = .lateTilt(try LateTilt(from: &reader))
    case .comeBack: message = .comeBack(afterMilliseconds: try reader.readUInt16())
    }
    try reader.finish()
    return message
  }

  /// `decode` for an array.
  public static func decode(_ bytes: [UInt8]) throws(WireError) -> ServerMessage {
    try decodeArray(bytes, decode)
  }
}

extension ClockEcho {
  func write(to writer: inout BitWriter) {
    writer.write(byte: ServerMessageType.clockEcho.rawValue)
    writer.write(stamp, bits: 32)
    writer.write(tick, bits: 32)
    writer.write(microseconds, bits: 32)
  }

  init(from reader: inout BitReader) throws(WireError) {
    self.init(
      stamp: try reader.read(bits: 32), tick: try reader.read(bits: 32),
      microseconds: try reader.read(bits: 32))
  }
}
