import CLibWebSockets
import Glibc

/// A WebSocket of libwebsockets with its states, shared by both ends: the listener's connections
/// and the clients differ in how they open and whom they tell.
class WebSocketPeer: ServicePeer, Connection {
  enum State { case opening, open, closing, closed }

  /// How many sends ask the kernel whether the socket is choked, after it once was. Asking costs
  /// a system call, so a peer that keeps up is not asked about.
  private static let cautiousSends = 64
  /// Seconds that a close may wait until the frame before it is written.
  private static let closeSeconds: Int32 = 5

  final let id: UInt64
  final let remoteAddress: String
  final let addressPrefix: AddressPrefix
  final var session: AnyObject?
  final var state = State.opening
  final var socket: OpaquePointer?
  final private(set) var closeCode = CloseCode.abnormal
  final private(set) var closeReason = ""
  private var cautiousSendsLeft = 8
  private var hasSaidClose = false
  private var message: [UInt8] = []
  private let maximumMessageBytes: Int

  init(id: UInt64, remoteAddress: String, maximumMessageBytes: Int) {
    self.id = id
    self.remoteAddress = remoteAddress
    addressPrefix = AddressPrefix(remoteAddress)
    self.maximumMessageBytes = maximumMessageBytes
  }

  // MARK: Flow control

  /// The kernel doubles it: about a second of a busy pit. With much less the window closes so often
  /// that its probes' back-off, not the reader, sets the pace.
  private static let pausedReceiveBufferBytes: Int32 = 8192

  final var isReading = true {
    didSet {
      guard isReading != oldValue, let socket else { return }
      if !isReading {
        var bytes = Self.pausedReceiveBufferBytes
        setsockopt(
          lws_get_socket_fd(socket), SOL_SOCKET, SO_RCVBUF, &bytes,
          socklen_t(MemoryLayout.size(ofValue: bytes)))
      }
      lws_rx_flow_control(socket, isReading ? 1 : 0)
    }
  }

  // MARK: Sending

  final func send(_ frame: OutgoingFrame) -> SendStatus {
    guard state == .open, let socket else { return .closed }
    // A second frame behind a partial one would be queued without bound, and stale.
    if lws_partial_buffered(socket) != 0 {
      cautiousSendsLeft = Self.cautiousSends
      return .backpressure
    }
    if cautiousSendsLeft > 0 {
      guard lws_send_pipe_choked(socket) == 0 else {
        cautiousSendsLeft = Self.cautiousSends
        return .backpressure
      }
      cautiousSendsLeft -= 1
    }
    guard write(frame, to: socket) else {
      abort(socket)
      return .closed
    }
    return .sent
  }

  /// Writes one frame whole; libwebsockets keeps what the socket does not take at once.
  func write(_ frame: OutgoingFrame, to socket: OpaquePointer) -> Bool {
    Int(lws_write(socket, frame.payload, frame.count, LWS_WRITE_BINARY)) >= frame.count
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
    closeCode = code
    closeReason = CloseReason.truncated(reason)
    // The close frame follows in `writeClose`, when nothing stands in front of it any more.
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, Self.closeSeconds)
    lws_callback_on_writable(socket)
  }

  /// The socket is writable: if it is to close, says so and answers the -1 that starts it.
  final func writeClose(_ socket: OpaquePointer) -> Int32 {
    // Once: a second -1 would hang up before the peer has read the first close frame.
    guard state == .closing, !hasSaidClose else { return 0 }
    hasSaidClose = true
    var reason = Array(closeReason.utf8)
    let status = lws_close_status(UInt32(closeCode.isSendable ? closeCode.rawValue : 1000))
    lws_close_reason(socket, status, &reason, reason.count)
    return -1
  }

  /// Keeps the code of the peer's close frame.
  final func noteClose(input: UnsafeMutableRawPointer?, length: Int) {
    guard state == .open else { return }
    state = .closing
    guard let input, length >= 2 else {
      closeCode = .noStatus
      return
    }
    let bytes = UnsafeRawBufferPointer(start: input, count: length)
    closeCode = CloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    closeReason = String(decoding: bytes.dropFirst(2), as: UTF8.self)
  }

  // MARK: Receiving

  /// A piece of a message arrived: a whole one is delivered where it lies, others are gathered.
  final func receive(
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
    guard missing <= maximumMessageBytes, message.count + length + missing <= maximumMessageBytes
    else {
      message = []
      return close(.tooBig, reason: "at most \(maximumMessageBytes) bytes")
    }
    let piece = UnsafeRawBufferPointer(start: input, count: length)
    let isFinal = lws_is_final_fragment(socket) != 0
    if isFinal, message.isEmpty { return deliver(piece) }
    message.append(contentsOf: piece)
    guard isFinal else { return }
    message.withUnsafeBytes(deliver)
    message.removeAll(keepingCapacity: true)
  }
}
