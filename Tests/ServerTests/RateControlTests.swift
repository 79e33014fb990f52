import Testing
import Wire

@testable import Server

/// When a session is given a slower stream, and when the faster one again.
@Suite struct RateControlTests {
  private static let second: UInt64 = 1_000_000_000
  private static let asked = StreamKey(rate: .hz60, profile: .strict)

  private func make() -> RateControl {
    var rates = RateControl(offer: StreamOffer(bodyCap: 331, limits: Limits()))
    rates.ask(for: Self.asked)
    return rates
  }

  /// It can take nothing for two seconds and a bit.
  private func trouble(_ rates: inout RateControl, from now: UInt64) -> [RateControl.Change] {
    let changes = (0...21).compactMap { rates.blocked(at: now + UInt64($0) * Self.second / 10) }
    _ = rates.wrote(at: now + 21 * Self.second / 10)
    return changes
  }

  /// How many seconds it takes until all is as asked, while frames are written.
  private func recovery(_ rates: inout RateControl, from now: UInt64) -> Int? {
    (1..<600).first { rates.wrote(at: now + UInt64($0) * Self.second) == .full }
  }

  @Test func shortPausesChangeNothing() {
    var rates = make()
    // A tenth of a second in each second.
    for second in 0..<120 {
      let now = UInt64(second) * Self.second
      #expect(rates.blocked(at: now) == nil && rates.wrote(at: now + Self.second / 10) == nil)
    }
    #expect(rates.stream == Self.asked)
  }

  @Test func twoSecondsLowerItAndHalfACalmMinuteRaisesIt() {
    var rates = make()
    #expect(trouble(&rates, from: Self.second) == [.slower])
    #expect(rates.stream.rate == .hz30)
    #expect(recovery(&rates, from: 3 * Self.second) == 31)
    #expect(rates.stream == Self.asked)
  }

  @Test func whoCanNeverTakeMoreIsAskedLessAndLessOften() {
    var rates = make()
    var now = Self.second
    var waits: [Int] = []
    for _ in 0..<6 {
      #expect(trouble(&rates, from: now) == [.slower])
      now += 2 * Self.second
      let wait = recovery(&rates, from: now) ?? 0
      waits.append(wait)
      now += UInt64(wait + 1) * Self.second
    }
    #expect(waits == [31, 61, 121, 241, 241, 241])
    // Once it went well for long enough, all is forgotten.
    now += 60 * Self.second
    _ = trouble(&rates, from: now)
    #expect(recovery(&rates, from: now + 2 * Self.second) == 31)
  }

  @Test func askingAnewOrAnotherWorldGivesAllOfItBack() {
    var rates = make()
    #expect(rates.ask(for: Self.asked) == nil, "nothing was taken from it")
    #expect(trouble(&rates, from: Self.second) == [.slower])
    #expect(rates.ask(for: Self.asked) == .full)
    #expect(rates.stream == Self.asked)
    #expect(trouble(&rates, from: 10 * Self.second) == [.slower])
    let offer = StreamOffer(bodyCap: 100, limits: Limits())
    #expect(rates.change(offer) == .full)
    #expect(rates.stream == Self.asked)
    #expect(rates.change(offer) == nil)
  }

  /// A world may not afford what a client asked for, and the next one may.
  @Test func whatWasAskedForIsNotForgotten() {
    let wanted = StreamKey(rate: .hz60, profile: .visual)
    let large = StreamOffer(bodyCap: 16_384, limits: Limits())
    let small = StreamOffer(bodyCap: 331, limits: Limits())
    #expect(large.nearest(to: wanted) != wanted && small.nearest(to: wanted) == wanted)
    var rates = RateControl(offer: large)
    rates.ask(for: wanted)
    #expect(rates.stream == large.nearest(to: wanted))
    #expect(rates.change(small) == nil, "nobody had slowed it down")
    #expect(rates.stream == wanted)
  }
}
