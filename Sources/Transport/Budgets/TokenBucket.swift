/// A rate limit by the clock that lets bursts through.
///
/// It holds up to `burst` permits and regains `perSecond` of them each second. Time is the
/// monotonic clock's, so a world that ticks slowly takes nothing from anybody.
public struct TokenBucket: Sendable, Equatable {
  /// Nanoseconds in which one permit is regained.
  private let cost: UInt64
  /// Nanoseconds in which all of them are.
  private let full: UInt64
  /// When everything that was taken will have been regained, in monotonic nanoseconds.
  private var regainedAt: UInt64 = 0
  /// Further permits, counted in nanoseconds, for what came in while this process stood still.
  private var forgiven: UInt64 = 0

  /// A full bucket.
  ///
  /// - Parameters:
  ///   - perSecond: permits regained a second, 1…1 000 000 000.
  ///   - burst: permits that can be taken at once, at least 1.
  public init(perSecond: Int, burst: Int) {
    precondition(perSecond > 0 && perSecond <= 1_000_000_000 && burst > 0)
    cost = 1_000_000_000 / UInt64(perSecond)
    full = cost * UInt64(burst)
  }

  /// Takes permits; false, and none taken, when there are fewer.
  ///
  /// - Parameters:
  ///   - count: how many, 0 or more.
  ///   - now: monotonic nanoseconds.
  public mutating func take(_ count: Int = 1, at now: UInt64) -> Bool {
    assert(count >= 0)
    let price = cost * UInt64(count)
    let start = max(regainedAt, now)
    if start + price <= now + full {
      regainedAt = start + price
      return true
    }
    guard forgiven >= price else { return false }
    forgiven -= price
    return true
  }

  /// Whether so many permits could be taken, without taking them.
  public func holds(_ count: Int = 1, at now: UInt64) -> Bool {
    var copy = self
    return copy.take(count, at: now)
  }

  /// Takes what was used already, also when there is less: the bucket stays empty until all of it
  /// is regained, at most twice its burst.
  public mutating func charge(_ count: Int, at now: UInt64) {
    assert(count >= 0)
    regainedAt = min(max(regainedAt, now) + cost * UInt64(count), now + 2 * full)
  }

  /// Whether nothing is missing, so that a new bucket would be the same.
  public func isFull(at now: UInt64) -> Bool { regainedAt <= now }

  /// Grants what would have been regained during a standstill of this process, in nanoseconds, on
  /// top of a full bucket: what honest clients sent meanwhile arrives all at once after it.
  public mutating func forgive(_ standstill: UInt64) {
    forgiven = max(forgiven, standstill)
  }
}
