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
