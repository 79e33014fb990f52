import Testing
import Wire

@testable import Server
@testable import Transport

/// How long the end takes, by a clock that nothing but the server's own waiting moves: clients that
/// do their worst hold it up for as long as `Drain` lets them, and no longer.
///
/// On sockets the connections that are left then have a second (`ServiceLoop`), those of the page's
/// port and of the port for monitoring the same one: four seconds in all.
@Suite struct DrainTimeTests {
  /// One way takes so long that the answer to a close comes after the farewells have ended.
  private static let farAway = NetworkFaults(latency: 1_750_000_000...1_750_000_000)
  /// Until all of them are here, without one that is too late for its hello.
  private static let secondsToJoin = 6.0

  private func connectionCount(_ pit: VirtualServer) -> Int {
    pit.server.hubs.reduce(0) { $0 + $1.sessions.count }
  }

  @Test(arguments: [1, 3]) func nobodyHoldsTheEndUpForLonger(threads: Int) throws {
    // One message that is not read fills a pipe.
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 1), networkThreads: threads)
    let stuck = Probe(pit)
    let far = LogReader()
    let clients = pit.network.clients(far)
    clients.connect(faults: Self.farAway)
    pit.advance(seconds: Self.secondsToJoin)
    stuck.connection?.isReading = false
    pit.advance(seconds: 2)
    let silent = Probe(pit, hello: nil)
    pit.advance(seconds: 0.5)
    try #require(connectionCount(pit) == 3)
    let seconds = Double(Drain.patience) / 1e9
    pit.drain()
    pit.advance(seconds: seconds - 0.1)
    #expect(silent.closed?.code == .serviceRestart)
    #expect(connectionCount(pit) == 2, "who may still hear the farewell is given the time")
    #expect(pit.server.drain.left == 2)
    pit.advance(seconds: 0.2)
    #expect(connectionCount(pit) == 0, "then they are cut off")
    withExtendedLifetime(clients) {}
  }

  @Test func whereNobodyIsNobodyIsWaitedFor() throws {
    let pit = try VirtualServer(networkThreads: 2)
    pit.advance(seconds: 1)
    pit.drain()
    pit.advance(seconds: 0.02)
    #expect(pit.server.drain.left == 0)
  }

  /// `EndSignals` gives up after 4.9 s, so that a server that hangs is gone within five, too. Until
  /// then the farewells and both ports, which end at the same time, must have had their time.
  @Test func farewellsAndPortsTakeFourSeconds() {
    #expect(Drain.patience + ServiceLoop.partingNanoseconds <= 4_000_000_000)
  }
}
