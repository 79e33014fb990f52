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
  /// The port that is listened on; before `start()`, the configured one.
  public private(set) var port: UInt16

  /// Changed on the network thread only, once it runs.
  private(set) var configuration: ListenerConfiguration
  private(set) var filter: HandshakeFilter
  let delegate: any ListenerDelegate
  private let share: PortShare
  private let logsService: Bool
  private(set) var webFolder: WebFolder?

  let counts: PortCounts
  var isSecure: Bool { configuration.tls != nil }

  // Used on the network thread only.
  /// When the loop last went on from waiting, in monotonic nanoseconds.
  var now: UInt64 { loop?.time.now ?? MonotonicClock.nanoseconds() }
  /// The network thread's time, once it runs.
  var loopTime: LoopTime { loop!.time }
  private unowned(unsafe) var loop: ServiceLoop?
  // Made when first used, which is after their limits were checked.
  private lazy var acceptor = Acceptor(
    configuration, share, clock: { [unowned self] in now }, onEntry: { [unowned self] in adopt($0) }
  )
  private lazy var visitors = VisitorPool(configuration.traffic)
  private lazy var desk = HTTPDesk(
    configuration.traffic, share, hosts: TrustedHosts(allowed: configuration.allowedHosts))
  private var connections = Roster<ListenerConnection>()
  let fastPathSlots = FastPathSlots()
  private var openedCount: UInt64 = 0
  let lateAnswers = LateAnswers()
  private var isClosed = false

  // Used on any thread.
  private let change = Mutex<(ListenerConfiguration, ServerCertificate?)?>(nil)
  private let visitorsSeen = Atomic<Int>(0)
  private let isPortUnwanted = Atomic<Bool>(false)
  private let service = ListenerService()

  /// - Parameters:
  ///   - configuration: what it serves, and how much of it.
  ///   - delegate: is called on the network thread.
  ///   - logsService: whether the configuration's log receives the lines of libwebsockets, whose
  ///     log is one for the whole process.
  public convenience init(
    configuration: ListenerConfiguration, delegate: any ListenerDelegate, logsService: Bool = true
  ) {
    self.init(
      configuration: configuration, delegate: delegate,
      share: PortShare(configuration.traffic, ticketSecret: configuration.ticketSecret),
      logsService: logsService)
  }

  /// - Parameters:
  ///   - share: what the listeners of the port count together.
  ///   - webFolder: the folder that they serve together; nil to open the configuration's at the
  ///     start.
  ///   - logsService: whether the configuration's log receives the lines of libwebsockets, whose
  ///     log is one for the whole process.
  init(
    configuration: ListenerConfiguration, delegate: any ListenerDelegate, share: PortShare,
    webFolder: WebFolder? = nil, logsService: Bool
  ) {
    self.logsService = logsService
    self.configuration = configuration
    self.delegate = delegate
    self.share = share
    self.webFolder = webFolder
    port = configuration.port
    counts = configuration.counts
    filter = HandshakeFilter(configuration)
  }

  deinit {
    stop()
  }

  /// Checks the configuration, binds the port, reads certificate and key, and starts the network
  /// thread. The first delegate call may come before this returns. May be called once.
  public func start() throws(TransportError) {
    guard !service.wasStarted else { throw .alreadyStarted }
    try configuration.validate()
    if webFolder == nil, let path = configuration.webFolder {
      webFolder = try WebFolder(path: path, log: configuration.log)
    }
    try configuration.tls?.validate()
    FileLimit.raise(for: configuration)
    let listening =
      configuration.handedSockets.isEmpty
      ? try ListeningSocket.open(
        host: configuration.host, port: configuration.port, sharing: configuration.portSharing)
      : try ListeningSocket.adopt(configuration.handedSockets)
    port = listening.port
    var sockets = listening.descriptors
    // Those that the loop has not taken over, if it could not start.
    defer { for descriptor in sockets { close(descriptor) } }
    try service.start(
      configuration, owner: self, logsService: logsService
    ) { loop throws(TransportError) in
      self.loop = loop
      try acceptor.watch(&sockets, on: loop)
    }
  }

  /// Visitors at the last look around.
  var visitorCount: Int { visitorsSeen.load(ordering: .relaxed) }

  /// How often the network thread's loop went round.
  var turnCount: UInt64 { service.turnCount }

  /// Has the network thread take over another configuration, before it does anything else.
  /// - Parameter certificate: the one to present from now on, if it is another.
  func change(_ configuration: ListenerConfiguration, _ certificate: ServerCertificate?) {
    change.withLock { change in
      // One that was not taken yet would be lost otherwise.
      change = (configuration, certificate ?? change?.1)
    }
    wake()
  }

  private func apply(_ configuration: ListenerConfiguration, _ certificate: ServerCertificate?) {
    self.configuration = configuration
    filter = HandshakeFilter(configuration)
    visitors.limits = configuration.traffic
    desk.change(
      configuration.traffic, share, hosts: TrustedHosts(allowed: configuration.allowedHosts))
    acceptor.change(configuration, certificate)
  }

  public func wake() { service.wake() }

  public func closePort() {
    isPortUnwanted.store(true, ordering: .releasing)
    wake()
  }

  /// Begins to part with everybody, without waiting for the end; `stop` does.
  func beginStop() { service.beginStop() }

  public func stop() { service.stop() }
}

// MARK: The loop's calls

extension WebSocketListener: ServiceLoopOwner {
  func servicePrepares(tls context: OpaquePointer) { acceptor.prepare(tls: context) }

  func serviceWoken() {
    let news = change.withLock { change in
      defer { change = nil }
      return change
    }
    if let (configuration, certificate) = news { apply(configuration, certificate) }
    if !isClosed, isPortUnwanted.load(ordering: .acquiring) {
      isClosed = true
      acceptor.stop()
    }
    lateAnswers.handOver()
    delegate.woken()
  }

  func serviceTicked() {
    for visitor in visitors.all where visitor.clock.isOver(at: now, configuration.traffic) {
      visitor.hangUp(visitor.clock.phase == .waiting ? .unanswered : .slowness)
    }
    acceptor.tick()
    visitorsSeen.store(visitors.count + acceptor.waitingCount, ordering: .relaxed)
    guard let limits = SilenceLimits(configuration) else { return }
    for connection in connections.all { connection.checkSigns(limits) }
  }

  func serviceStoodStill(_ nanoseconds: UInt64) {
    for visitor in visitors.all { visitor.clock.forgive(nanoseconds) }
    acceptor.forgive(nanoseconds)
    for connection in connections.all { connection.forgive(nanoseconds) }
    delegate.stoodStill(nanoseconds: nanoseconds)
  }

  func serviceTurned() -> Bool {
    let isMoreToAccept = acceptor.turn()
    return desk.serve(at: now) || isMoreToAccept
  }

  func serviceStops() {
    acceptor.stop()
    for connection in connections.all { connection.close(.goingAway, reason: "the server stops") }
  }

  var serviceIsEmpty: Bool { connections.count == 0 }
}

// MARK: Visitors

extension WebSocketListener {
  /// Somebody is let in.
  private func adopt(_ accepted: AcceptedSocket) {
    let prefix = accepted.addressPrefix
    visitors.inTheWay(of: prefix)?.hangUp(.crowd)
    let visitor = Visitor(accepted, listener: self, now: now)
    visitors.insert(visitor)
    desk.countConnection(of: prefix, at: now)
    if loop?.adoptSocket(accepted.descriptor, peer: visitor) != true { visitors.remove(visitor) }
  }

  func remove(_ visitor: Visitor) { visitors.remove(visitor) }

  /// A proxy's visitor asks for another client from now on.
  func move(_ visitor: Visitor, to prefix: AddressPrefix, _ change: () -> Void) {
    if prefix.isAddress { visitors.inTheWay(within: prefix)?.hangUp(.crowd) }
    visitors.move(visitor, change)
  }

  /// For whom a proxy asks.
  func client(of head: RequestHead, through proxy: NumericAddress) -> NumericAddress {
    acceptor.client(of: head, through: proxy)
  }

  /// Counts for its client a connection that a proxy had made; whether it may stay.
  func admitThroughProxy(_ prefix: AddressPrefix) -> Bool { acceptor.admitThroughProxy(prefix) }

  func visitorSpoke() { visitors.spoke() }

  /// Has a visitor's request answered, or its answer continued, when it is its turn.
  func queue(_ visitor: Visitor) { desk.queue(visitor) }

  /// Counts what reading a request cost.
  func countRequest(of prefix: AddressPrefix) { desk.countRequest(of: prefix, at: now) }

  /// Why a request is not even looked at, if so.
  func refusal(of head: RequestHead, from visitor: Visitor) -> RequestRefusal? {
    desk.refusal(of: head, from: visitor.addressPrefix, at: now)
  }

  /// The right to answer a request later.
  func makeLater() -> (ticket: UInt64, later: HTTPLater) {
    // Not the listener: whoever is held weakly is counted more slowly for ever, at each frame.
    lateAnswers.makeRight { [service] in service.wake() }
  }
}

// MARK: WebSockets

extension WebSocketListener {
  /// Takes room for a WebSocket, which `open` needs. Why there is none, if so.
  func takeRoom(for prefix: AddressPrefix) -> RequestRefusal? {
    guard !isClosed else { return RequestRefusal(503, "the server ends: come back") }
    return share.takeSocket(of: prefix, within: configuration)
  }

  /// Gives back room that was taken and is not needed.
  func giveBackRoom(of prefix: AddressPrefix) { share.giveBackSocket(of: prefix) }

  /// A visitor's socket is a WebSocket from now on.
  func open(
    _ socket: OpaquePointer, _ output: SocketOutput, from address: String, _ prefix: AddressPrefix
  ) {
    let connection = ListenerConnection(
      id: openedCount, socket: socket, output: output, remoteAddress: address,
      addressPrefix: prefix, listener: self)
    openedCount += 1
    lws_set_opaque_user_data(socket, connection.opaque)
    connections.insert(connection)
    delegate.connectionOpened(connection)
  }

  func closed(_ connection: ListenerConnection) {
    delegate.connectionClosed(connection)
    connections.remove(connection)
    share.giveBackSocket(of: connection.addressPrefix)
  }
}
