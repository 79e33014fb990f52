import CLibWebSockets
import Glibc

/// A WebSocket on a socket of libwebsockets with its states, shared by both ends. They differ in
/// who speaks the protocol: a client leaves it to libwebsockets, a listener does it itself.
class WebSocketPeer: ServicePeer, Connection {
  enum State { case opening, open, closing, closed }

  /// How many sends ask the kernel whether the socket is choked and what the peer has read, when a
  /// connection is new and after one of them was refused: a second's worth. Asking costs two system
  /// calls, so of a peer that keeps up only every eighth send does, and once a listener's peer
  /// answers pings, a send for which a ping or its pong is due (`ReadingGauge.needsLook`).
  private static let cautiousSends = 64
  private static let sendsBetweenLooks = 8

  final let id: UInt64
  final let remoteAddress: String
  final let addressPrefix: AddressPrefix
  final var session: AnyObject?
  final var state = State.opening {
    didSet { if state != .open, oldValue == .open { noLongerOpen() } }
  }
  final var socket: OpaquePointer?
  final private(set) var end = ConnectionEnd()
  private var cautiousSendsLeft = WebSocketPeer.cautiousSends
  private var sendsToLook = 0

  init(id: UInt64, remoteAddress: String, addressPrefix: AddressPrefix) {
    self.id = id
    self.remoteAddress = remoteAddress
    self.addressPrefix = addressPrefix
  }

  var fastPath: FastPath? { nil }

  /// From now on nothing is sent.
  func noLongerOpen() {}

  // MARK: Flow control

  /// The kernel doubles it: a fraction of a second of a full world. A buffer that is smaller than
  /// two segments of the loopback (64 kB each) has its window closed nearly always, and then the
  /// sender's probes with their growing pauses set the pace, not the reader.
  private static let smallReceiveBufferBytes: Int32 = 65_536

  final var isReading = true {
    didSet {
      guard isReading != oldValue, let socket else { return }
      lws_rx_flow_control(socket, isReading ? 1 : 0)
    }
  }

  final func shrinkReceiveBuffer() {
    guard let socket else { return }
    ListeningSocket.setOption(
      lws_get_socket_fd(socket), SOL_SOCKET, SO_RCVBUF, Self.smallReceiveBufferBytes)
  }

  // MARK: Sending

  final func send(_ frame: OutgoingFrame) -> SendStatus {
    guard state == .open, let socket else { return .closed }
    // A second frame behind a partial one would be queued without bound, and stale.
    if isPartial(socket) { return refuse() }
    if needsLook(sending: frame.count) {
      guard !isChoked(socket), !isPeerLate(socket) else { return refuse() }
      cautiousSendsLeft = max(0, cautiousSendsLeft - 1)
      sendsToLook = Self.sendsBetweenLooks
    }
    return settle(write(frame, to: socket), socket)
  }

  /// A frame has to wait: the next ones are sent with care.
  private final func refuse() -> SendStatus {
    cautiousSendsLeft = Self.cautiousSends
    return state == .open ? .backpressure : .closed
  }

  /// What follows from what the socket did with a frame.
  final func settle(_ status: SendStatus, _ socket: OpaquePointer) -> SendStatus {
    switch status {
    case .sent: return .sent
    case .backpressure: return refuse()
    case .closed:
      abort(socket)
      return .closed
    }
  }

  /// Whether the socket has yet to take a part of the last frame.
  func isPartial(_ socket: OpaquePointer) -> Bool { preconditionFailure("each end has its way") }

  /// Whether it is new, or a send was refused just now.
  final var isCautious: Bool { cautiousSendsLeft > 0 }

  /// Whether the kernel should be asked how it stands before the peer is sent so many bytes more.
  func needsLook(sending bytes: Int) -> Bool {
    sendsToLook = max(0, sendsToLook - 1)
    return isCautious || sendsToLook == 0
  }

  /// Whether the kernel has no room for another frame.
  func isChoked(_ socket: OpaquePointer) -> Bool { lws_send_pipe_choked(socket) != 0 }

  /// Whether what the peer reads is so old that it should be sent nothing more for now.
  func isPeerLate(_ socket: OpaquePointer) -> Bool { false }

  /// Writes one frame; if the socket takes only a part of it, the rest follows.
  ///
  /// - Returns: `backpressure` when it took nothing, and `closed` when it failed.
  func write(_ frame: OutgoingFrame, to socket: OpaquePointer) -> SendStatus {
    preconditionFailure("each end has its way")
  }

  /// Gives up a socket that failed; the end is told from the loop, not from inside a send.
  final func abort(_ socket: OpaquePointer) {
    state = .closing
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
  }

  // MARK: Closing

  final func close(_ code: CloseCode, reason: String) {
    guard state == .open, let socket else { return }
    state = .closing
    end = ConnectionEnd(code: code, reason: CloseReason.truncated(reason), isOwn: true)
    // The close frame follows when the socket is writable and nothing stands in front of it.
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, FixedLimits.closeSeconds)
    lws_callback_on_writable(socket)
  }

  /// Ends a connection of which no sign of life comes: without a close frame, which nobody would
  /// read. An end that was noted before stays the reason.
  final func giveUp(_ reason: String) {
    guard state == .open, let socket else { return }
    end = ConnectionEnd(code: .abnormal, reason: reason, isOwn: true)
    abort(socket)
  }

  /// Keeps what the peer's close frame says.
  final func noteClose(_ code: CloseCode, reason: String) {
    guard state == .open else { return }
    state = .closing
    end = ConnectionEnd(code: code, reason: reason)
  }
}
