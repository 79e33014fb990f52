import Testing

@testable import Transport

@Suite struct BudgetTests {
  private static let second: UInt64 = 1_000_000_000

  /// How many of `tries` permits a bucket grants at a moment.
  private func granted(_ tries: Int, of bucket: inout TokenBucket, at now: UInt64) -> Int {
    var count = 0
    for _ in 0..<tries where bucket.take(at: now) { count += 1 }
    return count
  }

  @Test func letsABurstThroughAndThenTheRate() {
    var bucket = TokenBucket(perSecond: 20, burst: 40)
    #expect(granted(100, of: &bucket, at: 0) == 40)
    // Over the next ten seconds, asked a hundred times a second, it grants its rate.
    let later = (1...1000).map { granted(1, of: &bucket, at: UInt64($0) * Self.second / 100) }
    #expect(later.reduce(0, +) == 200)
  }

  @Test func regainsNoMoreThanItHolds() {
    var bucket = TokenBucket(perSecond: 5, burst: 10)
    #expect(granted(11, of: &bucket, at: 0) == 10)
    #expect(granted(100, of: &bucket, at: 1000 * Self.second) == 10)
  }

  @Test func manyAtOnceAreTakenWholeOrNotAtAll() {
    var bucket = TokenBucket(perSecond: 1000, burst: 1000)
    let tooMany = bucket.take(1001, at: 0)
    #expect(!tooMany && bucket.isFull(at: 0))
    let all = bucket.take(1000, at: 0)
    #expect(all && granted(1, of: &bucket, at: 0) == 0)
    let regained = bucket.take(10, at: Self.second / 100)
    #expect(regained && granted(1, of: &bucket, at: Self.second / 100) == 0)
  }

  /// Also where a permit takes no whole number of nanoseconds.
  @Test(arguments: [60, 7000, 4_500_000, 128_000_000, 300_000_000, 999_999_999])
  func whatIsRegainedIsTheRate(perSecond: Int) {
    var bucket = TokenBucket(perSecond: perSecond, burst: 1000)
    #expect(granted(1500, of: &bucket, at: 0) == 1000)
    // So much time each that a hundred are regained in it.
    let steps = (1...1000).map { UInt64($0) * (100 * Self.second / UInt64(perSecond)) }
    let count = steps.map { granted(150, of: &bucket, at: $0) }.reduce(0, +)
    let regained = Int(steps[999] * UInt64(perSecond) / Self.second)
    // The last nanosecond of the burst is rounded up.
    #expect((regained...regained + 1).contains(count), "\(count) of \(regained)")
  }

  @Test func whatWasUsedIsChargedExactly() {
    // A permit takes 7.8125 ns, so all of them are regained in 7.8125 ms.
    var bucket = TokenBucket(perSecond: 128_000_000, burst: 1_000_000)
    bucket.charge(1_500_000, at: 0)
    #expect(!bucket.holds(at: 3_906_257) && bucket.holds(at: 3_906_258))
    #expect(!bucket.isFull(at: 11_718_749) && bucket.isFull(at: 11_718_750))
    // What is beyond twice the burst is forgotten, however much it is.
    bucket.charge(.max, at: 0)
    #expect(!bucket.holds(at: 7_812_500) && bucket.isFull(at: 15_625_000))
  }

  @Test(arguments: [60, 7000, 128_000_000, 999_999_999])
  func whatIsGivenBackCanBeTakenAgain(perSecond: Int) {
    var bucket = TokenBucket(perSecond: perSecond, burst: 1000)
    let now = Self.second
    #expect(granted(7, of: &bucket, at: now) == 7)
    let before = bucket
    for _ in 0..<50 {
      let isTaken = bucket.take(990, at: now)
      bucket.giveBack(990)
      #expect(isTaken)
    }
    #expect(bucket == before, "also to the fraction of a nanosecond")
    // Seven are missing.
    bucket.giveBack(993)
    #expect(bucket.isFull(at: now) && granted(1001, of: &bucket, at: now) == 1000)
  }

  @Test func aStandstillIsForgivenOnce() {
    var bucket = TokenBucket(perSecond: 60, burst: 120)
    let resumed = 5 * Self.second
    #expect(granted(1, of: &bucket, at: 0) == 1)
    bucket.forgive(5 * Self.second)
    #expect(granted(1000, of: &bucket, at: resumed) == 120 + 300)
    #expect(granted(1000, of: &bucket, at: resumed + Self.second) == 60)
  }

  @Test func aHouseholdOfIPv6IsOnePrefix() {
    #expect(AddressPrefix("2001:db8:1:2::1") == AddressPrefix("2001:db8:1:2:ffff::9"))
    #expect(AddressPrefix("2001:db8:1:2::1") != AddressPrefix("2001:db8:1:3::1"))
    #expect(AddressPrefix("::ffff:10.0.0.1") == AddressPrefix("10.0.0.1"))
    #expect(AddressPrefix("10.0.0.1") != AddressPrefix("10.0.0.2"))
    #expect(AddressPrefix("0.0.0.0") != AddressPrefix("::"))
    #expect(AddressPrefix("nonsense") == AddressPrefix(""))
  }

  @Test func whoIsActiveIsRememberedAmongStrangers() {
    var table = AddressTable<Int>(capacity: 64)
    let regular = AddressPrefix("10.0.0.1")
    table.update(regular, new: 0) { $0 = 7 }
    for stranger in 0..<10_000 {
      let address = "10.1.\(stranger / 250).\(stranger % 250)"
      table.update(AddressPrefix(address), new: 0) { $0 = 1 }
      let remembered = stranger % 16 == 0 ? table.update(regular, new: 0) { $0 } : 7
      #expect(remembered == 7 && table.count <= 64)
    }
    let accepted = table.update(AddressPrefix("10.9.9.9"), new: 3) { $0 }
    #expect(accepted == 3)
  }
}
