import CLibWebSockets

/// The bytes of one binary message, ready to be written to many connections without a copy.
///
/// The WebSocket header that a server sends stands directly in front of the payload from the start,
/// so sending changes nothing: one frame may be sent on several threads at the same time.
public final class OutgoingFrame: @unchecked Sendable {
  /// Payload length in bytes.
  public private(set) var count: Int

  /// How many payload bytes fit without a new allocation.
  private var capacity: Int
  private var storage: UnsafeMutablePointer<UInt8>
  private var headerCount = 0

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
