import Simulation
import Synchronization
import Testing
import TickLog
import Wire

@testable import Server

/// A disk that refuses costs nothing but time: what it did not take is written later.
@Suite struct JournalWriterTests {
  /// A home that takes entries or doesn't.
  private final class Home: LogHome {
    var failure: JournalError?
    var entries: [LogEntry] = []
    var last: UInt64 { entries.last { !$0.groups.isEmpty }?.groups.last?.last ?? 0 }

    func append(_ entry: LogEntry) throws(JournalError) {
      if let failure { throw failure }
      entries.append(entry)
    }

    let path = "somewhere"
    func origins() -> [LogOrigin] { [] }
    func people() -> [LoggedPerson] { [] }
    func prune(after position: UInt64) {}
    func newestSnapshot(upTo position: UInt64) -> LogSnapshot? { nil }
    func groups(after position: UInt64, limit: Int) -> [LogGroup] { [] }
    func prune(to limits: JournalLimits, at now: UInt64) -> Bool { false }
    func byteCount() -> Int { 77 }
    private(set) var isClosed = false
    func close() { isClosed = true }
  }

  private final class Clock: Sendable {
    let now = Mutex<UInt64>(1_000_000_000)
    func advance(_ seconds: Double) { now.withLock { $0 += UInt64(seconds * 1e9) } }
  }

  private struct Bench {
    let home = Home()
    let desk = JournalDesk(position: 0, snapshot: 0, wallClock: { 5 })
    let clock = Clock()
    let metrics: ServerMetrics
    let writer: JournalWriter

    init(stops: Bool = false) throws {
      let clock = clock
      let now: @Sendable () -> UInt64 = { clock.now.withLock { $0 } }
      metrics = ServerMetrics(networkThreads: 1, clock: now)
      let settings = JournalSettings(
        folder: "somewhere", limits: JournalLimits(age: 1, bytes: 1), stopsOnFailure: stops)
      let origin = LogOrigin(
        position: 0, beginning: .world, time: 0, version: "1",
        world: WorldSettings(try .init(bodies: 1)))
      writer = JournalWriter(
        home, desk, settings, identity: origin,
        metrics: metrics, log: .none, clock: now,
        wallClock: { 5 })
    }

    /// What `/metrics` tells of the journal, by what stands behind `stickerpit_journal_`.
    func told() throws -> [String: Double] {
      let page = try samples(of: metrics.text(TickHealth(), 0, [], writer.health))
      let prefix = "stickerpit_journal_"
      var told: [String: Double] = [:]
      for (name, value) in page where name.hasPrefix(prefix) {
        told[String(name.dropFirst(prefix.count))] = value
      }
      return told
    }

    func tick() { desk.put(record: [0x90], commands: [], world: nil) }
  }

  @Test func oneTurnIsOneEntry() throws {
    let bench = try Bench()
    bench.writer.turn()
    #expect(bench.home.entries.isEmpty)
    for _ in 0..<3 { bench.tick() }
    #expect(bench.writer.health.waitingTicks == 3)
    bench.writer.turn()
    #expect(bench.home.entries.count == 1)
    #expect(
      bench.home.entries[0].groups
        == [LogGroup(first: 1, count: 3, time: 5, records: [0x90, 0x90, 0x90])])
    let health = bench.writer.health
    #expect(health.writtenTicks == 3 && health.waitingTicks == 0 && health.position == 3)
    #expect(health.bytes == 77)
  }

  @Test func whatFailedIsTriedAgainAndNothingIsLost() throws {
    let bench = try Bench()
    bench.tick()
    bench.home.failure = .full("somewhere")
    bench.writer.turn()
    #expect(bench.writer.health.isFailing && bench.writer.health.failures == 1)
    for _ in 0..<10 {
      bench.tick()
      bench.writer.turn()
    }
    // Not before a second is over.
    #expect(bench.writer.health.failures == 1)
    #expect(bench.writer.health.waitingTicks == 11)
    bench.clock.advance(1.1)
    bench.writer.turn()
    #expect(bench.writer.health.failures == 2)
    bench.home.failure = nil
    bench.clock.advance(1.1)
    bench.writer.turn()
    bench.writer.turn()
    #expect(bench.home.entries.flatMap(\.groups).map(\.count) == [1, 10])
    let health = bench.writer.health
    #expect(!health.isFailing && health.waitingTicks == 0 && health.lostTicks == 0)
  }

  /// The disk is well again before the end, but nobody has tried yet.
  @Test func theEndWritesAllThatWaits() throws {
    let bench = try Bench()
    var pit = try Pit(.init(bodies: 1))
    var coder = RecordCoder(tick: 0, gravity: pit.gravity)
    bench.home.failure = .full("somewhere")
    for _ in 0..<50 {
      var record: [UInt8] = []
      coder.encode(pit.tick(TickInputs()).record, into: &record)
      bench.desk.put(record: record, commands: [], world: nil)
      bench.writer.turn()
    }
    #expect(bench.writer.health.isFailing)
    bench.home.failure = nil
    bench.writer.start()
    bench.writer.stop(SavedWorld(pit, coder))
    #expect(bench.home.entries.flatMap(\.groups).map(\.count).reduce(0, +) == 50)
    #expect(bench.home.entries.last?.snapshot?.position == 50)
    #expect(bench.home.isClosed)
  }

  @Test func monitoringIsToldWhatWasWrittenWhatWaitsAndWhatFailed() throws {
    let bench = try Bench()
    for _ in 0..<3 { bench.tick() }
    bench.writer.turn()
    for _ in 0..<2 { bench.tick() }
    let first = try bench.told()
    #expect(first[#"ticks_total{result="written"}"#] == 3 && first["waiting_ticks"] == 2)
    #expect(first[#"ticks_total{result="given_up"}"#] == 0 && first["failures_total"] == 0)
    #expect(first["bytes"] == 77 && first["write_duration_seconds_count"] == 1)
    bench.home.failure = .full("somewhere")
    bench.writer.turn()
    let failed = try bench.told()
    #expect(failed["failures_total"] == 1 && failed["waiting_ticks"] == 2)
    #expect(failed[#"ticks_total{result="written"}"#] == 3)
    #expect(failed["write_duration_seconds_count"] == 1, "none was written")
    bench.home.failure = nil
    bench.clock.advance(1.1)
    bench.writer.turn()
    let last = try bench.told()
    #expect(last[#"ticks_total{result="written"}"#] == 5 && last["waiting_ticks"] == 0)
    #expect(last["failures_total"] == 1 && last["write_duration_seconds_count"] == 2)
    // No test waits until a disk has taken nothing for so long that ticks are given up.
    var health = bench.writer.health
    health.lostTicks = 9
    let page = bench.metrics.text(TickHealth(), 0, [], health)
    #expect(page.contains("\nstickerpit_journal_ticks_total{result=\"given_up\"} 9\n"))
  }

  @Test func theFirstFailureIsToldWhereItEndsTheServer() async throws {
    let bench = try Bench(stops: true)
    bench.tick()
    bench.home.failure = .full("somewhere")
    bench.writer.turn()
    let told = await bench.writer.failures.first { _ in true }
    #expect(told == .full("somewhere"))
  }
}
