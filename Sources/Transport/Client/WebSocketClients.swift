import CLibWebSockets
import Glibc
import Synchronization

/// Many WebSocket client connections to one server on one loop thread: what bots are made of.
///
/// ```swift
/// let clients = try WebSocketClients(url: "ws://localhost:8080/ws", delegate: bots)
/// try clients.start()
/// for _ in 0..<50 { clients.connect() }
/// ```
public final class WebSocketClients: ClientPool, @unchecked Sendable {
  /// Handshakes under way at a time: enough to be quick, too few to overrun a server's backlog.
  private static let maximumConnecting = 64
  /// Bytes read at a time, for each connection: a few frames of the pit.
  private static let receiveBufferBytes = 8192

  let delegate: any ClientDelegate
  /// Where frames are masked before they are written.
  let scratch = OutgoingFrame(copying: [])

  private let url: ClientURL
  private let subprotocol: String
  private let origin: String?
  private let timerIntervalMilliseconds: Int
  private let acceptsAnyCertificate: Bool
  private let log: @Sendable (String) -> Void

  // Used on the loop's thread only.
  private var connections: [UInt64: ClientConnection] = [:]
  private var connecting = 0
  private var isStopping = false
  private unowned(unsafe) var loop: ServiceLoop!

  // Used on any thread.
  private struct Shared {
    var service: ServiceLoop?
    var wanted: [UInt64] = []
    var connects: UInt64 = 0
  }
  private let shared = Mutex(Shared())
  private var logToken: Int?

  /// - Parameters:
  ///   - url: `ws://host:port/path` or `wss://host:port/path`.
  ///   - subprotocol: the one that is offered.
  ///   - origin: value of the `Origin` header, which only browsers must send.
  ///   - timerIntervalMilliseconds: 0 for no timer.
  ///   - acceptsAnyCertificate: lets a server in that signed its certificate itself.
  ///   - log: receives one line for every trouble that libwebsockets reports, on any thread.
  public init(
    url: String, subprotocol: String = "stickerpit.v1", origin: String? = nil,
    delegate: any ClientDelegate, timerIntervalMilliseconds: Int = 0,
    acceptsAnyCertificate: Bool = false, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(TransportError) {
    self.url = try ClientURL(url)
    self.subprotocol = subprotocol
    self.origin = origin
    self.delegate = delegate
    self.timerIntervalMilliseconds = timerIntervalMilliseconds
    self.acceptsAnyCertificate = acceptsAnyCertificate
    self.log = log
  }

  deinit {
    stop()
  }

  /// Starts the loop thread. May be called once. Connects from before are started now.
  ///
  /// - Parameter expectedConnections: raises the limit on open files for so many.
  public func start(expectedConnections: Int = 1024) throws(TransportError) {
    guard logToken == nil else { throw .alreadyStarted }
    FileLimit.raise(forConnections: expectedConnections)
    logToken = ServiceLog.add(log)
    let service = try ServiceLoop(
      owner: self, subprotocol: subprotocol, receiveBufferBytes: Self.receiveBufferBytes
    ) { info in
      // Otherwise libwebsockets puts a scheme of its own in front of the origin.
      info.options |= UInt64(LWS_SERVER_OPTION_JUST_USE_RAW_ORIGIN)
      if url.isSecure { info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT) }
    }
    loop = service
    if timerIntervalMilliseconds > 0 {
      try service.adoptTimer(UInt64(timerIntervalMilliseconds) * 1_000_000) { [unowned self] in
        if !isStopping { delegate.timerFired(nowNanoseconds: MonotonicClock.nanoseconds()) }
      }
    }
    try service.start()
    shared.withLock { $0.service = service }
    service.wake()
  }

  @discardableResult
  public func connect() -> UInt64 {
    let (number, signal) = shared.withLock { shared in
      defer { shared.connects += 1 }
      shared.wanted.append(shared.connects)
      return (shared.connects, shared.service?.signal)
    }
    signal?.send()
    return number
  }

  /// Has the loop thread call ``ClientDelegate/woken()`` soon. May be called from any thread;
  /// before the start and after the end it does nothing.
  public func wake() {
    let signal = shared.withLock { $0.service?.signal }
    signal?.send()
  }

  public func stop() {
    let service = shared.withLock { shared in
      defer { shared.service = nil }
      return shared.service
    }
    service?.stop()
    if let logToken { ServiceLog.remove(logToken) }
  }
}

// MARK: Connections

extension WebSocketClients: ServiceLoopOwner {
  func servicePrepares(tls context: OpaquePointer) {}

  func serviceWoken() {
    startWanted()
    if !isStopping { delegate.woken() }
  }

  func serviceTicked() {}

  func serviceStoodStill(_ nanoseconds: UInt64) {}

  func serviceTurned() -> Bool { false }

  func serviceStops() {
    isStopping = true
    for connection in connections.values { connection.close(.goingAway, reason: "") }
  }

  var serviceIsEmpty: Bool { connections.count == connecting }

  /// Starts connects that are waiting, as many as may be under way.
  private func startWanted() {
    guard !isStopping, connecting < Self.maximumConnecting else { return }
    let ids = shared.withLock { shared in
      let ids = Array(shared.wanted.prefix(Self.maximumConnecting - connecting))
      shared.wanted.removeFirst(ids.count)
      return ids
    }
    for id in ids { start(id) }
  }

  private func start(_ id: UInt64) {
    let connection = ClientConnection(id: id, remoteAddress: url.host, pool: self)
    connections[id] = connection
    connecting += 1
    let isStarted = withConnectInfo { info in
      info.opaque_user_data = connection.opaque
      return lws_client_connect_via_info(&info) != nil
    }
    if !isStarted {
      connection.failed(status: 0, reason: "no connection could be started")
      remove(connection)
    }
  }

  private func withConnectInfo<Result>(
    _ body: (inout lws_client_connect_info) -> Result
  ) -> Result {
    url.host.withCString { address in
      url.authority.withCString { authority in
        url.path.withCString { path in
          subprotocol.withCString { subprotocol in
            (origin ?? "").withCString { origin in
              var info = lws_client_connect_info()
              info.context = loop.context
              info.vhost = loop.host
              info.address = address
              info.port = Int32(url.port)
              info.path = path
              info.host = authority
              info.origin = self.origin == nil ? nil : origin
              info.protocol = subprotocol
              info.ietf_version_or_minus_one = -1
              info.ssl_connection = tlsFlags
              return body(&info)
            }
          }
        }
      }
    }
  }

  private var tlsFlags: Int32 {
    guard url.isSecure else { return 0 }
    var flags = LCCSCF_USE_SSL.rawValue
    if acceptsAnyCertificate {
      flags |=
        LCCSCF_ALLOW_SELFSIGNED.rawValue | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue
        | LCCSCF_ALLOW_EXPIRED.rawValue | LCCSCF_ALLOW_INSECURE.rawValue
    }
    return Int32(flags)
  }

  func connectEnded() {
    connecting -= 1
    // Not from here, inside a callback about another socket, but from the loop.
    loop.wake()
  }

  func remove(_ connection: ClientConnection) {
    if connections[connection.id] === connection { connections[connection.id] = nil }
  }

  func failure(status: Int, reason: String) -> TransportError {
    if status >= 300 { return .handshakeRejected(status: status) }
    let address = "\(url.host):\(url.port)"
    if reason == "Unable to connect" { return .refused(address) }
    return .connectionFailed(reason)
  }
}
