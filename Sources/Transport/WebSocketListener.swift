import CLibWebSockets
import Glibc
import Synchronization

/// Serves the page over HTTP and WebSocket connections on one port, on one network thread.
///
/// ```swift
/// let listener = WebSocketListener(
///   configuration: ListenerConfiguration(port: 8080, webFolder: "web"), delegate: server)
/// try listener.start()
/// print("http://localhost:\(listener.port)")
/// // from any thread, 60 times a second:
/// listener.wake()
/// // at the end:
/// listener.stop()
/// ```
///
/// With certificate and key the same port speaks TLS; a plain HTTP request to it is answered with
/// a redirect to `https://`.
public final class WebSocketListener: Listener, @unchecked Sendable {
  /// Visitors over plain HTTP beside the WebSocket connections.
  private static let plainVisitors = 256
  /// Sockets of one address that are no WebSocket (yet): a hundred phones of one venue that load
  /// the page in the same moment with six sockets each, and room to spare. Without it one address
  /// could fill the server with silent sockets.
  private static let plainVisitorsPerAddress = 1024
  /// Descriptors for files being sent and whatever else the program has open.
  private static let spareDescriptors = 512

  /// The port that is listened on; before `start()`, the configured one.
  public private(set) var port: UInt16

  let configuration: ListenerConfiguration
  let filter: HandshakeFilter
  let delegate: any ListenerDelegate
  /// Headroom and one piece of a file.
  let scratch: UnsafeMutablePointer<UInt8>
  private(set) var webFolder: WebFolder?

  var isSecure: Bool { configuration.tls != nil }

  // Used on the network thread only.
  /// The time at the last look around, exact enough for signs of life without asking each time.
  private(set) var now = MonotonicClock.nanoseconds()
  private var connections: [ListenerConnection] = []
  private var countsByAddress: [String: Int] = [:]
  private var visitorsByAddress: [String: Int] = [:]
  private var openCount = 0
  private var acceptedCount: UInt64 = 0
  private var reserve = AcceptReserve()
  private var tickets: UInt64 = 0
  private var waiting: [UInt64: ListenerConnection] = [:]
  private let lateAnswers = LateAnswers()

  // Used by whoever starts and stops.
  private let service = Mutex<ServiceLoop?>(nil)
  private var logToken: Int?
  private var tlsStrings: [UnsafeMutablePointer<CChar>] = []

  public init(configuration: ListenerConfiguration, delegate: any ListenerDelegate) {
    self.configuration = configuration
    self.delegate = delegate
    port = configuration.port
    filter = HandshakeFilter(
      path: configuration.socketPath, subprotocol: configuration.subprotocol,
      allowedOrigins: configuration.allowedOrigins)
    scratch = .allocate(capacity: OutgoingFrame.headroom + FileDownload.pieceBytes)
  }

  deinit {
    stop()
    scratch.deallocate()
    for string in tlsStrings { free(string) }
  }

  /// Checks the configuration, binds the port, reads certificate and key, and starts the network
  /// thread. The first delegate call may come before this returns. May be called once.
  public func start() throws(TransportError) {
    guard logToken == nil else { throw .alreadyStarted }
    try configuration.validate()
    if let path = configuration.webFolder { webFolder = try WebFolder(path: path) }
    try configuration.tls?.validate()
    FileLimit.raise(
      to: configuration.maximumConnections + Self.plainVisitors + Self.spareDescriptors)
    let listening = try ListeningSocket.open(
      host: configuration.host, port: configuration.port, sharing: configuration.portSharing)
    port = listening.port
    logToken = ServiceLog.add(configuration.log)
    do throws(TransportError) {
      let loop = try makeLoop(listening)
      try loop.start()
      service.withLock { $0 = loop }
    } catch {
      ServiceLog.remove(logToken!)
      throw error
    }
  }

  public func wake() {
    service.withLock { $0?.wake() }
  }

  public func stop() {
    let loop = service.withLock { service in
      defer { service = nil }
      return service
    }
    guard let loop else { return }
    loop.stop()
    if let logToken { ServiceLog.remove(logToken) }
  }

  /// Makes the loop with the listening sockets in it; they are its own from now on.
  private func makeLoop(_ listening: ListeningSocket) throws(TransportError) -> ServiceLoop {
    var waiting = listening.descriptors
    defer { for descriptor in waiting { close(descriptor) } }
    let loop = try makeEmptyLoop()
    while let descriptor = waiting.popLast() {
      try loop.adopt(descriptor) { [unowned self, unowned loop] in
        acceptAll(from: descriptor, into: loop)
      }
    }
    return loop
  }

  private func makeEmptyLoop() throws(TransportError) -> ServiceLoop {
    let troubles = TroubleCollector()
    defer { troubles.stop() }
    do throws(TransportError) {
      return try ServiceLoop(
        owner: self, subprotocol: configuration.subprotocol,
        receiveBufferBytes: min(max(configuration.maximumMessageBytes, 128), 4096)
      ) { info in
        tlsStrings = configuration.tls?.configure(&info) ?? []
      }
    } catch .setupFailed(let text) {
      throw configuration.tls?.failure(from: troubles.lines) ?? .setupFailed(text)
    }
  }
}

// MARK: Connections

extension WebSocketListener: ServiceLoopOwner {
  func serviceWoken() {
    for (ticket, response) in lateAnswers.takeAll() {
      waiting.removeValue(forKey: ticket)?.answerLate(response)
    }
    delegate.woken()
  }

  func serviceStoodStill(_ nanoseconds: UInt64) {
    delegate.stoodStill(nanoseconds: nanoseconds)
  }

  /// The right to answer a visitor's request later.
  func makeLater(for visitor: ListenerConnection) -> (ticket: UInt64, later: HTTPLater) {
    tickets += 1
    let ticket = tickets
    let later = HTTPLater { [lateAnswers, weak self] response in
      lateAnswers.leave(response, for: ticket)
      self?.wake()
    }
    return (ticket, later)
  }

  /// The visitor waits for an answer that is made elsewhere; nobody does any more.
  func setWaiting(_ visitor: ListenerConnection?, for ticket: UInt64) {
    waiting[ticket] = visitor
  }

  func serviceTicked() {
    now = MonotonicClock.nanoseconds()
    guard configuration.pingSeconds > 0 else { return }
    let pingAfter = UInt64(configuration.pingSeconds) * 1_000_000_000
    let hangupAfter = UInt64(configuration.hangupSeconds) * 1_000_000_000
    for connection in connections {
      connection.checkSigns(pingAfter: pingAfter, hangupAfter: hangupAfter)
    }
  }

  func serviceStops() {
    for connection in connections { connection.close(.goingAway, reason: "the server stops") }
  }

  var serviceIsEmpty: Bool { openCount == 0 }

  private func acceptAll(from descriptor: Int32, into loop: ServiceLoop) {
    while true {
      var address = sockaddr_storage()
      let client = reserve.accept(descriptor, &address, log: configuration.log)
      guard client >= 0 else { return }
      guard connections.count < configuration.maximumConnections + Self.plainVisitors else {
        close(client)
        continue
      }
      let text = SocketAddress.text(&address)
      guard visitorsByAddress[text, default: 0] < Self.plainVisitorsPerAddress else {
        close(client)
        continue
      }
      adopt(client, from: text, into: loop)
    }
  }

  private func adopt(_ client: Int32, from address: String, into loop: ServiceLoop) {
    ListeningSocket.setOption(client, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // The kernel would hoard seconds of stale frames for a slow reader: a socket with more than
    // this unsent takes no further frame.
    ListeningSocket.setOption(client, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 4096)
    let connection = ListenerConnection(id: acceptedCount, remoteAddress: address, listener: self)
    acceptedCount += 1
    connection.index = connections.count
    connections.append(connection)
    visitorsByAddress[address, default: 0] += 1
    if !loop.adoptVisitor(client, peer: connection) { remove(connection) }
  }

  func remove(_ connection: ListenerConnection) {
    guard connection.index >= 0 else { return }
    let last = connections.removeLast()
    if last !== connection {
      connections[connection.index] = last
      last.index = connection.index
    }
    connection.index = -1
    if connection.isVisitor { visitorLeft(connection.remoteAddress) }
  }

  private func visitorLeft(_ address: String) {
    guard let count = visitorsByAddress[address] else { return }
    visitorsByAddress[address] = count > 1 ? count - 1 : nil
  }

  func refusalByCount(of address: String) -> HandshakeFilter.Refusal? {
    if openCount >= configuration.maximumConnections {
      return .init(status: 503, reason: "the pit is full")
    }
    if countsByAddress[address, default: 0] >= configuration.maximumConnectionsPerAddress {
      return .init(status: 429, reason: "too many connections from your address")
    }
    return nil
  }

  func countOpened(_ connection: ListenerConnection) {
    openCount += 1
    connection.isVisitor = false
    visitorLeft(connection.remoteAddress)
    countsByAddress[connection.remoteAddress, default: 0] += 1
  }

  func countClosed(_ connection: ListenerConnection) {
    openCount -= 1
    let left = countsByAddress[connection.remoteAddress, default: 1] - 1
    countsByAddress[connection.remoteAddress] = left == 0 ? nil : left
  }
}
