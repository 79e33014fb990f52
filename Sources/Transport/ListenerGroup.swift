/// Listeners on one port, each with a network thread of its own: the kernel spreads connections
/// over them, by the address and port that they come from.
///
/// ```swift
/// let listeners = ListenerGroup(configuration: configuration, delegates: [first, second])
/// try listeners.start()
/// listeners.wake()
/// listeners.stop()
/// ```
public final class ListenerGroup: Listener, @unchecked Sendable {
  /// Used by whoever starts and changes, which is one thread at a time.
  private var configuration: ListenerConfiguration
  private var certificate: ServerCertificate?
  private let share: PortShare
  private let delegates: [any ListenerDelegate]
  private let logsService: Bool
  /// Written by `start` only, before anything else is called.
  private var listeners: [WebSocketListener] = []

  /// - Parameters:
  ///   - configuration: of each of them; its `portSharing` is chosen here.
  ///   - delegates: one for each thread, at least one.
  ///   - logsService: whether the configuration's log receives the lines of libwebsockets, whose
  ///     log is one for the whole process.
  public init(
    configuration: ListenerConfiguration, delegates: [any ListenerDelegate],
    logsService: Bool = true
  ) {
    precondition(!delegates.isEmpty)
    self.configuration = configuration
    self.delegates = delegates
    self.logsService = logsService
    // Limits are checked when they start, see `PortShare`.
    share = PortShare(configuration.traffic, ticketSecret: configuration.ticketSecret)
  }

  deinit { stop() }

  /// The port that is listened on; before `start()`, the configured one.
  public var port: UInt16 { listeners.first?.port ?? configuration.port }

  /// Starts one after the other; when one can't, none is left running. May be called once.
  public func start() throws(TransportError) {
    guard listeners.isEmpty else { throw .alreadyStarted }
    try configuration.validate()
    FileLimit.raise(for: configuration)
    // One for all: when its build is over for one of them, it is for each.
    let webFolder = try configuration.webFolder.map { path throws(TransportError) in
      try WebFolder(path: path, log: configuration.log)
    }
    for (index, delegate) in delegates.enumerated() {
      var own = configuration
      own.port = port
      own.portSharing = delegates.count == 1 ? .exclusive : index == 0 ? .first : .next
      own.traffic = configuration.traffic.divided(among: delegates.count)
      let listener = WebSocketListener(
        configuration: own, delegate: delegate, share: share, webFolder: webFolder,
        logsService: logsService && index == 0)
      do throws(TransportError) {
        try listener.start()
      } catch {
        stop()
        throw error
      }
      listeners.append(listener)
    }
    // To know later whether the files hold another one.
    certificate = configuration.tls.flatMap { try? ServerCertificate($0) }
  }

  /// From now on another configuration holds for all of them: its limits, origins, hosts, proxies
  /// and the certificate that its files hold now. What else it says is left as it is; the room that
  /// `traffic.visitors` makes and the addresses that are remembered, too. An address gets no more
  /// connections than `maximumConnections` was at the start. Connections stay.
  ///
  /// - Returns: whether another certificate is presented from now on.
  /// - Throws: what is wrong with it; then nothing has changed.
  public func change(_ new: ListenerConfiguration) throws(TransportError) -> Bool {
    var next = configuration
    next.allowedOrigins = new.allowedOrigins
    next.allowedHosts = new.allowedHosts
    next.trustedProxies = new.trustedProxies
    next.maximumConnectionsPerAddress = min(
      new.maximumConnectionsPerAddress, configuration.maximumConnections)
    next.pingSeconds = new.pingSeconds
    next.silenceSeconds = new.silenceSeconds
    next.traffic = new.traffic
    next.traffic.visitors = configuration.traffic.visitors
    next.traffic.rememberedAddresses = configuration.traffic.rememberedAddresses
    if configuration.tls != nil, let files = new.tls { next.tls = files }
    try next.validate()
    let fresh = try next.tls.map { files throws(TransportError) in try ServerCertificate(files) }
    if let fresh, let certificate, !fresh.canReplace(certificate) {
      throw .badConfiguration("the new certificate has another kind of key: it needs a restart")
    }
    let isOther = fresh.map { fresh in certificate.map { !fresh.isSame(as: $0) } ?? true } ?? false
    if next.traffic != configuration.traffic { share.change(next.traffic) }
    configuration = next
    if let fresh { certificate = fresh }
    for listener in listeners {
      var own = next
      own.port = port
      own.traffic = next.traffic.divided(among: delegates.count)
      listener.change(own, isOther ? fresh : nil)
    }
    return isOther
  }

  public func wake() {
    for listener in listeners { listener.wake() }
  }

  public func closePort() {
    for listener in listeners { listener.closePort() }
  }

  /// Begins to part with everybody, without waiting for the end; `stop` does.
  public func beginStop() {
    // All of them at once: none lets in who another one has just parted with.
    for listener in listeners { listener.beginStop() }
  }

  public func stop() {
    beginStop()
    for listener in listeners { listener.stop() }
  }
}

extension TrafficLimits {
  /// The part of one of several listeners that share a port: room is divided, with as much again,
  /// because the kernel spreads connections by chance. Paces are those of a thread and stay, and
  /// what counts by address is counted together, see ``PortShare``.
  func divided(among listeners: Int) -> TrafficLimits {
    var part = self
    part.visitors = min(visitors, 2 * visitors / listeners + 1)
    part.visitorsPerAddress = min(visitorsPerAddress, 2 * visitorsPerAddress / listeners + 1)
    return part
  }
}
