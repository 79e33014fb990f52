/// What all connections of one address may do together: leaving and coming back buys nobody a new
/// allowance.
struct AddressLimits {
  /// Addresses remembered at a time. More are seen only under attack, and then forgetting them all
  /// costs less than keeping them.
  private static let mostAddresses = 8192

  private var commands: [String: TokenBucket] = [:]
  private let limits: Limits

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// Takes one command of the address's allowance; false when none is left.
  mutating func mayCommand(_ address: String, at tick: UInt32) -> Bool {
    if commands.count >= Self.mostAddresses { commands.removeAll() }
    let full = TokenBucket(perSecond: limits.commandsPerSecondPerAddress, tick: tick)
    return commands[address, default: full].take(at: tick)
  }
}
