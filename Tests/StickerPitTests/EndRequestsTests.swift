import Testing

@testable import Server
@testable import Transport
@testable import stickerpit

/// What a second signal means depends on when it comes.
@Suite struct EndRequestsTests {
  private static let millisecond: UInt64 = 1_000_000

  @Test func whatComesWithTheFirstIsItsEcho() {
    var requests = EndRequests()
    #expect(requests.note(at: 7_000 * Self.millisecond) == .first)
    #expect(requests.note(at: 7_000 * Self.millisecond) == .echo)
    #expect(requests.note(at: 7_003 * Self.millisecond) == .echo)
    #expect(requests.note(at: 7_099 * Self.millisecond) == .echo)
  }

  @Test func whatComesLaterAsksAgain() {
    var requests = EndRequests()
    #expect(requests.note(at: 7_000 * Self.millisecond) == .first)
    #expect(requests.note(at: 7_100 * Self.millisecond) == .second)
    #expect(requests.note(at: 7_101 * Self.millisecond) == .second)
  }

  /// Echoes do not prolong the time in which others count as echoes.
  @Test func echoesAreCountedFromTheFirst() {
    var requests = EndRequests()
    let meanings = (0..<5).map { requests.note(at: UInt64($0) * 40 * Self.millisecond) }
    #expect(meanings == [.first, .echo, .echo, .second, .second])
  }

  /// Whatever holds the end up, the process is gone within five seconds of the first signal.
  @Test func timeEndsItWithinFiveSeconds() {
    #expect(EndSignals.patience < 5)
    let inOrder = Drain.patience + ServiceLoop.partingNanoseconds
    #expect(EndSignals.patience > Double(inOrder) / 1e9)
  }
}
