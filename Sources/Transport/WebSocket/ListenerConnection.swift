import CLibWebSockets
import Glibc

/// One WebSocket of a listener, from the answered handshake to its end. libwebsockets moves the
/// bytes; the protocol is spoken here.
final class ListenerConnection: WebSocketPeer, RosterMember {
  /// Bytes of the longest frame that is written together with a ping behind TLS. There nothing of a
  /// write can be read before all of it has come, so with a longer frame the ping would arrive as
  /// late as the frame.
  private static let mostWithPing = 2048

  /// All its connections have ended before it stops, and none uses it after that.
  unowned(unsafe) let listener: WebSocketListener
  private let time: LoopTime
  var place = -1
  private let reader: WebSocketReader
  private var budget: ConnectionBudget
  /// The payload of the ping that is to be answered: the latest one, if several came meanwhile.
  private var pong: [UInt8]?
  private var signs: SignsOfLife
  private let holdsLateReaders: Bool
  /// Unchecked, like all that each frame changes: what is called meanwhile never comes back to it,
  /// and the check would cost a fiftieth of what sending a frame does.
  @exclusivity(unchecked) private var gauge: ReadingGauge
  /// A ping that goes in front of the frame that is being sent, in one write with it: a system call
  /// of its own, and a segment, would cost almost as much as a frame.
  @exclusivity(unchecked) private var waitingPing: [UInt8] = []
  private var closing = ClosingHandshake()
  private let raw: RawSocket
  private let fastPathSlots: FastPathSlots
  private var path: FastPath!
  override var fastPath: FastPath? { path }
  @exclusivity(unchecked) private var output: SocketOutput

  init(
    id: UInt64, socket: OpaquePointer, output: SocketOutput, remoteAddress: String,
    addressPrefix: AddressPrefix, listener: WebSocketListener
  ) {
    self.listener = listener
    time = listener.loopTime
    signs = SignsOfLife(at: listener.loopTime.now)
    self.output = output
    raw = RawSocket(socket)
    fastPathSlots = listener.fastPathSlots
    gauge = ReadingGauge(seed: id)
    holdsLateReaders = listener.configuration.holdsLateReaders
    reader = WebSocketReader(maximumMessageBytes: listener.configuration.maximumMessageBytes)
    budget = ConnectionBudget(listener.configuration.traffic)
    super.init(id: id, remoteAddress: remoteAddress, addressPrefix: addressPrefix)
    self.socket = socket
    path = fastPathSlots.take(for: self, raw)
    state = .open
    lws_rx_flow_control(socket, 1)
  }

  deinit {
    closeFastPath()
    fastPathSlots.giveBack(path)
  }

  override func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RAW_RX:
      return receive(
        UnsafeMutableBufferPointer(start: input?.assumingMemoryBound(to: UInt8.self), count: length)
      )
    case LWS_CALLBACK_RAW_WRITEABLE:
      return continueWriting(socket)
    case LWS_CALLBACK_RAW_SKT_DROP_PROTOCOL, LWS_CALLBACK_RAW_CLOSE:
      // The descriptor is closed next; the kernel may give its number to somebody else.
      closeFastPath()
      return 0
    case LWS_CALLBACK_WSI_DESTROY:
      ended()
      self.socket = nil
      return 0
    default:
      return unexpected(reason)
    }
  }

  /// Tells the delegate once that the connection is over.
  private func ended() {
    guard state == .open || state == .closing else { return }
    state = .closed
    listener.closed(self)
    session = nil
  }

  // MARK: Receiving

  private func receive(_ input: UnsafeMutableBufferPointer<UInt8>) -> Int32 {
    guard !closing.hasHeardAll else { return closing.takeRest(input.count) ? 0 : -1 }
    signs.note(at: time.now)
    guard budget.takeBytes(input.count, at: time.now) else {
      return breakOff(.policy, "too many bytes")
    }
    var bytes = input[...]
    while let event = reader.next(&bytes) {
      guard budget.takeFrame(at: time.now) else {
        return breakOff(.policy, "too many frames")
      }
      switch event {
      case .fragment: break
      case .pong(let payload):
        guard takesControl else { return breakOff(.policy, "too many pings and pongs") }
        heardPong(payload)
      case .message(let message):
        if state == .open { listener.delegate.connection(self, received: message) }
      case .ping(let payload):
        guard takesControl else { return breakOff(.policy, "too many pings and pongs") }
        pong = Array(payload)
        if let socket { lws_callback_on_writable(socket) }
      case .close(let code, let reason):
        return heardClose(code, reason)
      case .violation(let code, let reason):
        return breakOff(code, reason)
      }
    }
    return 0
  }

  private var takesControl: Bool { budget.takeControl(at: time.now) }

  /// Nothing more is read of this client.
  private func breakOff(_ code: CloseCode, _ reason: String) -> Int32 {
    closing.hasHeardAll = true
    close(code, reason: reason)
    return closing.hasSaidClose ? -1 : 0
  }

  private func heardClose(_ code: CloseCode, _ reason: String) -> Int32 {
    closing.hasHeardAll = true
    noteClose(code, reason: reason)
    guard let socket else { return -1 }
    if closing.hasSaidClose {
      endSending(socket)
    } else {
      lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, FixedLimits.afterCloseSeconds)
      lws_callback_on_writable(socket)
    }
    return 0
  }

  /// The process stood still for so many nanoseconds, which don't count against the client.
  func forgive(_ standstill: UInt64) {
    budget.forgive(standstill)
    signs.forgive(standstill)
  }

  // MARK: Writing

  override func isPartial(_ socket: OpaquePointer) -> Bool { output.isPartial }

  override func write(_ frame: OutgoingFrame, to socket: OpaquePointer) -> SendStatus {
    let status = writeWithPing(frame)
    if status == .sent { openFastPath() }
    return status
  }

  private func writeWithPing(_ frame: OutgoingFrame) -> SendStatus {
    guard !waitingPing.isEmpty else { return took(raw.send(frame.whole), of: frame.whole) }
    let ping = waitingPing
    waitingPing = []
    // The gauge counts on the ping, so what the socket does not take of it follows in any case.
    if raw.isEncrypted, frame.count > Self.mostWithPing {
      let isWritten = output.write(ping, to: raw) && output.writeBehind(frame.whole, to: raw)
      return isWritten ? .sent : .closed
    }
    return output.write(ping + frame.whole, to: raw) ? .sent : .closed
  }

  /// The socket took so many bytes of a frame, or failed (-1). The rest of a frame that it began
  /// follows; one that it took nothing of is left out, because it would be stale by then. OpenSSL
  /// keeps what it has encrypted, and so such a frame always follows.
  private func took(_ count: Int, of bytes: UnsafeBufferPointer<UInt8>) -> SendStatus {
    assert(!bytes.isEmpty)
    if count == 0, !raw.isEncrypted { return .backpressure }
    return output.wrote(count, of: bytes, to: raw) ? .sent : .closed
  }

  // MARK: The fast path

  /// Lets frames take the fast path, if they may.
  private func openFastPath() {
    guard state == .open, !isCautious, holdsLateReaders, !output.isPartial, waitingPing.isEmpty,
      let limits = gauge.quietLimits(at: time.now)
    else { return }
    path.open(limits, bytesSincePing: gauge.bytesSincePing)
  }

  private func closeFastPath() {
    if let bytesSincePing = path.close() { gauge.bytesSincePing = bytesSincePing }
  }

  override func noLongerOpen() { closeFastPath() }

  /// The fast path has written a frame, but the socket did not take all of it, or failed.
  ///
  /// - Parameter count: how many bytes it took, or -1.
  func fastPathTook(_ count: Int, of bytes: UnsafeBufferPointer<UInt8>) -> SendStatus {
    closeFastPath()
    guard let socket else { return .closed }
    return settle(took(count, of: bytes), socket)
  }

  /// The socket is writable: a pong, a ping or a close may be waiting for that. None of them is put
  /// behind a frame that is only partly written.
  private func continueWriting(_ socket: OpaquePointer) -> Int32 {
    closeFastPath()
    guard output.drain(to: raw) else { return -1 }
    guard !output.isPartial else { return 0 }
    if let pong, state == .open {
      self.pong = nil
      return writeControl(.pong, pong, socket)
    }
    if state == .open, signs.takePing() { return writeControl(.ping, [], socket) }
    guard state == .closing else { return 0 }
    guard !closing.hasSaidClose else {
      if closing.hasHeardAll { endSending(socket) }
      return 0
    }
    closing.hasSaidClose = true
    return writeControl(.close, end.closePayload, socket)
  }

  private func writeControl(
    _ opcode: FrameHeader.Opcode, _ payload: [UInt8], _ socket: OpaquePointer
  ) -> Int32 {
    guard output.write(FrameHeader.control(opcode, payload), to: raw) else { return -1 }
    // There may be more to say.
    lws_callback_on_writable(socket)
    return 0
  }

  /// All is said on both sides: the client reads it, and hangs up.
  private func endSending(_ socket: OpaquePointer) {
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, FixedLimits.afterCloseSeconds)
    shutdown(raw.descriptor, Int32(SHUT_WR))
  }

  // MARK: What the client has read

  override func needsLook(sending bytes: Int) -> Bool {
    closeFastPath()
    let mustLook = gauge.needsLook(sending: bytes, at: time.now)
    guard let mustLook, holdsLateReaders else { return super.needsLook(sending: bytes) }
    guard mustLook || isCautious else { return false }
    // A thread that is late can't tell who reads slowly, and has no time for asking.
    return !time.isTurnLate || super.needsLook(sending: bytes)
  }

  /// A peer whose pongs tell what it has read is held long before the kernel's room is used up.
  override func isChoked(_ socket: OpaquePointer) -> Bool {
    (isCautious || !holdsLateReaders || !gauge.answersPings) && super.isChoked(socket)
  }

  /// Looks at the socket, and pings. The ping stands before the frame that is about to be sent.
  override func isPeerLate(_ socket: OpaquePointer) -> Bool {
    // While this thread is late, pongs that came in time may not have been heard.
    guard holdsLateReaders, !time.isTurnLate else { return false }
    var progress = stickerpit_progress()
    guard stickerpit_read_progress(raw.descriptor, &progress) != 0 else { return false }
    let isLate = gauge.isPeerLate(progress, at: time.now)
    guard let end = gauge.takePing(at: time.now) else { return isLate }
    let ping = FrameHeader.control(.ping, withUnsafeBytes(of: end.littleEndian) { Array($0) })
    guard isLate else {
      waitingPing = ping
      return false
    }
    if !output.write(ping, to: raw) { abort(socket) }
    return true
  }

  private func heardPong(_ payload: UnsafeRawBufferPointer) {
    guard payload.count == MemoryLayout<UInt64>.size else { return }
    let end = UInt64(littleEndian: payload.loadUnaligned(as: UInt64.self))
    closeFastPath()
    gauge.heardPong(upTo: end, at: time.now)
    openFastPath()
  }

  // MARK: Signs of life

  /// Asks a silent client for a sign, and gives it up when none comes. Done here and not by
  /// libwebsockets, whose sorted timers cost a walk over all clients for each sign of each client.
  func checkSigns(_ limits: SilenceLimits) {
    guard state == .open, let socket else { return }
    switch signs.step(limits, at: time.now) {
    case .nothing: break
    case .giveUp: giveUp(limits.reason)
    case .ping: lws_callback_on_writable(socket)
    }
  }
}
