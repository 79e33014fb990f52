import CLibWebSockets
import Glibc

/// One accepted socket: a visitor over HTTP, who may become a WebSocket connection.
final class ListenerConnection: WebSocketPeer {
  unowned let listener: WebSocketListener
  /// Place in the listener's list, so that leaving it needs no search.
  var index = -1
  /// No WebSocket yet.
  var isVisitor = true
  /// The file that is being sent.
  var download: FileDownload?
  /// The request whose answer is made elsewhere.
  var waitsFor: (ticket: UInt64, isHead: Bool)?
  private enum Ping { case notNeeded, wanted, sent }
  private var ping = Ping.notNeeded
  private var lastSign: UInt64 = 0

  init(id: UInt64, remoteAddress: String, listener: WebSocketListener) {
    self.listener = listener
    super.init(
      id: id, remoteAddress: remoteAddress,
      maximumMessageBytes: listener.configuration.maximumMessageBytes)
  }

  override func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RECEIVE:
      noteSign()
      receive(socket, input: input, length: length) { bytes in
        listener.delegate.connection(self, received: bytes)
      }
      return 0
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return continueWriting(socket)
    case LWS_CALLBACK_RECEIVE_PONG:
      noteSign()
      return 0
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return confirmUpgrade(socket, kind: input)
    case LWS_CALLBACK_ESTABLISHED:
      established(socket)
      return 0
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      noteClose(input: input, length: length)
      return 0
    case LWS_CALLBACK_CLOSED:
      ended()
      return 0
    case LWS_CALLBACK_HTTP:
      return answer(socket, path: input, length: length)
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return continueDownload(socket)
    case LWS_CALLBACK_WSI_DESTROY:
      ended()
      download = nil
      if let waitsFor { listener.setWaiting(nil, for: waitsFor.ticket) }
      self.socket = nil
      listener.remove(self)
      return 0
    default:
      return 0
    }
  }

  private func established(_ socket: OpaquePointer) {
    self.socket = socket
    state = .open
    noteSign()
    listener.countOpened(self)
    listener.delegate.connectionOpened(self)
  }

  /// Tells the delegate once that an open connection is over.
  private func ended() {
    guard state == .open || state == .closing else { return }
    state = .closed
    listener.countClosed(self)
    listener.delegate.connectionClosed(self)
    session = nil
  }

  // MARK: Signs of life

  /// Anything that arrives shows that the client is there. A pong alone would not do: a slow reader
  /// answers late, because the ping waits behind frames that it has not read yet.
  private func noteSign() {
    lastSign = listener.now
    ping = .notNeeded
  }

  /// Asks a silent client for a sign, and gives it up when none comes. Done here and not by
  /// libwebsockets, whose sorted timers cost a walk over all clients for each sign of each client.
  func checkSigns(pingAfter: UInt64, hangupAfter: UInt64) {
    guard state == .open, let socket else { return }
    let silence = listener.now - lastSign
    if silence >= hangupAfter {
      abort(socket)
    } else if silence >= pingAfter, ping == .notNeeded {
      ping = .wanted
      lws_callback_on_writable(socket)
    }
  }

  /// The socket is writable: a close or a ping may be waiting for that.
  private func continueWriting(_ socket: OpaquePointer) -> Int32 {
    guard state == .open, ping == .wanted else { return writeClose(socket) }
    ping = .sent
    let payload = listener.scratch + OutgoingFrame.headroom
    // libwebsockets does not report a pong that is empty.
    payload.pointee = UInt8(ascii: "?")
    return lws_write(socket, payload, 1, LWS_WRITE_PING) < 0 ? -1 : 0
  }

  // MARK: Handshake

  /// - Returns: 0 to let the handshake go on, 1 when it was answered, -1 to hang up.
  private func confirmUpgrade(_ socket: OpaquePointer, kind: UnsafeMutableRawPointer?) -> Int32 {
    guard let kind, strcasecmp(kind.assumingMemoryBound(to: CChar.self), "websocket") == 0 else {
      return refuse(socket, status: 400, reason: "only websocket is an upgrade here")
    }
    guard !listener.isSecure || lws_is_ssl(socket) != 0 else {
      return refuse(socket, status: 403, reason: "use wss://")
    }
    var request = HandshakeFilter.Request(path: RequestHeaders.path(socket))
    request.offeredSubprotocols = RequestHeaders.text(socket, WSI_TOKEN_PROTOCOL)
    request.origin = RequestHeaders.text(socket, WSI_TOKEN_ORIGIN)
    request.host = RequestHeaders.text(socket, WSI_TOKEN_HOST)
    request.version = RequestHeaders.text(socket, WSI_TOKEN_VERSION)
    request.key = RequestHeaders.text(socket, WSI_TOKEN_KEY)
    if let refusal = listener.filter.refusal(of: request) {
      return refuse(socket, status: refusal.status, reason: refusal.reason)
    }
    if let refusal = listener.refusalByCount(of: remoteAddress) {
      return refuse(socket, status: refusal.status, reason: refusal.reason)
    }
    return 0
  }

  private func refuse(_ socket: OpaquePointer, status: Int, reason: String) -> Int32 {
    write(.text(reason + "\n", status: status), to: socket, isHead: false) ? 1 : -1
  }
}
