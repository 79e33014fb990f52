import Testing

@testable import Transport

/// Whether the usual limits let a venue in whose phones all come from one address.
@Suite struct VenueTests {
  private static let second: UInt64 = 1_000_000_000
  private static let files = 70
  private static let sockets = 6

  /// Phones that load the page and open their WebSocket, evenly over some seconds: how many were
  /// refused something. TLS included, on one network thread.
  private static func refusals(phones: Int, seconds: Int, connectionsPerAddress: Int) -> Int {
    let limits = TrafficLimits()
    let venue = AddressPrefix("203.0.113.7")
    let share = PortShare(limits)
    var configuration = ListenerConfiguration()
    configuration.maximumConnectionsPerAddress = connectionsPerAddress
    var gate = AcceptGate(limits, share)
    var budget = HTTPBudget(limits, share)
    var handshakes = TokenBucket(
      perSecond: limits.handshakesPerSecond, burst: limits.handshakesBurst)
    var (refused, waiting, now) = (0, 0, Self.second)
    for _ in 0..<phones {
      now += UInt64(seconds) * Self.second / UInt64(phones)
      for _ in 0..<Self.sockets + 1 where !gate.isOpen(at: now) || !gate.admit(venue, at: now) {
        refused += 1
      }
      waiting += Self.sockets + 1
      while waiting > 0, handshakes.take(at: now) { waiting -= 1 }
      for _ in 0..<Self.files where !budget.take(venue, at: now) { refused += 1 }
      budget.charge(
        venue, bytes: 1_000_000,
        microseconds: Self.files * 50 + (Self.sockets + 1) * limits.connectionMicroseconds, at: now)
      if share.takeSocket(of: venue, within: configuration) != nil { refused += 1 }
    }
    // Who waits longer for a handshake than an accepted socket may has been refused as well.
    return refused + max(0, waiting - limits.handshakesPerSecond * limits.firstRequestSeconds)
  }

  @Test func threeHundredPhonesJoinWithinHalfAMinute() {
    #expect(
      Self.refusals(
        phones: 300, seconds: 30,
        connectionsPerAddress: ListenerConfiguration().maximumConnectionsPerAddress) == 0)
  }

  /// What CONFIGURATION.md says of a thousand phones: of these limits, one is to be raised.
  @Test func aThousandPhonesNeedMoreConnections() {
    #expect(Self.refusals(phones: 1000, seconds: 60, connectionsPerAddress: 512) == 488)
    #expect(Self.refusals(phones: 1000, seconds: 60, connectionsPerAddress: 1200) == 0)
  }
}
