import CLibWebSockets
import Glibc
import Synchronization

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

/// Accepts connections, also when the process has no descriptor left: then a reserved one is given
/// up for a moment, so that the visitor can be turned away. Otherwise the listening socket would
/// stay readable and the loop would spin.
struct AcceptReserve: ~Copyable {
  /// What became of the next waiting connection.
  enum Outcome: Equatable {
    /// It is the caller's from now on.
    case accepted(Int32)
    /// No descriptor was left, so it was closed.
    case turnedAway
    /// No descriptor was left, not even for closing it: it goes on waiting.
    case leftWaiting
    /// There is none.
    case nobody
  }

  private var descriptor = AcceptReserve.openDescriptor()

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func openDescriptor() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

  /// Takes the next waiting connection.
  ///
  /// - Parameter address: becomes the address of whoever was accepted.
  mutating func accept(_ listening: Int32, _ address: inout sockaddr_storage) -> Outcome {
    // Something else in this process may have taken it while it was given up.
    if descriptor < 0 { descriptor = Self.openDescriptor() }
    while true {
      let client = stickerpit_accept(listening, &address)
      if client >= 0 { return .accepted(client) }
      switch errno {
      case EINTR, ECONNABORTED, EPROTO: continue
      // The kernel says so before it looks whether anybody waits.
      case EMFILE, ENFILE: return turnAway(listening)
      default: return .nobody
      }
    }
  }

  private mutating func turnAway(_ listening: Int32) -> Outcome {
    guard descriptor >= 0 else { return .leftWaiting }
    close(descriptor)
    defer { descriptor = Self.openDescriptor() }
    var address = sockaddr_storage()
    let client = stickerpit_accept(listening, &address)
    guard client >= 0 else { return errno == EAGAIN ? .nobody : .leftWaiting }
    close(client)
    return .turnedAway
  }
}
