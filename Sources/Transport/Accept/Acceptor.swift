import CLibWebSockets
import Glibc

/// Lets connections in: at a pace, within each address's share, and on a port that speaks TLS when
/// it is their turn for a handshake.
final class Acceptor {
  private let log: @Sendable (String) -> Void
  private let counts: PortCounts
  private let clock: () -> UInt64
  private let onEntry: (AcceptedSocket) -> Void
  private var listening: [DescriptorPeer] = []
  private var gate: AcceptGate
  private let share: PortShare
  private var trusted: TrustedProxies
  /// Proxies' connections so far.
  private var proxied: UInt64 = 0
  /// Only on a port that speaks TLS.
  private let handshakes: HandshakeQueue?
  private lazy var door = ProxyDoor(
    limits, counts, onKnown: { [unowned self] in known($0, $1) },
    onMalformed: { [unowned self] in malformed($0, $1) })
  private var limits: TrafficLimits
  private var tls: OpaquePointer?

  /// - Parameters:
  ///   - configuration: a valid one.
  ///   - share: what the listeners of the port count together.
  ///   - clock: when the loop last went on from waiting, in monotonic nanoseconds.
  ///   - onEntry: takes over the socket of somebody who is let in.
  init(
    _ configuration: ListenerConfiguration, _ share: PortShare, clock: @escaping () -> UInt64,
    onEntry: @escaping (AcceptedSocket) -> Void
  ) {
    limits = configuration.traffic
    trusted = TrustedProxies(configuration.trustedProxies)
    log = configuration.log
    counts = configuration.counts
    self.clock = clock
    self.onEntry = onEntry
    self.share = share
    gate = AcceptGate(limits, share)
    handshakes = configuration.tls == nil ? nil : HandshakeQueue(limits, counts)
  }

  /// How many wait for their handshake, or for a word of their proxy.
  var waitingCount: Int { (handshakes?.count ?? 0) + door.count }

  // MARK: Setting up

  /// Adds the listening sockets to a loop. A socket that is gone from `sockets` belongs to the
  /// loop.
  func watch(_ sockets: inout [Int32], on loop: ServiceLoop) throws(TransportError) {
    while let descriptor = sockets.popLast() {
      listening.append(
        try loop.adopt(descriptor) { [unowned self] in acceptWaiting(at: descriptor) })
    }
    try loop.adopt(door.descriptor) { [unowned self] in door.readArrivals() }
    guard let handshakes else { return }
    try loop.adopt(handshakes.descriptor) { handshakes.readArrivals() }
  }

  /// Has a TLS context ask here whether a second ClientHello is answered.
  func prepare(tls context: OpaquePointer) {
    tls = context
    HandshakeCount.watch(context)
    var keys = share.ticketKeys
    stickerpit_set_up_tls(
      context,
      { session, alert, owner in
        guard let owner, let session else { return SSL_CLIENT_HELLO_SUCCESS }
        let acceptor = Unmanaged<Acceptor>.fromOpaque(owner).takeUnretainedValue()
        HandshakeCount.began(session, acceptor.counts)
        stickerpit_refuse_old_tickets(session)
        guard stickerpit_is_repeated_hello(session) != 0 else { return SSL_CLIENT_HELLO_SUCCESS }
        guard acceptor.handshakes?.takeRepeated(at: acceptor.clock()) == true else {
          alert?.pointee = SSL_AD_INTERNAL_ERROR
          return SSL_CLIENT_HELLO_ERROR
        }
        return SSL_CLIENT_HELLO_SUCCESS
      }, Unmanaged.passUnretained(self).toOpaque(), &keys, Int32(keys.count))
  }

  /// From now on other limits and proxies hold and, if one is given, another certificate.
  func change(_ configuration: ListenerConfiguration, _ certificate: ServerCertificate?) {
    limits = configuration.traffic
    trusted = TrustedProxies(configuration.trustedProxies)
    gate = AcceptGate(limits, share)
    handshakes?.change(limits)
    door.limits = limits
    if let tls { certificate?.install(in: tls) }
  }

  // MARK: The loop's calls

  /// Before the loop waits.
  ///
  /// - Returns: whether there is more to do at once.
  func turn() -> Bool {
    let now = clock()
    if let first = listening.first, !first.isWatched, gate.isOpen(at: now) {
      for peer in listening { peer.isWatched = true }
    }
    guard let handshakes else { return false }
    for _ in 0..<FixedLimits.handshakesPerTurn {
      guard let accepted = handshakes.next(at: now) else { return false }
      onEntry(accepted)
    }
    return handshakes.isOpen(at: now)
  }

  /// A little time has passed.
  func tick() {
    let now = clock()
    handshakes?.endTheSlow(at: now)
    door.endTheSlow(at: now)
  }

  /// Gives back the time for which this process stood still.
  func forgive(_ nanoseconds: UInt64) {
    handshakes?.forgive(nanoseconds)
    door.forgive(nanoseconds)
  }

  /// Lets nobody in any more, and leaves the port to whoever wants it.
  func stop() {
    for peer in listening { peer.close() }
    listening = []
    handshakes?.closeAll()
    door.closeAll()
  }

  // MARK: Accepting

  private func acceptWaiting(at descriptor: Int32) {
    let now = clock()
    for _ in 0..<FixedLimits.acceptsPerTurn {
      guard gate.isOpen(at: now) else {
        // What is beyond the budget waits in the kernel.
        for peer in listening { peer.isWatched = false }
        return
      }
      guard acceptNext(at: descriptor, now) else { return }
    }
  }

  /// - Returns: whether there may be more to accept.
  private func acceptNext(at descriptor: Int32, _ now: UInt64) -> Bool {
    var address = sockaddr_storage()
    // Other threads wait for the reserve: whatever takes time, such as logging, comes after it.
    let outcome = share.reserve.withLock { reserve in reserve.accept(descriptor, &address) }
    switch outcome {
    case .accepted(let client):
      admit(
        AcceptedSocket(descriptor: client, address: SocketAddress.numeric(&address), at: now))
      return true
    case .refused:
      counts.refused(.descriptors)
      logMissingDescriptor()
      return true
    case .leftWaiting:
      logMissingDescriptor()
      return false
    case .nobody:
      return false
    }
  }

  private func logMissingDescriptor() {
    log("no file descriptor is left for a visitor: raise the limit (ulimit -n)")
  }

  private func admit(_ accepted: AcceptedSocket) {
    if let address = accepted.address, trusted.contains(address) {
      gate.admitProxy(at: accepted.arrived)
      return door.insert(asProxy(accepted))
    }
    guard gate.admit(accepted.addressPrefix, at: accepted.arrived) else { return refuse(accepted) }
    letIn(accepted)
  }

  /// Its address has made too many connections.
  private func refuse(_ accepted: AcceptedSocket) {
    counts.refused(.address)
    close(accepted.descriptor)
  }

  private func letIn(_ accepted: AcceptedSocket) {
    counts.accepted.add(1, ordering: .relaxed)
    ListeningSocket.setOption(accepted.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // The kernel would hoard seconds of stale frames for a slow reader: a socket with more than
    // this unsent takes no further frame.
    ListeningSocket.setOption(accepted.descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 4096)
    if let handshakes {
      handshakes.insert(accepted)
    } else {
      onEntry(accepted)
    }
  }

  // MARK: Proxies

  private func asProxy(_ accepted: AcceptedSocket) -> AcceptedSocket {
    accepted.becomeProxy(proxied)
    proxied += 1
    return accepted
  }

  /// A proxy has said for whom it connected, or that it says so later or not at all.
  private func known(_ accepted: AcceptedSocket, _ client: NumericAddress?) {
    guard let client else { return letIn(accepted) }
    accepted.become(client)
    // A proxy in front of a proxy: its requests may say more.
    if trusted.contains(client) { return letIn(asProxy(accepted)) }
    guard gate.admitThroughProxy(accepted.addressPrefix, at: clock()) else {
      return refuse(accepted)
    }
    letIn(accepted)
  }

  /// For whom a proxy asks.
  func client(of head: RequestHead, through proxy: NumericAddress) -> NumericAddress {
    // It may have been taken off the list since it connected.
    guard trusted.contains(proxy) else { return proxy }
    return trusted.client(in: head["x-forwarded-for"], through: proxy)
  }

  /// Counts for its client a connection that a proxy had made; whether it may stay.
  func admitThroughProxy(_ prefix: AddressPrefix) -> Bool {
    gate.admitThroughProxy(prefix, at: clock())
  }

  private func malformed(_ accepted: AcceptedSocket, _ words: String) {
    counts.refusedProxyHeaders.add(1, ordering: .relaxed)
    log("a proxy's PROXY header is refused: \(words) (\(accepted.address?.text ?? ""))")
  }
}
