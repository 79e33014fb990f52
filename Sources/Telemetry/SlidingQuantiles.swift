import Histogram

/// Quantiles of what was recorded in the last half to whole minute, to two digits.
///
/// Two histograms take turns, each for half a minute: what is told is both together.
struct SlidingQuantiles: Sendable {
  /// Nanoseconds for which a histogram takes values.
  private static let turn: UInt64 = 30_000_000_000
  /// Nanoseconds in an hour: more is nothing that anybody waits for, and counts as this.
  private static let most: UInt64 = 3_600_000_000_000

  private var current = SlidingQuantiles.empty
  private var last = SlidingQuantiles.empty
  private var turnEnds: UInt64 = 0

  private static var empty: Histogram<UInt32> {
    Histogram(
      lowestDiscernibleValue: 1, highestTrackableValue: most, numberOfSignificantValueDigits: .two)
  }

  /// - Parameter now: monotonic nanoseconds.
  mutating func record(_ value: UInt64, at now: UInt64) {
    takeTurns(at: now)
    current.record(min(value, Self.most))
  }

  /// The value that a share of all does not pass; nil when nothing was recorded lately.
  /// - Parameter share: 0…1.
  mutating func value(at share: Double, now: UInt64) -> UInt64? {
    takeTurns(at: now)
    var both = current
    for value in last.recordedValues() { both.record(value.value, count: value.count) }
    return both.totalCount > 0 ? both.valueAtPercentile(100 * share) : nil
  }

  private mutating func takeTurns(at now: UInt64) {
    guard now >= turnEnds else { return }
    // After a longer silence nothing of before is left.
    if now - turnEnds < Self.turn { swap(&last, &current) } else { last.reset() }
    current.reset()
    turnEnds = now + Self.turn
  }
}
