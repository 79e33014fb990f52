/// A rate limit by the clock that lets bursts through.
///
/// It holds up to `burst` permits and regains `perSecond` of them each second. Time is the
/// monotonic clock's, so a world that ticks slowly takes nothing from anybody.
public struct TokenBucket: Sendable, Equatable {
  /// More permits than any bucket holds. A larger number counts as this one, so that no product
  /// overflows.
  private static let mostPermits: UInt64 = 1 << 34

  private let perSecond: UInt32
  /// What comes on top of `regainedAt`: `fraction / perSecond` of a nanosecond. At 128 million
  /// permits a second one takes 7.8 nanoseconds; with 7 the rate would be 143 million.
  private var fraction: UInt32 = 0
  /// Nanoseconds in which all permits are regained, rounded up.
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
    self.perSecond = UInt32(perSecond)
    let price = Self.price(of: burst, perSecond: self.perSecond)
    full = price.nanoseconds + (price.fraction > 0 ? 1 : 0)
  }

  /// Takes permits; false, and none taken, when there are fewer.
  ///
  /// - Parameters:
  ///   - count: how many, 0 or more.
  ///   - now: monotonic nanoseconds.
  public mutating func take(_ count: Int = 1, at now: UInt64) -> Bool {
    let price = Self.price(of: count, perSecond: perSecond)
    let after = regained(after: price, at: now)
    let latest = now + full
    if after.time < latest || after.time == latest && after.fraction == 0 {
      (regainedAt, fraction) = after
      return true
    }
    guard forgiven >= price.nanoseconds else { return false }
    forgiven -= price.nanoseconds
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
    (regainedAt, fraction) = regained(
      after: Self.price(of: count, perSecond: perSecond), at: now)
    let latest = now + 2 * full
    if regainedAt >= latest { (regainedAt, fraction) = (latest, 0) }
  }

  /// Gives back permits that were taken and not used. A bucket that lacks fewer is full then.
  ///
  /// - Parameter count: how many, 0 or more.
  public mutating func giveBack(_ count: Int) {
    let price = Self.price(of: count, perSecond: perSecond)
    let isBorrowing = fraction < price.fraction
    let nanoseconds = price.nanoseconds + (isBorrowing ? 1 : 0)
    guard regainedAt >= nanoseconds else {
      (regainedAt, fraction) = (0, 0)
      return
    }
    regainedAt -= nanoseconds
    // Each of them is less than `perSecond`, so less than 1 000 000 000.
    fraction = (isBorrowing ? fraction + perSecond : fraction) - price.fraction
  }

  /// Whether nothing is missing, so that a new bucket would be the same.
  public func isFull(at now: UInt64) -> Bool {
    regainedAt < now || regainedAt == now && fraction == 0
  }

  /// Grants what would have been regained during a standstill of this process, in nanoseconds, on
  /// top of a full bucket: what honest clients sent meanwhile arrives all at once after it.
  public mutating func forgive(_ standstill: UInt64) {
    forgiven = max(forgiven, standstill)
  }

  /// How long permits take to be regained: whole nanoseconds, and `fraction / perSecond` of one.
  private static func price(
    of count: Int, perSecond: UInt32
  ) -> (nanoseconds: UInt64, fraction: UInt32) {
    assert(count >= 0)
    let parts = min(UInt64(count), mostPermits) * 1_000_000_000
    let (nanoseconds, fraction) = parts.quotientAndRemainder(dividingBy: UInt64(perSecond))
    return (nanoseconds, UInt32(fraction))
  }

  /// When everything will have been regained, if something more is taken now.
  private func regained(
    after price: (nanoseconds: UInt64, fraction: UInt32), at now: UInt64
  ) -> (time: UInt64, fraction: UInt32) {
    let time = max(regainedAt, now) + price.nanoseconds
    // Each of the two is less than `perSecond`, so less than 1 000 000 000.
    let parts = price.fraction + (regainedAt >= now ? fraction : 0)
    return parts < perSecond ? (time, parts) : (time + 1, parts - perSecond)
  }
}
