import Testing

@testable import Server

@Suite struct TokenBucketTests {
  @Test func letsABurstThroughAndThenTheRate() {
    var bucket = TokenBucket(perSecond: 20, tick: 0)
    var granted = 0
    while bucket.take(at: 0) { granted += 1 }
    #expect(granted == 40)
    // Over the next ten seconds, asked at every tick, it grants its rate.
    let later = (1...600).count { bucket.take(at: UInt32($0)) }
    #expect(later == 200)
  }

  @Test func regainsNoMoreThanItHolds() {
    var bucket = TokenBucket(perSecond: 5, tick: 0)
    let atOnce = (0..<11).count { _ in bucket.take(at: 0) }
    #expect(atOnce == 10)
    let granted = (0..<100).count { _ in bucket.take(at: 1_000_000) }
    #expect(granted == 10)
  }

  @Test func survivesTheTickCountersWrap() {
    var bucket = TokenBucket(perSecond: 60, tick: .max - 1)
    let before = (0..<200).count { _ in bucket.take(at: .max - 1) }
    #expect(before == 120)
    let after = (0..<200).count { _ in bucket.take(at: 1) }
    #expect(after == 3)
  }
}
