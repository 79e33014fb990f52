import Testing

@testable import Transport

/// When silent clients are asked and given up, by a clock that only the test moves.
@Suite struct SilenceTests {
  private static let second: UInt64 = 1_000_000_000
  private static let interval = ServiceLoop.housekeepingNanoseconds

  /// Looks once in an interval, at first so long after the last sign of life.
  /// - Returns: the silence at which the client was asked, and at which it was given up.
  private func silences(
    _ limits: SilenceLimits, firstLook: UInt64
  ) -> (asked: UInt64?, givenUp: UInt64) {
    var asked: UInt64?
    var silence = firstLook
    while true {
      switch limits.step(after: silence) {
      case .nothing: break
      case .ping: asked = asked ?? silence
      case .giveUp: return (asked, silence)
      }
      silence += Self.interval
    }
  }

  @Test(arguments: [(10, 15), (1, 2)]) func nobodyIsSilentForLonger(
    ping: Int, silence: Int
  ) throws {
    let limits = try #require(
      SilenceLimits(ListenerConfiguration(pingSeconds: ping, silenceSeconds: silence)))
    for firstLook in stride(from: 0, to: Self.interval, by: 1_000_000) {
      let (asked, givenUp) = silences(limits, firstLook: firstLook)
      #expect(givenUp <= UInt64(silence) * Self.second)
      #expect(givenUp + 2 * Self.interval > UInt64(silence) * Self.second, "and hardly earlier")
      // What is left for the pong is all but two looks.
      let start = try #require(asked)
      #expect(start >= UInt64(ping) * Self.second)
      #expect(givenUp - start + 2 * Self.interval >= UInt64(silence - ping) * Self.second)
    }
  }

  /// What PROTOCOL.md says of WebSockets.
  @Test func usuallyThatIsTenAndFifteenSeconds() throws {
    let (asked, givenUp) = silences(
      try #require(SilenceLimits(ListenerConfiguration())), firstLook: 0)
    #expect(asked == 10 * Self.second)
    #expect(givenUp <= 15 * Self.second && givenUp + 2 * Self.interval > 15 * Self.second)
  }

  @Test func withoutPingsSilenceIsNoMatter() {
    #expect(SilenceLimits(ListenerConfiguration(pingSeconds: 0)) == nil)
  }
}
