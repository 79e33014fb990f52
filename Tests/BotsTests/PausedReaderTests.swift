import Testing
import Transport

@testable import Bots
@testable import Server

@Suite struct PausedReaderTests {
  /// Slow bots stop reading for seconds: the server leaves frames out and says so, and the bots
  /// that read on notice nothing.
  @Test func slowBotsSkipWithoutGaps() throws {
    let options = BotOptions(count: 6, seconds: 20, slow: 3)
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 4_096), bodies: 30)
    var pool: MemoryClients?
    var report: BotReport?
    let fleet = BotFleet(
      options: options, dial: { pool!.connect() }, clock: { pit.network.now },
      finished: { report = $0 })
    pool = pit.network.clients(fleet, timerIntervalMilliseconds: 10)
    pit.advance(seconds: 21)
    let finished = try #require(report)
    #expect(finished.isGood(for: options), "\(finished)")
    #expect(finished.skipped > 100)
    #expect(finished.keyframes > 6 + 3)
  }
}
