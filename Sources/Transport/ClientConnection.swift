import CLibWebSockets

/// One connection of a client pool, from its connect to its end.
final class ClientConnection: WebSocketPeer {
  /// Beyond any frame of the protocol; a server that sends more is broken.
  private static let maximumMessageBytes = 1 << 24

  unowned let pool: WebSocketClients
  private var isConnecting = true

  init(id: UInt64, remoteAddress: String, pool: WebSocketClients) {
    self.pool = pool
    super.init(
      id: id, remoteAddress: remoteAddress, maximumMessageBytes: Self.maximumMessageBytes)
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
      noteClose(input: input, length: length)
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
    pool.delegate.clientClosed(self, code: closeCode, reason: closeReason)
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

  /// A client's bytes are masked where they lie, so a shared frame has to be copied first.
  override func write(_ frame: OutgoingFrame, to socket: OpaquePointer) -> Bool {
    let scratch = pool.scratch
    frame.withPayload { scratch.replace(with: $0) }
    return Int(lws_write(socket, scratch.payload, scratch.count, LWS_WRITE_BINARY)) >= frame.count
  }
}
