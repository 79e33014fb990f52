import Simulation
import Testing
import Transport

@testable import Bots
@testable import Server

/// Fleets against the whole server on the network in memory.
@Suite struct VirtualFleetTests {
  /// What a run leaves behind.
  private struct Outcome {
    var report: BotReport
    var trace: UInt64
    var people: Int
  }

  private func run(
    _ options: BotOptions, faults: NetworkFaults = .none, scene: Scene = .pit
  ) throws -> Outcome {
    let pit = try VirtualServer(
      seed: options.seed, faults: faults, scene: scene, bodies: scene == .pit ? 30 : nil)
    var pool: MemoryClients?
    var report: BotReport?
    let fleet = BotFleet(
      options: options, dial: { pool!.connect() }, clock: { pit.network.now },
      finished: { report = $0 })
    pool = pit.network.clients(fleet, timerIntervalMilliseconds: 10)
    pit.advance(seconds: Double(options.seconds) + 0.1)
    let finished = try #require(report)
    pit.advance(seconds: 2)
    return Outcome(
      report: finished, trace: pit.network.trace, people: pit.hub.directory.count)
  }

  @Test func aPerfectNetworkGivesAPerfectReport() throws {
    let options = BotOptions(count: 20, seconds: 10)
    let outcome = try run(options)
    let report = outcome.report
    #expect(report.isGood(for: options), "\(report)")
    #expect(report.skipped == 0)
    #expect(report.keyframes == 20)
    #expect(report.latencyP99Ms < 1)
    #expect(abs(report.ticks - report.elapsedS * 60) < 1)
    #expect(report.bodies > 30)
    #expect(outcome.people == 0)
  }

  @Test func delaysAreMeasuredAndHarmless() throws {
    let options = BotOptions(count: 10, seconds: 10)
    let faults = NetworkFaults(latency: 20_000_000...60_000_000)
    let report = try run(options, faults: faults).report
    #expect(report.isGood(for: options), "\(report)")
    #expect((20...61).contains(report.latencyP50Ms))
    #expect(report.latencyP99Ms >= report.latencyP50Ms)
  }

  @Test func slowReadersSkipWithoutGaps() throws {
    let options = BotOptions(count: 10, seconds: 20)
    let faults = NetworkFaults(slowShare: 0.5, slowBytesPerSecond: 3_000, budgetBytes: 4_096)
    let report = try run(options, faults: faults).report
    #expect(report.skipped > 100)
    #expect(report.gaps == 0)
    #expect(report.errors == 0, "\(report.messages)")
  }

  @Test func lostConnectionsAreCountedAndMadeAnew() throws {
    let options = BotOptions(count: 10, seconds: 20)
    let faults = NetworkFaults(
      latency: 1_000_000...5_000_000, lifetime: 2_000_000_000...6_000_000_000, refusedShare: 0.1)
    let outcome = try run(options, faults: faults)
    #expect(outcome.report.connected == 10)
    #expect(outcome.report.errors >= 20)
    #expect(
      outcome.report.messages.allSatisfy { $0.contains("1006") || $0.contains("nobody listens") })
    #expect(outcome.report.gaps == 0)
    #expect(outcome.people == 0)
  }

  /// Two servers with one key, one after the other; between them there is none for a while.
  @Test(arguments: [0.4, 4]) func aRestartLosesNobody(away seconds: Double) throws {
    let key = TokenKey(bytes: Array("a key that both servers have".utf8), isKept: true)
    let options = BotOptions(count: 10, seconds: 22, rate: .hz10)
    let before = try VirtualServer(tokenKey: key)
    let network = before.network
    var pool: MemoryClients?
    var report: BotReport?
    let fleet = BotFleet(
      options: options, dial: { pool!.connect() }, clock: { network.now },
      finished: { report = $0 })
    pool = network.clients(fleet, timerIntervalMilliseconds: 10)
    before.advance(seconds: 2.5)
    before.drain()
    before.advance(seconds: seconds)
    let after = try VirtualServer(tokenKey: key, network: network)
    after.advance(seconds: 20 - seconds)
    let finished = try #require(report)
    #expect(finished.isGood(for: options), "\(finished)")
    #expect((finished.restarts, finished.resumed, finished.lost) == (10, 10, 0))
    #expect((finished.retries > 0) == (seconds > 1))
    // At once, or soon after there was somebody again.
    #expect(finished.returnMaxMs < (seconds > 1 ? 4000 + 4100 : 1600))
    withExtendedLifetime(before) {}
  }

  @Test func churnIsNoError() throws {
    let options = BotOptions(count: 10, seconds: 10, churn: 5)
    let outcome = try run(options)
    #expect(outcome.report.isGood(for: options), "\(outcome.report)")
    #expect(outcome.report.reconnects >= 40)
  }

  /// Eight worlds beside the server's, over lines that are slow or break, with people who come and
  /// go: every hash is the server's.
  @Test(arguments: Scene.allCases) func everyReplicaHasTheServersWorld(scene: Scene) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let options = BotOptions(
        count: 8, seconds: 20, stream: .replica, rate: seed % 2 == 0 ? .hz60 : .hz20, churn: 0.5,
        seed: seed)
      let faults = NetworkFaults(
        latency: 1_000_000...120_000_000, slowShare: 0.25, slowBytesPerSecond: 3_000,
        budgetBytes: 4096)
      let report = try run(options, faults: faults, scene: scene).report
      #expect(report.isGood(for: options), "seed \(seed): \(report)")
      #expect(report.keyframes >= 8 && report.keyframeRequests == 0)
      #expect(report.hashesCompared > 100, "seed \(seed): \(report)")
    }
  }

  @Test func oneSeedIsOneRun() throws {
    let faults = NetworkFaults(
      latency: 1_000_000...40_000_000, lifetime: 3_000_000_000...9_000_000_000, slowShare: 0.3)
    let traces = try [7, 7, 8].map { seed in
      try run(BotOptions(count: 8, seconds: 8, seed: seed), faults: faults).trace
    }
    #expect(traces[0] == traces[1])
    #expect(traces[0] != traces[2])
  }

  @Test func aRunThatIsInterruptedReportsWhatItSaw() throws {
    let pit = try VirtualServer(bodies: 30)
    var pool: MemoryClients?
    var report: BotReport?
    var isInterrupted = false
    let fleet = BotFleet(
      options: BotOptions(count: 3, seconds: 3600), dial: { pool!.connect() },
      clock: { pit.network.now }, isInterrupted: { isInterrupted }, finished: { report = $0 })
    pool = pit.network.clients(fleet, timerIntervalMilliseconds: 10)
    pit.advance(seconds: 5)
    #expect(report == nil)
    isInterrupted = true
    pit.advance(seconds: 0.1)
    let finished = try #require(report)
    #expect(finished.connected == 3 && finished.errors == 0 && finished.frames > 3 * 200)
  }
}
