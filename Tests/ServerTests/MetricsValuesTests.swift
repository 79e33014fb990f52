import Simulation
import Synchronization
import Testing
import Wire

@testable import Server
@testable import Transport

/// Values of `/metrics` beside what happened: one that is told under another's name, or stands
/// still, is found here.
@Suite struct MetricsValuesTests {
  /// Between two deadlines, so that no rounding decides whether a tick has run.
  private let halfTick = 1.0 / 120

  @Test func aLateThreadIsToldByItsNumber() throws {
    let pit = try VirtualServer(bodies: 60, networkThreads: 2)
    let probes = (0..<2).map { _ in Probe(pit) }
    pit.advance(seconds: 2 + halfTick)
    let calm = try pit.metrics()
    func value(_ name: String, _ thread: Int, _ page: [String: Double]) -> Double? {
      page["stickerpit_\(name){thread=\"\(thread)\"}"]
    }
    for thread in 0...1 {
      #expect(value("backlog_ticks", thread, calm) == 1)
      #expect(value("overloaded", thread, calm) == 0)
      #expect(value("ticks_collapsed_total", thread, calm) == 0)
      #expect(
        value("fanout_duration_seconds_count", thread, calm) == calm["stickerpit_ticks_total"])
    }
    // The second thread is woken at each fifth tick, twelve times.
    for _ in 0..<12 {
      pit.heldThreads = [1]
      pit.advance(seconds: 4.0 / 60)
      pit.heldThreads = []
      pit.advance(seconds: 1.0 / 60)
    }
    pit.heldThreads = [1]
    pit.advance(seconds: 7.0 / 60)
    let late = try pit.metrics()
    #expect(value("backlog_ticks", 0, late) == 1)
    #expect(value("backlog_ticks", 1, late) == 7, "they wait now")
    #expect(value("overloaded", 0, late) == 0 && value("overloaded", 1, late) == 1)
    #expect(value("ticks_collapsed_total", 0, late) == 0)
    #expect(value("ticks_collapsed_total", 1, late) == 48, "of five one was sent")
    #expect(pit.server.hubs[1].traffic.collapsed == 12 * 4)
    for (thread, turns) in [(0, 67.0), (1, 12.0)] {
      let name = "fanout_duration_seconds_count"
      let before = try #require(value(name, thread, calm))
      #expect(value(name, thread, late) == before + turns)
    }
    pit.heldThreads = []
    pit.advance(seconds: 2)
    let after = try pit.metrics()
    #expect(value("overloaded", 1, after) == 0 && value("backlog_ticks", 1, after) == 1)
    #expect(probes.allSatisfy { $0.failures.isEmpty && $0.closed == nil })
  }

  @Test func framesAreToldAsOftenAsTheyWereMadeAndBytesAsTheyWereSent() throws {
    let pit = try VirtualServer(bodies: 60, networkThreads: 2)
    let probes = [FrameRate.hz60, .hz60, .hz30].map { Probe(pit, hello: Hello(rate: $0)) }
    pit.advance(seconds: 2 + halfTick)
    let own = #"stickerpit_frames_encoded_total{kind="own"}"#
    let before = try #require(try pit.metrics()[own])
    pit.advance(seconds: 2)
    #expect(
      try pit.metrics()[own] == before + 120 + 60, "once for each stream, whoever gets them")
    // Who misses something gets a frame that leads on from there.
    probes[0].say(.tilt(x: 16_384, y: 0))
    pit.advance(seconds: 0.2)
    pit.heldThreads = [0]
    pit.advance(seconds: 7.0 / 60)
    pit.heldThreads = []
    pit.advance(seconds: 1)
    let values = try pit.metrics()
    let encoded = pit.server.exchange.health.encoded
    #expect(encoded.keyframes >= 2 && encoded.catchUps > 0)
    for (kind, count) in [
      ("own", encoded.own), ("catch_up", encoded.catchUps), ("keyframe", encoded.keyframes),
    ] {
      #expect(values["stickerpit_frames_encoded_total{kind=\"\(kind)\"}"] == Double(count))
    }
    for (thread, hub) in pit.server.hubs.enumerated() {
      let bytes = values["stickerpit_sent_bytes_total{thread=\"\(thread)\"}"]
      #expect(hub.traffic.bytes > 1000 && bytes == Double(hub.traffic.bytes))
    }
    #expect(probes.allSatisfy { $0.failures.isEmpty })
  }

  @Test(arguments: Scene.allCases) func theSceneIsToldAndThatItStandsStill(
    _ scene: Scene
  ) throws {
    let pit = try VirtualServer(scene: scene)
    pit.advance(seconds: 1)
    let first = try pit.metrics()
    let played = Scene.allCases.filter {
      first["stickerpit_scene{scene=\"\($0.name)\"}"] == 1
    }
    let others = Scene.allCases.filter {
      first["stickerpit_scene{scene=\"\($0.name)\"}"] == 0
    }
    #expect(played == [scene] && others.count == Scene.allCases.count - 1)
    #expect(first["stickerpit_frozen"] == 0)
    #expect(pit.server.exchange.post(.freeze))
    pit.advance(seconds: 1.1)
    #expect(try pit.metrics()["stickerpit_frozen"] == 1)
    #expect(pit.server.exchange.post(.unfreeze))
    pit.advance(seconds: 1.1)
    #expect(try pit.metrics()["stickerpit_frozen"] == 0)
  }

  @Test func handsThatHeldTooLongAreTold() throws {
    var limits = Limits()
    limits.stillHandSeconds = 3
    let pit = try VirtualServer(limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 2)
    #expect(try pit.metrics()["stickerpit_hands_opened_total"] == 0)
    _ = try probe.grabFirst()
    pit.advance(seconds: 5)
    #expect(probe.holders.isEmpty && pit.server.exchange.health.openedHands == 1)
    #expect(try pit.metrics()["stickerpit_hands_opened_total"] == 1)
  }

  /// What the listeners count where they do it, which tests on sockets look at.
  @Test func whatThePortCountsIsTold() throws {
    let pit = try VirtualServer()
    pit.advance(seconds: 1)
    let port = pit.hub.metrics.port
    port.refusedProxyHeaders.add(3, ordering: .relaxed)
    port.handshakes.add(2, ordering: .relaxed)
    port.failedHandshakes.add(1, ordering: .relaxed)
    port.handshakeTook(2_000_000)
    port.handshakeTook(4_000_000)
    let values = try pit.metrics()
    #expect(values["stickerpit_proxy_headers_refused_total"] == 3)
    #expect(values[#"stickerpit_tls_handshakes_total{result="done"}"#] == 2)
    #expect(values[#"stickerpit_tls_handshakes_total{result="failed"}"#] == 1)
    let name = "stickerpit_tls_handshake_duration_seconds"
    #expect(values[name + "_count"] == 2)
    let sum = try #require(values[name + "_sum"])
    #expect(abs(sum - 0.006) < 1e-9, "in seconds")
    let worst = try #require(values[name + #"{quantile="1"}"#])
    #expect((0.0039...0.0041).contains(worst))
  }
}
