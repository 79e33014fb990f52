import CLibWebSockets

/// One connection of a client pool, from its connect to its end.
final class ClientConnection: WebSocketPeer {
  /// Beyond any frame of the protocol; a server that sends more is broken.
  private static let maximumMessageBytes = 1 << 24

  unowned let pool: WebSocketClients
  private var isConnecting = true
  private var hasSaidClose = false
  private var message: [UInt8] = []

  init(id: UInt64, remoteAddress: String, pool: WebSocketClients) {
    self.pool = pool
    super.init(
      id: id, remoteAddress: remoteAddress, addressPrefix: AddressPrefix(remoteAddress))
  }

  override func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_CLIENT_RECEIVE:
      receive(socket, input: input, length: length) { bytes in
        pool.delegate.client(self, received: bytes)
      }
      return 0
    case LWS_CALLBACK_CLIENT_WRITEABLE:
      return writeClose(socket)
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
      established(socket)
      return 0
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      let text = UnsafeRawBufferPointer(start: input, count: length).prefix { $0 != 0 }
      failed(
        status: Int(lws_http_client_http_response(socket)),
        reason: String(decoding: text, as: UTF8.self))
      return 0
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      noteClose(UnsafeRawBufferPointer(start: input, count: length))
      return 0
    case LWS_CALLBACK_CLIENT_CLOSED:
      ended()
      return 0
    case LWS_CALLBACK_WSI_DESTROY:
      ended()
      failed(status: 0, reason: "ended during the handshake")
      self.socket = nil
      pool.remove(self)
      return 0
    default:
      return 0
    }
  }

  private func established(_ socket: OpaquePointer) {
    self.socket = socket
    state = .open
    leaveConnecting()
    pool.delegate.clientOpened(self)
  }

  private func ended() {
    guard state == .open || state == .closing else { return }
    state = .closed
    pool.delegate.clientClosed(self, code: end.code, reason: end.reason)
    session = nil
  }

  /// Tells the delegate once that the connection never opened.
  func failed(status: Int, reason: String) {
    guard isConnecting else { return }
    leaveConnecting()
    state = .closed
    pool.delegate.clientFailed(id, error: pool.failure(status: status, reason: reason))
  }

  private func leaveConnecting() {
    guard isConnecting else { return }
    isConnecting = false
    pool.connectEnded()
  }

  // MARK: Closing

  /// The socket is writable: if it is to close, says so and answers the -1 that starts it.
  private func writeClose(_ socket: OpaquePointer) -> Int32 {
    // Once: a second -1 would hang up before the peer has read the first close frame.
    guard state == .closing, !hasSaidClose else { return 0 }
    hasSaidClose = true
    var reason = Array(end.reason.utf8)
    let status = lws_close_status(UInt32(end.code.isSendable ? end.code.rawValue : 1000))
    lws_close_reason(socket, status, &reason, reason.count)
    return -1
  }

  /// The server's close frame arrived.
  private func noteClose(_ payload: UnsafeRawBufferPointer) {
    guard payload.count >= 2 else { return noteClose(.noStatus, reason: "") }
    noteClose(
      CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1])),
      reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
  }

  // MARK: Messages

  /// A piece of a message arrived: a whole one is delivered where it lies, others are gathered.
  private func receive(
    _ socket: OpaquePointer, input: UnsafeMutableRawPointer?, length: Int,
    deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    guard state == .open else { return }
    if lws_is_first_fragment(socket) != 0 {
      message.removeAll(keepingCapacity: true)
      guard lws_frame_is_binary(socket) != 0 else {
        return close(.unsupportedData, reason: "binary messages only")
      }
    }
    let missing = lws_remaining_packet_payload(socket)
    guard missing <= Self.maximumMessageBytes,
      message.count + length + missing <= Self.maximumMessageBytes
    else {
      message = []
      return close(.tooBig, reason: "at most \(Self.maximumMessageBytes) bytes")
    }
    let piece = UnsafeRawBufferPointer(start: input, count: length)
    let isFinal = lws_is_final_fragment(socket) != 0
    if isFinal, message.isEmpty { return deliver(piece) }
    message.append(contentsOf: piece)
    guard isFinal else { return }
    message.withUnsafeBytes(deliver)
    message.removeAll(keepingCapacity: true)
  }

  override func isPartial(_ socket: OpaquePointer) -> Bool { lws_partial_buffered(socket) != 0 }

  /// A client's bytes are masked where they lie, so a shared frame has to be copied first.
  override func write(_ frame: OutgoingFrame, to socket: OpaquePointer) -> SendStatus {
    let scratch = pool.scratch
    frame.withPayload { scratch.replace(with: $0) }
    let taken = lws_write(socket, scratch.payload, scratch.count, LWS_WRITE_BINARY)
    return Int(taken) >= frame.count ? .sent : .closed
  }
}
