/// Takes the frames of a client apart, in whatever pieces they come, and holds the client to RFC
/// 6455: masked, minimal, no extension, control frames whole and short, fragments in order.
///
/// Debian's wslay was tried: it checks lengths and control frames only, and would cost a copy of
/// everything and 4 kB for each connection.
final class WebSocketReader {
  /// Every frame is one event.
  enum Event {
    /// A whole binary message. The bytes are valid until the next call.
    case message(UnsafeRawBufferPointer)
    /// A frame of a message that is not complete.
    case fragment
    /// At most 125 bytes, valid until the next call.
    case ping(UnsafeRawBufferPointer)
    /// The same.
    case pong(UnsafeRawBufferPointer)
    /// ``CloseCode/noStatus`` where the frame has none.
    case close(CloseCode, reason: String)
    /// The client broke a rule: nothing is read any more.
    case violation(CloseCode, String)
  }

  private static let maximumHeaderBytes = 14
  private static let maximumControlBytes = 125

  private let maximumMessageBytes: Int
  /// The header that is being read, and behind it a control frame's payload.
  private let store: UnsafeMutablePointer<UInt8>
  private var headerCount = 0
  /// Of the frame whose header is complete.
  private var frame: Frame?
  private var payloadCount = 0
  private var message: UnsafeMutablePointer<UInt8>?
  private var messageCount = 0
  private var messageCapacity = 0
  private var isInMessage = false
  private var isBroken = false

  private struct Frame {
    let opcode: FrameHeader.Opcode
    let isFinal: Bool
    let count: Int
    /// Where its mask lies in the store.
    let mask: Int

    var isControl: Bool { opcode.rawValue >= 8 }
  }

  init(maximumMessageBytes: Int) {
    self.maximumMessageBytes = maximumMessageBytes
    store = .allocate(capacity: Self.maximumHeaderBytes + Self.maximumControlBytes)
  }

  deinit {
    store.deallocate()
    message?.deallocate()
  }

  /// Reads up to the end of the next frame. What is read is unmasked where it lies.
  ///
  /// - Parameter bytes: what arrived; what was used is taken off its front.
  /// - Returns: `nil` when the frame is not complete.
  func next(_ bytes: inout UnsafeMutableBufferPointer<UInt8>.SubSequence) -> Event? {
    guard !isBroken else { return nil }
    if frame == nil {
      guard let header = readHeader(&bytes) else { return nil }
      switch header {
      case .success(let header): frame = header
      case .failure(let violation):
        isBroken = true
        return .violation(violation.code, violation.reason)
      }
    }
    guard let frame, let payload = readPayload(of: frame, &bytes) else { return nil }
    self.frame = nil
    payloadCount = 0
    let event = finish(frame, payload)
    if case .violation = event { isBroken = true }
    return event
  }

  // MARK: Header

  private struct Violation: Error {
    let code: CloseCode
    let reason: String
  }

  private func readHeader(
    _ bytes: inout UnsafeMutableBufferPointer<UInt8>.SubSequence
  ) -> Result<Frame, Violation>? {
    while headerCount < 2 || headerCount < headerLength {
      guard let byte = bytes.popFirst() else { return nil }
      store[headerCount] = byte
      headerCount += 1
      // A client that breaks a rule in its first two bytes hears of it at once.
      if headerCount == 2, let violation = startViolation { return .failure(violation) }
    }
    headerCount = 0
    return parseHeader()
  }

  /// All of the header, known from its second byte on.
  private var headerLength: Int {
    switch store[1] & 0x7f {
    case 126: 8
    case 127: 14
    default: 6
    }
  }

  private var startViolation: Violation? {
    func broken(_ reason: String) -> Violation { Violation(code: .protocolError, reason: reason) }
    guard store[0] & 0x70 == 0 else { return broken("a reserved bit is set") }
    guard let opcode = FrameHeader.Opcode(rawValue: store[0] & 0x0f) else {
      return broken("a reserved opcode")
    }
    guard store[1] & 0x80 != 0 else { return broken("a client must mask its frames") }
    switch opcode {
    case .close, .ping, .pong:
      guard store[0] & 0x80 != 0 else { return broken("a control frame in fragments") }
      guard store[1] & 0x7f < 126 else { return broken("a control frame of more than 125 bytes") }
    case .continuation:
      guard isInMessage else { return broken("a continuation of nothing") }
    case .text, .binary:
      guard !isInMessage else { return broken("a message inside another one") }
      guard opcode == .binary else {
        return Violation(code: .unsupportedData, reason: "binary messages only")
      }
    }
    return nil
  }

  private func parseHeader() -> Result<Frame, Violation> {
    let short = store[1] & 0x7f
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    var count = UInt64(short)
    if lengthBytes > 0 {
      count = (0..<lengthBytes).reduce(0) { $0 << 8 | UInt64(store[2 + $1]) }
      guard count > (lengthBytes == 2 ? 125 : 0xffff), count < 1 << 63 else {
        return .failure(Violation(code: .protocolError, reason: "a length that is not minimal"))
      }
    }
    let opcode = FrameHeader.Opcode(rawValue: store[0] & 0x0f)!
    if opcode.rawValue < 8, count > UInt64(maximumMessageBytes - messageCount) {
      return .failure(Violation(code: .tooBig, reason: "at most \(maximumMessageBytes) bytes"))
    }
    return .success(
      Frame(
        opcode: opcode, isFinal: store[0] & 0x80 != 0, count: Int(count), mask: 2 + lengthBytes))
  }

  // MARK: Payload

  /// The frame's payload, where it lies when all of it is here, else gathered.
  private func readPayload(
    of frame: Frame, _ bytes: inout UnsafeMutableBufferPointer<UInt8>.SubSequence
  ) -> UnsafeRawBufferPointer? {
    let piece = UnsafeMutableBufferPointer(rebasing: bytes.prefix(frame.count - payloadCount))
    bytes = bytes.dropFirst(piece.count)
    unmask(piece, of: frame)
    let isWhole = piece.count == frame.count
    if isWhole, frame.isControl || (frame.isFinal && messageCount == 0) {
      return UnsafeRawBufferPointer(piece)
    }
    if frame.isControl {
      let control = store + Self.maximumHeaderBytes
      copy(piece, to: control + payloadCount)
      payloadCount += piece.count
      return payloadCount == frame.count
        ? UnsafeRawBufferPointer(start: control, count: payloadCount) : nil
    }
    gather(piece)
    payloadCount += piece.count
    return payloadCount == frame.count
      ? UnsafeRawBufferPointer(start: message, count: messageCount) : nil
  }

  private func unmask(_ piece: UnsafeMutableBufferPointer<UInt8>, of frame: Frame) {
    let mask = store + frame.mask
    for index in piece.indices { piece[index] ^= mask[(payloadCount + index) & 3] }
  }

  private func gather(_ piece: UnsafeMutableBufferPointer<UInt8>) {
    let count = messageCount + piece.count
    assert(count <= maximumMessageBytes)
    if count > messageCapacity {
      // Doubled, but what a client announces is not believed before it comes.
      messageCapacity = min(max(2 * count, 128), maximumMessageBytes)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: messageCapacity)
      if let message {
        larger.update(from: message, count: messageCount)
        message.deallocate()
      }
      message = larger
    }
    if let message { copy(piece, to: message + messageCount) }
    messageCount = count
  }

  private func copy(
    _ piece: UnsafeMutableBufferPointer<UInt8>, to place: UnsafeMutablePointer<UInt8>
  ) {
    if let base = piece.baseAddress { place.update(from: base, count: piece.count) }
  }

  // MARK: Frames

  private func finish(_ frame: Frame, _ payload: UnsafeRawBufferPointer) -> Event {
    switch frame.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong(payload)
    case .close: return readClose(payload)
    case .continuation, .text, .binary:
      isInMessage = !frame.isFinal
      guard frame.isFinal else { return .fragment }
      messageCount = 0
      return .message(payload)
    }
  }

  private func readClose(_ payload: UnsafeRawBufferPointer) -> Event {
    guard !payload.isEmpty else { return .close(.noStatus, reason: "") }
    guard payload.count >= 2 else { return .violation(.protocolError, "half a close code") }
    let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.isSendable else { return .violation(.protocolError, "not a close code") }
    guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
      return .violation(.invalidPayload, "a reason that is not UTF-8")
    }
    return .close(code, reason: reason)
  }
}
