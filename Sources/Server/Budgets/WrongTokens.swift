import Transport

/// Wrong tokens, and requests that show none, by the address that they came from. Some a minute are
/// somebody who mistypes; more are told to wait. The right one is taken all the same, because a
/// whole venue may be one address: what keeps the host's token from being guessed is its length,
/// and the requests that an address may make.
struct WrongTokens: Sendable {
  /// Those of an address in a minute that are answered as such.
  static let most = 5
  static let interval: UInt64 = 60_000_000_000
  /// Addresses remembered at a time, 100 bytes each; who guesses on is remembered longest. Guesses
  /// from more addresses than that are as hopeless: SECURITY.md says in numbers why.
  static let remembered = 4096

  /// When the last ones were shown, in monotonic nanoseconds, the oldest first.
  private var table = AddressTable<[UInt64]>(capacity: WrongTokens.remembered)

  /// Counts one.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: nil, or seconds until the address may show one again, if it is one too many.
  mutating func count(from address: AddressPrefix, at now: UInt64) -> Int? {
    table.update(address, new: []) { shown in
      shown.removeAll { now - min($0, now) >= Self.interval }
      guard shown.count < Self.most else {
        let left = Self.interval - (now - min(shown[0], now))
        return Int((left + 999_999_999) / 1_000_000_000)
      }
      shown.append(now)
      assert(shown.count <= Self.most)
      return nil
    }
  }
}
