import Logging
import Testing
import Transport
import Wire

@testable import Server

/// What an operator's monitoring is told.
@Suite struct MetricsTests {
  @Test func theMetricsAreWhatHappened() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let probes = [FrameRate.hz60, .hz60, .hz30].map { Probe(pit, hello: Hello(rate: $0)) }
    pit.advance(seconds: 2)
    let first = try pit.metrics()
    #expect(first["stickerpit_people"] == 3 && first["stickerpit_bodies"] == 10)
    #expect(first[#"stickerpit_clients{rate="60",stream="state",thread="0"}"#] == 1)
    #expect(first[#"stickerpit_clients{rate="30",stream="state",thread="0"}"#] == 1)
    #expect(first[#"stickerpit_clients{rate="60",stream="state",thread="1"}"#] == 1)
    #expect(first[#"stickerpit_clients{rate="10",stream="replica",thread="1"}"#] == 0)
    let build = first.first { $0.key.hasPrefix("stickerpit_build_info") }
    #expect(
      build?.key == "stickerpit_build_info{protocol=\"\(WireVersion.current)\",swift=\"6.3\","
        + "version=\"\(ServerVersion.text)\"}" && build?.value == 1)
    #expect(first["stickerpit_tick_duration_seconds_count"] == first["stickerpit_ticks_total"])
    let keyframes = (0...1).compactMap {
      first["stickerpit_frames_sent_total{kind=\"keyframe\",thread=\"\($0)\"}"]
    }
    #expect(keyframes.reduce(0, +) == 3)
    probes[0].say(bytes: [0xff, 1])
    pit.advance(seconds: 2)
    let second = try pit.metrics()
    #expect(second["stickerpit_people"] == 2)
    #expect(second[#"stickerpit_closed_total{reason="errors",thread="0"}"#] == 1)
    #expect(second["stickerpit_ticks_total"]! == first["stickerpit_ticks_total"]! + 120)
    #expect(second["stickerpit_ticks_lost_total"] == 0)
  }

  @Test func whatClientsReportIsAddedUp() throws {
    let pit = try VirtualServer()
    let probes = (0..<2).map { _ in Probe(pit) }
    pit.advance(seconds: 1)
    for probe in probes {
      probe.say(
        .report(
          ClientReport(rollbacks: 12, replayedTicks: 96, corrections: 3, wrongWorlds: .max)))
    }
    pit.advance(seconds: 1)
    let values = try pit.metrics()
    for (what, count) in [
      ("reports", 2), ("rollbacks", 24), ("replayed_ticks", 192), ("corrections", 6),
      ("wrong_worlds", 131_070),
    ] as [(String, Double)] {
      #expect(
        values["stickerpit_client_reports_total{thread=\"0\",what=\"\(what)\"}"] == count)
    }
    #expect(values["stickerpit_contacts"]! > 0, "ten stickers lie somewhere")
    probes[0].leave()
    pit.advance(seconds: 1)
    let reason = #"stickerpit_closed_total{reason="client",thread="0"}"#
    #expect(try pit.metrics()[reason] == 1)
    // As many as it likes: then it is one that asks for more than a client may.
    for _ in 0..<100 { probes[1].say(.report(ClientReport())) }
    pit.advance(seconds: 1)
    #expect(probes[1].closed?.code == .policy)
  }

  /// What `/healthz` tells of trouble, monitoring is told as well.
  @Test func standstillsAndFramesThatCouldNotBeTakenAreCounted() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let probes = (0..<2).map { _ in Probe(pit) }
    pit.advance(seconds: 1)
    let requests = (0...1).map { "stickerpit_keyframe_requests_total{thread=\"\($0)\"}" }
    let before = try pit.metrics()
    #expect(before["stickerpit_standstills_total"] == 0)
    #expect(before["stickerpit_stream_restarts_total"] == 0)
    #expect(requests.map { before[$0] } == [0, 0])
    probes[1].say(.stream(kind: .state, rate: .hz60, profile: .strict))
    pit.advance(seconds: 1)
    pit.standStill(seconds: 3)
    pit.advance(seconds: 2)
    let after = try pit.metrics()
    #expect(after["stickerpit_standstills_total"] == 1, "once, though both threads noticed")
    #expect(requests.map { after[$0] } == [0, 1])
    // No client can bring about that an encoder can't go on.
    var health = pit.server.exchange.health
    health.encoded.restarted += 2
    let reports = pit.server.exchange.lanes.map(\.report)
    let page = pit.hub.metrics.text(health, 2, reports, nil)
    #expect(page.contains("\nstickerpit_stream_restarts_total 2\n"))
  }

  @Test func linesOfTheLogThatNobodyReadsAreCounted() throws {
    let queue = LogQueue { _ in }
    let logger = Logger(label: "none") { _ in SwiftLogNoOpLogHandler() }
    let pit = try VirtualServer(log: ServerLog(logger, queue: queue) { 0 })
    for _ in 0..<(LogQueue.mostWaiting + 3) { queue.add {} }
    pit.advance(seconds: 1)
    #expect(try pit.metrics()["stickerpit_log_lines_lost_total"] == 3)
  }

  @Test func aSecondsScrapesGetOnePage() throws {
    let pit = try VirtualServer()
    pit.advance(seconds: 1)
    let first = try #require(pit.ask("/metrics")).body
    pit.advance(seconds: 0.5)
    #expect(pit.ask("/metrics")?.body == first)
    pit.advance(seconds: 0.6)
    #expect(pit.ask("/metrics")?.body != first)
  }

  @Test func itIsReadyWhileItTicksAndDegradedAfterTrouble() throws {
    let pit = try VirtualServer()
    #expect(pit.ask("/readyz")?.status == 503, "nothing ran yet")
    pit.advance(seconds: 1)
    #expect(pit.ask("/readyz")?.status == 200)
    let isOK = {
      String(decoding: pit.ask("/healthz")?.body ?? [], as: UTF8.self).contains("\"ok\"")
    }
    #expect(isOK())
    pit.standStill(seconds: 3)
    #expect(pit.ask("/readyz")?.status == 503)
    pit.advance(seconds: 1)
    #expect(pit.ask("/readyz")?.status == 200 && isOK(), "time stood still for everybody")
    let health = pit.server.exchange.health
    #expect(health.isReady(at: health.deadline + 900_000_000))
    #expect(!health.isReady(at: health.deadline + 1_000_000_000))
    #expect(health.isDegraded(at: health.deadline + 2_000_000_000), "the tick thread hangs")
    var late = health
    late.lastTrouble = health.deadline
    #expect(late.isDegraded(at: health.deadline + 500_000_000))
    late.deadline += 10_000_000_000
    #expect(late.isDegraded(at: late.deadline - 1) && !late.isDegraded(at: late.deadline))
    #expect(!TickHealth().isReady(at: 0) && !TickHealth().isDegraded(at: 0))
  }
}

extension VirtualServer {
  /// What `/metrics` tells, by each sample's name and labels.
  func metrics() throws -> [String: Double] {
    let answer = try #require(ask("/metrics"))
    #expect(answer.status == 200)
    #expect(answer.contentType.hasPrefix("text/plain; version=0.0.4"))
    return try samples(of: String(decoding: answer.body, as: UTF8.self))
  }
}

/// The samples of a page in Prometheus' text format, by each one's name and labels.
func samples(of page: String) throws -> [String: Double] {
  var values: [String: Double] = [:]
  for line in page.split(separator: "\n") where !line.hasPrefix("#") {
    let space = try #require(line.lastIndex(of: " "))
    // Named, because where an optional will do nothing is required.
    let value: Double = try #require(Double(line[space...].dropFirst()))
    values[String(line[..<space])] = value
  }
  return values
}
