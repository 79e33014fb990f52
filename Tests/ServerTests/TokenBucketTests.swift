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
    for _ in 0..<10 { #expect(bucket.take(at: 0)) }
    #expect(!bucket.take(at: 0))
    let granted = (0..<100).count { _ in bucket.take(at: 1_000_000) }
    #expect(granted == 10)
  }

  @Test func survivesTheTickCountersWrap() {
    var bucket = TokenBucket(perSecond: 60, tick: .max - 1)
    for _ in 0..<120 { _ = bucket.take(at: .max - 1) }
    #expect(!bucket.take(at: .max - 1))
    #expect(bucket.take(at: 1))
  }
}
