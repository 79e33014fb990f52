import Glibc
import Synchronization

@testable import Transport

/// A server on real sockets that remembers what happened, echoes, and broadcasts what it is given.
final class LiveServer: ListenerDelegate, Sendable {
  struct State {
    var opened = 0
    var closed = 0
    var ends: [ConnectionEnd] = []
    var wakes = 0
    var received: [[UInt8]] = []
    var echoed: [[UInt8]] = []
    var addresses: Set<String> = []
    var outgoing: [[UInt8]] = []
    var statuses: [SendStatus] = []
    var closing: (CloseCode, String)?
    var laters: [HTTPLater] = []
    var standstills: [UInt64] = []
    /// Microseconds for which the next wake-up keeps the network thread.
    var pause: UInt32 = 0
  }

  let state = Mutex(State())
  let echoes: Bool
  // Network thread only.
  private nonisolated(unsafe) var connections: [any Connection] = []

  init(echoes: Bool = true) {
    self.echoes = echoes
  }

  func connectionOpened(_ connection: any Connection) {
    connections.append(connection)
    state.withLock {
      $0.opened += 1
      $0.addresses.insert(connection.remoteAddress)
    }
  }

  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    let message = Array(bytes)
    state.withLock { $0.received.append(message) }
    guard echoes else { return }
    if connection.send(OutgoingFrame(copying: message)) == .sent {
      state.withLock { $0.echoed.append(message) }
    }
  }

  func connectionClosed(_ connection: any Connection) {
    connections.removeAll { $0 === connection }
    let end = connection.end
    state.withLock {
      $0.closed += 1
      $0.ends.append(end)
    }
  }

  func woken() {
    let (outgoing, closing, pause) = state.withLock { state in
      defer { (state.outgoing, state.pause) = ([], 0) }
      state.wakes += 1
      return (state.outgoing, state.closing, state.pause)
    }
    if pause > 0 { usleep(pause) }
    for bytes in outgoing {
      let frame = OutgoingFrame(copying: bytes)
      let statuses = connections.map { $0.send(frame) }
      state.withLock { $0.statuses += statuses }
    }
    if let (code, reason) = closing {
      for connection in connections { connection.close(code, reason: reason) }
    }
  }

  func stoodStill(nanoseconds: UInt64) {
    state.withLock { $0.standstills.append(nanoseconds) }
  }

  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    switch request.path {
    case "/healthz": return .response(.json("{\"ok\":true}"))
    case "/echo":
      return .response(.text("\(request.method) \(request.query) \(request.remoteAddress)"))
    case "/later":
      state.withLock { $0.laters.append(later) }
      return .later
    case "/given-up": return .later
    default: return .file
    }
  }

  func act(on request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    guard request.path == "/act" else { return .file }
    return .response(
      .text("\(request.method) \(request.query) \(request.authorization) \(request.isCrossSite)"))
  }

  /// Starts a listener for this server on any free port of the loopback.
  func listen(
    _ change: (inout ListenerConfiguration) -> Void = { _ in }
  ) throws -> WebSocketListener {
    var configuration = ListenerConfiguration(host: "127.0.0.1", port: 0)
    // On a busy machine any client may be late.
    configuration.holdsLateReaders = false
    change(&configuration)
    let listener = WebSocketListener(configuration: configuration, delegate: self)
    try listener.start()
    return listener
  }

  /// Sends the bytes to everybody.
  func broadcast(_ bytes: [UInt8], _ listener: WebSocketListener) {
    state.withLock { $0.outgoing.append(bytes) }
    listener.wake()
  }
}

/// Clients on real sockets that remember what happened.
final class LiveBots: ClientDelegate, Sendable {
  struct State {
    var opened: [UInt64] = []
    var received: [UInt64: [[UInt8]]] = [:]
    var closed: [UInt64: (code: CloseCode, reason: String)] = [:]
    var failed: [UInt64: TransportError] = [:]
    var timers = 0
  }

  let state = Mutex(State())
  let greetings: [[UInt8]]

  init(greetings: [[UInt8]] = []) {
    self.greetings = greetings
  }

  func clientOpened(_ connection: any Connection) {
    for greeting in greetings { _ = connection.send(OutgoingFrame(copying: greeting)) }
    state.withLock { $0.opened.append(connection.id) }
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    let message = Array(bytes)
    state.withLock { $0.received[connection.id, default: []].append(message) }
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    state.withLock { $0.closed[connection.id] = (code, reason) }
  }

  func clientFailed(_ id: UInt64, error: TransportError) {
    state.withLock { $0.failed[id] = error }
  }

  func timerFired(nowNanoseconds: UInt64) {
    state.withLock { $0.timers += 1 }
  }

  /// Starts a pool of these clients against a listener.
  func connect(
    to listener: WebSocketListener, count: Int = 1, scheme: String = "ws", origin: String? = nil,
    subprotocol: String = "stickerpit.v1", timerIntervalMilliseconds: Int = 0,
    acceptsAnyCertificate: Bool = false
  ) throws -> WebSocketClients {
    let clients = try WebSocketClients(
      url: "\(scheme)://127.0.0.1:\(listener.port)/ws", subprotocol: subprotocol, origin: origin,
      delegate: self, timerIntervalMilliseconds: timerIntervalMilliseconds,
      acceptsAnyCertificate: acceptsAnyCertificate)
    for _ in 0..<count { clients.connect() }
    try clients.start()
    return clients
  }
}
