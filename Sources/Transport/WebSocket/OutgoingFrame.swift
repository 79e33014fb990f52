import CLibWebSockets

/// The bytes of one binary message, ready to be written to many connections without a copy.
///
/// The WebSocket header that a server sends stands directly in front of the payload from the start,
/// so sending changes nothing: one frame may be sent on several threads at the same time.
public final class OutgoingFrame: @unchecked Sendable {
  /// Payload length in bytes.
  ///
  /// Unchecked, like all that sending looks at: nobody looks at a frame while it takes other bytes,
  /// and the check would cost more than the look.
  @exclusivity(unchecked) public private(set) var count: Int

  /// How many payload bytes fit without a new allocation.
  private var capacity: Int
  @exclusivity(unchecked) private var storage: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var headerCount = 0

  /// Where libwebsockets needs a client's payload to begin, so that a header fits in front of it.
  static let headroom = Int(stickerpit_lws_pre())

  /// A page of memory: with it, most frames of a moving pit fit the first time.
  private static let leastGrowth = 4096

  /// Copies `bytes`.
  public init(copying bytes: [UInt8]) {
    count = 0
    capacity = max(bytes.count, 64)
    storage = .allocate(capacity: Self.headroom + capacity)
    replace(with: bytes)
  }

  deinit {
    storage.deallocate()
  }

  /// Takes other bytes, keeping the memory when they fit. Only while no thread is sending it.
  public func replace(with bytes: [UInt8]) {
    bytes.withUnsafeBytes { replace(with: $0) }
  }

  /// Takes other bytes, keeping the memory when they fit. Only while no thread is sending it.
  public func replace(with bytes: UnsafeRawBufferPointer) {
    if bytes.count > capacity {
      storage.deallocate()
      // With room to spare: the next frame is rarely of the same length, and a calm one says little
      // of those that follow it.
      capacity = max(2 * bytes.count, Self.leastGrowth)
      storage = .allocate(capacity: Self.headroom + capacity)
    }
    count = bytes.count
    if let base = bytes.baseAddress {
      UnsafeMutableRawPointer(payload).copyMemory(from: base, byteCount: count)
    }
    headerCount = FrameHeader.write(.binary, count: count, before: payload)
  }

  /// The whole frame as a server sends it, header and payload.
  var whole: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: payload - headerCount, count: headerCount + count)
  }

  /// The first payload byte, with ``headroom`` writable bytes in front.
  var payload: UnsafeMutablePointer<UInt8> { storage + Self.headroom }

  /// Lends the payload.
  public func withPayload<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: payload, count: count))
  }
}

/// The header in front of a frame that a server sends: RFC 6455 §5.2, whole and unmasked.
enum FrameHeader {
  /// The longest one.
  static let maximumBytes = 10

  enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  /// Writes the header so that it ends where the payload begins.
  ///
  /// - Returns: its length, 2, 4 or 10 bytes.
  static func write(
    _ opcode: Opcode, count: Int, before payload: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let first = 0x80 | opcode.rawValue
    switch count {
    case ..<126:
      payload[-2] = first
      payload[-1] = UInt8(count)
      return 2
    case ...0xffff:
      payload[-4] = first
      payload[-3] = 126
      writeLength(count, bytes: 2, before: payload)
      return 4
    default:
      payload[-10] = first
      payload[-9] = 127
      writeLength(count, bytes: 8, before: payload)
      return 10
    }
  }

  private static func writeLength(
    _ count: Int, bytes: Int, before payload: UnsafeMutablePointer<UInt8>
  ) {
    for place in 1...bytes {
      payload[-place] = UInt8(truncatingIfNeeded: count >> (8 * (place - 1)))
    }
  }

  /// A whole control frame.
  static func control(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    assert(payload.count < 126)
    return [0x80 | opcode.rawValue, UInt8(payload.count)] + payload
  }
}
