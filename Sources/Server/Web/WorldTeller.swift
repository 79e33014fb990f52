import Synchronization
import Transport

/// Answers questions for whole worlds away from the network thread: at 16 000 bodies a page of JSON
/// takes 36 ms to write, and frames would wait as long.
///
/// All network threads ask; the writing happens elsewhere, one page at a time.
final class WorldTeller: Sendable {
  /// Pages that wait to be written, half a second's worth of the largest; more are refused.
  private static let mostWaiting = 16
  /// Addresses remembered at a time.
  private static let remembered = 1024
  /// What a page takes at most: for each body, and besides.
  private static let bytesPerBody = 176
  private static let bytesBesides = 4096

  private let limits: Limits
  private let run: Worker.Run
  private let waiting = Waiting()
  private let budgets: Mutex<Budgets>

  private struct Budgets: Sendable {
    var total: TokenBucket
    var addresses = AddressTable<TokenBucket>(capacity: WorldTeller.remembered)
  }

  private final class Waiting: Sendable {
    let count = Atomic(0)
  }

  init(limits: Limits, run: @escaping Worker.Run) {
    self.limits = limits
    self.run = run
    budgets = Mutex(Budgets(total: TokenBucket(twoSecondsOf: limits.worldBytesPerSecond)))
  }

  /// Answers with a world as soon as it is written; false when the bytes of its address or of all
  /// are used up, or too many wait.
  /// - Parameter now: monotonic nanoseconds.
  func tell(
    _ moment: RecentWorlds.Moment, to address: AddressPrefix, at now: UInt64, _ later: HTTPLater
  ) -> Bool {
    guard waiting.count.load(ordering: .relaxed) < Self.mostWaiting,
      take(Self.bytesBesides + Self.bytesPerBody * moment.bodies.count, address, now)
    else { return false }
    let waiting = waiting
    waiting.count.add(1, ordering: .relaxed)
    run {
      let body = WorldReport(moment).json
      waiting.count.subtract(1, ordering: .relaxed)
      later.complete(HTTPResponse(contentType: "application/json", body: body))
    }
    return true
  }

  /// Grants what a standstill of this process held up.
  func forgive(_ nanoseconds: UInt64) {
    budgets.withLock {
      $0.total.forgive(nanoseconds)
      $0.addresses.updateAll { $0.forgive(nanoseconds) }
    }
  }

  /// Takes bytes of both budgets, or of none.
  private func take(_ bytes: Int, _ address: AddressPrefix, _ now: UInt64) -> Bool {
    let new = TokenBucket(twoSecondsOf: limits.worldBytesPerSecondPerAddress)
    return budgets.withLock { budgets in
      var total = budgets.total
      let isWithin = budgets.addresses.update(address, new: new) { bucket in
        var left = bucket
        guard left.take(bytes, at: now), total.take(bytes, at: now) else { return false }
        bucket = left
        return true
      }
      budgets.total = total
      return isWithin
    }
  }
}
