// What requests by HTTP may have of the server, by the address that they come from.

import Synchronization
import Transport

/// How many bytes of worlds are told by HTTP: to one address, and in all. All network threads share
/// it.
final class WorldBudget: Sendable {
  /// Addresses remembered at a time; who is active is remembered longest.
  private static let remembered = 1024

  private struct Buckets: Sendable {
    var total: TokenBucket
    var addresses = AddressTable<TokenBucket>(capacity: WorldBudget.remembered)
  }

  private let bytesPerSecondPerAddress: Int
  private let buckets: Mutex<Buckets>

  init(_ limits: Limits) {
    bytesPerSecondPerAddress = limits.worldBytesPerSecondPerAddress
    buckets = Mutex(Buckets(total: TokenBucket(twoSecondsOf: limits.worldBytesPerSecond)))
  }

  /// Takes bytes of both, the address's and the common ones, or of none.
  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: whether there were enough.
  func take(_ bytes: Int, of address: AddressPrefix, at now: UInt64) -> Bool {
    assert(bytes > 0)
    let new = TokenBucket(twoSecondsOf: bytesPerSecondPerAddress)
    return buckets.withLock { buckets in
      var total = buckets.total
      let isWithin = buckets.addresses.update(address, new: new) { bucket in
        var left = bucket
        guard left.take(bytes, at: now), total.take(bytes, at: now) else { return false }
        bucket = left
        return true
      }
      buckets.total = total
      return isWithin
    }
  }

  /// Grants what a standstill of this process held up.
  func forgive(_ nanoseconds: UInt64) {
    buckets.withLock {
      $0.total.forgive(nanoseconds)
      $0.addresses.updateAll { $0.forgive(nanoseconds) }
    }
  }
}

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
