/// A connection that was accepted and has not been let in yet.
final class AcceptedSocket: RosterMember {
  let descriptor: Int32
  /// Who connected: nil for a socket that has no IP address.
  private(set) var address: NumericAddress?
  private(set) var addressPrefix: AddressPrefix
  /// Whether `address` is a trusted proxy's, so that requests may say for whom they come.
  private(set) var isProxy = false
  var place = -1
  /// When it was accepted, in monotonic nanoseconds.
  var arrived: UInt64
  /// Whether its ClientHello is all there, so that it waits for its turn.
  var isReady = false
  /// How often its first bytes were looked at.
  var looks = 0

  init(descriptor: Int32, address: NumericAddress?, at now: UInt64) {
    self.descriptor = descriptor
    self.address = address
    addressPrefix = AddressPrefix(address)
    arrived = now
  }

  /// A proxy's connections each count by themselves: what one address may do is not what all of
  /// a proxy's clients may.
  /// - Parameter number: no other connection's.
  func becomeProxy(_ number: UInt64) {
    isProxy = true
    addressPrefix = AddressPrefix(connection: number)
  }

  /// A proxy has said who connected to it.
  func become(_ client: NumericAddress) {
    isProxy = false
    address = client
    addressPrefix = AddressPrefix(client)
  }

  func hasWaited(for seconds: Int, at now: UInt64) -> Bool {
    now - min(now, arrived) >= UInt64(seconds) * 1_000_000_000
  }
}
