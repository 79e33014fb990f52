import CLibWebSockets
import Glibc

/// Lets connections in: at a pace, within each address's share, and on a port that speaks TLS when
/// it is their turn for a handshake.
final class Acceptor {
  /// Connections accepted between two looks at everything else, about a millisecond's work.
  private static let acceptsPerTurn = 64
  /// TLS handshakes begun between two looks at everything else, a millisecond each.
  private static let handshakesPerTurn = 2

  private let log: @Sendable (String) -> Void
  private let clock: () -> UInt64
  private let onEntry: (Newcomer) -> Void
  private var listening: [DescriptorPeer] = []
  private var gate: AcceptGate
  private let share: PortShare
  /// Only on a port that speaks TLS.
  private let handshakes: HandshakeQueue?
  private var repeatedHelloes: TokenBucket

  /// - Parameters:
  ///   - configuration: a valid one.
  ///   - share: what the listeners of the port count together.
  ///   - clock: when the loop last went on from waiting, in monotonic nanoseconds.
  ///   - onEntry: takes over the socket of somebody who is let in.
  init(
    _ configuration: ListenerConfiguration, _ share: PortShare, clock: @escaping () -> UInt64,
    onEntry: @escaping (Newcomer) -> Void
  ) {
    let limits = configuration.traffic
    log = configuration.log
    self.clock = clock
    self.onEntry = onEntry
    self.share = share
    gate = AcceptGate(limits, share)
    handshakes = configuration.tls == nil ? nil : HandshakeQueue(limits)
    repeatedHelloes = TokenBucket(
      perSecond: limits.repeatedHelloesPerSecond, burst: limits.repeatedHelloesBurst)
  }

  /// How many wait for their handshake.
  var waitingCount: Int { handshakes?.count ?? 0 }

  // MARK: Setting up

  /// Has a loop watch listening sockets. Those that left the list are the loop's own.
  func watch(_ sockets: inout [Int32], on loop: ServiceLoop) throws(TransportError) {
    while let descriptor = sockets.popLast() {
      listening.append(
        try loop.adopt(descriptor) { [unowned self] in acceptWaiting(at: descriptor) })
    }
    guard let handshakes else { return }
    try loop.adopt(handshakes.descriptor) { handshakes.readArrivals() }
  }

  /// Has a TLS context ask here whether a second ClientHello is answered. The first one has had its
  /// turn in the queue.
  func prepare(tls context: OpaquePointer) {
    var keys = share.ticketKeys
    stickerpit_set_up_tls(
      context,
      { session, alert, owner in
        guard stickerpit_is_repeated_hello(session) != 0, let owner else {
          return SSL_CLIENT_HELLO_SUCCESS
        }
        let acceptor = Unmanaged<Acceptor>.fromOpaque(owner).takeUnretainedValue()
        guard acceptor.repeatedHelloes.take(at: acceptor.clock()) else {
          alert?.pointee = SSL_AD_INTERNAL_ERROR
          return SSL_CLIENT_HELLO_ERROR
        }
        return SSL_CLIENT_HELLO_SUCCESS
      }, Unmanaged.passUnretained(self).toOpaque(), &keys, Int32(keys.count))
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
    for _ in 0..<Self.handshakesPerTurn {
      guard let newcomer = handshakes.next(at: now) else { return false }
      onEntry(newcomer)
    }
    return handshakes.isOpen(at: now)
  }

  /// A little time has passed.
  func tick() { handshakes?.endTheSlow(at: clock()) }

  /// Gives back the time for which this process stood still.
  func forgive(_ nanoseconds: UInt64) { handshakes?.forgive(nanoseconds) }

  /// Lets nobody in any more.
  func stop() {
    for peer in listening { peer.isWatched = false }
    handshakes?.closeAll()
  }

  // MARK: Accepting

  private func acceptWaiting(at descriptor: Int32) {
    let now = clock()
    for _ in 0..<Self.acceptsPerTurn {
      guard gate.isOpen(at: now) else {
        // What is beyond the budget waits in the kernel.
        for peer in listening { peer.isWatched = false }
        return
      }
      var address = sockaddr_storage()
      let client = share.reserve.withLock { reserve in
        reserve.accept(descriptor, &address) { problem in
          if let line = share.trouble.withLock({ $0.line(problem, at: now) }) { log(line) }
        }
      }
      guard client >= 0 else { return }
      let text = SocketAddress.text(&address)
      admit(
        Newcomer(
          descriptor: client, remoteAddress: text, addressPrefix: AddressPrefix(text), at: now))
    }
  }

  private func admit(_ newcomer: Newcomer) {
    guard gate.admit(newcomer.addressPrefix, at: newcomer.arrived) else {
      close(newcomer.descriptor)
      return
    }
    ListeningSocket.setOption(newcomer.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // The kernel would hoard seconds of stale frames for a slow reader: a socket with more than
    // this unsent takes no further frame.
    ListeningSocket.setOption(newcomer.descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 4096)
    if let handshakes {
      handshakes.insert(newcomer)
    } else {
      onEntry(newcomer)
    }
  }
}
