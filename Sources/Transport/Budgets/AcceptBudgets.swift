/// Decides when the next waiting connection is accepted, and whether it may stay.
struct AcceptGate {
  private let limits: TrafficLimits
  private var connections: TokenBucket
  private var refusals: TokenBucket
  private let share: PortShare

  init(_ limits: TrafficLimits, _ share: PortShare) {
    self.share = share
    self.limits = limits
    connections = TokenBucket(
      perSecond: limits.connectionsPerSecond, burst: limits.connectionsBurst)
    refusals = TokenBucket(perSecond: limits.refusalsPerSecond, burst: limits.refusalsBurst)
  }

  /// Whether a connection may be accepted now; otherwise it waits in the kernel.
  func isOpen(at now: UInt64) -> Bool {
    connections.holds(at: now) && refusals.holds(at: now)
  }

  /// Counts a connection that was accepted.
  ///
  /// - Returns: whether it may stay. If not, it is to be closed at once, so that an address that
  ///   connects too often costs nobody else their turn.
  mutating func admit(_ prefix: AddressPrefix, at now: UInt64) -> Bool {
    guard admitThroughProxy(prefix, at: now) else { return false }
    admitProxy(at: now)
    return true
  }

  /// Counts a trusted proxy's connection, which none of its clients' shares is asked for yet.
  mutating func admitProxy(at now: UInt64) { connections.charge(1, at: now) }

  /// Counts for its client a connection that a proxy had made.
  ///
  /// - Returns: whether it may stay.
  mutating func admitThroughProxy(_ prefix: AddressPrefix, at now: UInt64) -> Bool {
    let new = TokenBucket(
      perSecond: limits.connectionsPerSecondPerAddress, burst: limits.connectionsBurstPerAddress)
    let isWithin = share.arrivals.withLock { addresses in
      addresses.update(prefix, new: new) { $0.take(at: now) }
    }
    guard isWithin else {
      refusals.charge(1, at: now)
      return false
    }
    return true
  }
}

/// The pace of all TLS handshakes together: each costs the thread that also fans out a millisecond.
struct HandshakeBudget {
  /// For whoever's turn it is, by address (`HandshakeQueue`).
  var first: TokenBucket
  /// For second ClientHellos of those that were asked for another key share: they come when they
  /// like, after the first one's turn.
  var repeated: TokenBucket

  init(_ limits: TrafficLimits) {
    first = TokenBucket(perSecond: limits.handshakesPerSecond, burst: limits.handshakesBurst)
    repeated = TokenBucket(
      perSecond: limits.repeatedHelloesPerSecond, burst: limits.repeatedHelloesBurst)
  }
}
