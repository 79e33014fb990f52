import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// What streams may cost a tick, however many there are and whoever asks for what.
@Suite struct StreamBudgetTests {
  /// Debug builds code a tenth of the bodies, with a tenth of the budget.
  #if DEBUG
    private static let scale = 10
  #else
    private static let scale = 1
  #endif

  private func limits() -> Limits {
    var limits = Limits()
    limits.encodedBodiesPerTick /= Self.scale
    limits.othersPerTick /= Self.scale
    return limits
  }

  /// Plays tick by tick and checks what each of them encoded.
  private func play(
    _ pit: VirtualServer, ticks: Int, _ limits: Limits, each: (Int) throws -> Void = { _ in }
  ) rethrows {
    var before = pit.server.exchange.health.encoded
    for tick in 0..<ticks {
      try each(tick)
      pit.advance(seconds: 1.0 / 60)
      let health = pit.server.exchange.health
      let own = health.encoded.own - before.own
      let others =
        health.encoded.keyframes + health.encoded.catchUps - before.keyframes - before.catchUps
      #expect(own <= 4 && own * health.bodies <= limits.encodedBodiesPerTick)
      #expect(others * health.bodies <= limits.othersPerTick)
      before = health.encoded
    }
  }

  @Test func eightHellosToALargeWorldAreSpreadOverTicks() throws {
    let limits = limits()
    let bodies = 4000 / Self.scale
    let pit = try VirtualServer(bodies: bodies, maxBodies: bodies, limits: limits)
    var probes: [Probe] = []
    func joinAll() {
      for key in StreamKey.all {
        probes.append(Probe(pit, hello: Hello(rate: key.rate, profile: key.profile)))
      }
    }
    // Eight at once, and eight more for as long as those before are not in step.
    try play(pit, ticks: 60, limits) { if $0 % 20 == 0 { joinAll() } }
    #expect(probes.allSatisfy { $0.failures.isEmpty && $0.closed == nil })
    for (index, probe) in probes.prefix(8 * 2).enumerated() {
      let key = StreamKey.all[index % 8]
      #expect(probe.frames.first?.isKeyframe == true)
      #expect(probe.decoder.shape?.rate == key.rate && probe.decoder.shape?.profile == key.profile)
      // A few of the first stickers still rain in.
      #expect(probe.decoder.world.bodies.count > bodies * 9 / 10)
    }
    // Whoever was not served in time begins again, and all are served in the end.
    try play(pit, ticks: 60, limits)
    for probe in probes {
      #expect(probe.failures.isEmpty)
      #expect(probe.decoder.world.tick.ticks(since: pit.tick) > -40)
    }
  }

  @Test func largeWorldsOfferFewerStreams() {
    let limits = Limits()
    #expect(StreamOffer(bodyCap: 8192, limits: limits).keys == StreamKey.all)
    for cap in [1, 4096, 8192, 8193, 11_000, 16_384] {
      let offer = StreamOffer(bodyCap: cap, limits: limits)
      for tick in UInt32(0)..<60 {
        #expect(offer.keys.count { $0.isDue(at: tick) } * cap <= limits.encodedBodiesPerTick)
      }
      #expect(offer.keys.contains(StreamKey(rate: .hz60, profile: .strict)))
      for key in StreamKey.all {
        let nearest = offer.nearest(to: key)
        #expect(offer.keys.contains(nearest))
        if offer.keys.contains(key) { #expect(nearest == key) }
      }
    }
    var tight = Limits()
    tight.encodedBodiesPerTick = 100
    let least = StreamOffer(bodyCap: 1000, limits: tight)
    #expect(least.keys == [StreamKey(rate: .hz60, profile: .strict)])
    #expect(least.slower(than: least.keys[0]) == nil)
  }

  @Test func whoAsksForWhatIsNotOfferedGetsTheNearest() throws {
    var limits = Limits()
    limits.encodedBodiesPerTick = 200
    let pit = try VirtualServer(bodies: 60, maxBodies: 100, limits: limits)
    let offer = pit.hub.offer
    #expect(offer.keys.count < 8)
    let probes = StreamKey.all.map { Probe(pit, hello: Hello(rate: $0.rate, profile: $0.profile)) }
    pit.advance(seconds: 1)
    for (key, probe) in zip(StreamKey.all, probes) {
      let given = offer.nearest(to: key)
      #expect(probe.decoder.shape?.rate == given.rate)
      #expect(probe.decoder.shape?.profile == given.profile)
      #expect(probe.failures.isEmpty)
    }
  }

  @Test func aSlowReaderIsLoweredToWhatIsOffered() throws {
    var limits = Limits()
    limits.encodedBodiesPerTick = 200
    let pit = try VirtualServer(bodies: 60, maxBodies: 100, limits: limits)
    pit.network.faults = NetworkFaults(slowShare: 1, slowBytesPerSecond: 500, budgetBytes: 2_048)
    let slow = Probe(pit)
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    let shaker = Probe(pit)
    for second in 0..<60 {
      pit.advance(seconds: 1)
      shaker.say(.tilt(x: second % 2 == 0 ? 16_384 : -16_384, y: 0))
    }
    let keys = pit.hub.offer.keys.filter { $0.profile == .strict }
    #expect(slow.failures.isEmpty && slow.closed == nil)
    #expect(slow.decoder.shape?.rate == keys.last?.rate)
    #expect(slow.decoder.shape?.rate != .hz60)
  }

  /// Of many who wait, each is served before anybody is served twice.
  @Test func nobodyStarves() {
    var limits = Limits()
    limits.othersPerTick = 300
    var queue = FrameQueue(limits: limits)
    var servedAt: [String: UInt32] = [:]
    // Sixty-four places of the fastest stream, all of them blocked and asking again and again, and
    // keyframes of all streams.
    let positions = (0..<64).map { StreamPosition(tick: 1000 - UInt32($0), isInStep: false) }
    for tick in UInt32(1001)...1064 {
      queue.begin()
      for (index, key) in StreamKey.all.enumerated() where key.isDue(at: tick) {
        var demand = StreamDemand()
        demand.isWanted = true
        demand.wantsKeyframe = true
        if index == 0 { for position in positions { demand.add(position) } }
        queue.add(demand, of: index, at: tick)
      }
      queue.sort(at: tick)
      var count = 0
      while let request = queue.next(bodies: 100, at: tick) {
        count += 1
        let name = "\(request.stream) \(request.position.map { "\($0.tick)" } ?? "keyframe")"
        servedAt[name] = tick
      }
      #expect(count == 3)
    }
    let names = positions.map { "0 \($0.tick)" } + StreamKey.all.indices.map { "\($0) keyframe" }
    for name in names { #expect(servedAt[name] != nil, "\(name)") }
  }

  /// Who has to wait for the frame that a stream begins with is counted, and nobody else is.
  @Test(arguments: [true, false]) func whoWaitsForAKeyframeIsCounted(isTight: Bool) throws {
    var limits = Limits()
    // One frame a tick: the first one always fits.
    if isTight { limits.othersPerTick = 1 }
    let pit = try VirtualServer(bodies: 30, limits: limits)
    let hellos = [CodecProfile.strict, .visual].map { Hello(profile: $0) }
    // Two streams that begin at one tick.
    let first = hellos.map { Probe(pit, hello: $0) }
    pit.advance(seconds: 1)
    let waited = pit.hub.traffic.skipped[.waiting]
    #expect(isTight == (waited > 0), "\(waited)")
    // A newcomer to each of two that run.
    let second = hellos.map { Probe(pit, hello: $0) }
    pit.advance(seconds: 1)
    let more = pit.hub.traffic.skipped[.waiting] - waited
    #expect(isTight == (more > 0), "\(more)")
    for probe in first + second {
      #expect(probe.failures.isEmpty && probe.frames.first?.isKeyframe == true)
    }
    let metric = #"stickerpit_frames_skipped_total{thread="0",why="waiting"}"#
    #expect(try pit.metrics()[metric] == Double(waited + more))
    // They wait, and skip nothing: /healthz and the monitor tell of clients that read slowly.
    let health = String(decoding: try #require(pit.ask("/healthz")).body, as: UTF8.self)
    #expect(health.contains(#""skipped":\#(pit.hub.traffic.missed),"#), "\(health)")
    #expect(pit.hub.traffic.missed == pit.hub.traffic.skipped.total - waited - more)
  }

  @Test func aClientChangesItsStreamOrAsksForAKeyframe() throws {
    let pit = try VirtualServer(bodies: 30)
    let (probe, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    probe.say(.stream(kind: .state, rate: .hz20, profile: .visual))
    pit.advance(seconds: 1)
    #expect(probe.decoder.shape?.rate == .hz20 && probe.decoder.shape?.profile == .visual)
    #expect(pit.hub.traffic.keyframeRequests == 0)
    let before = probe.frames.count
    probe.say(.stream(kind: .state, rate: .hz20, profile: .visual))
    pit.advance(seconds: 0.2)
    #expect(probe.frames[before...].contains { $0.isKeyframe })
    #expect(pit.hub.traffic.keyframeRequests == 1)
    #expect(probe.failures.isEmpty && probe.closed == nil)
    #expect(other.frames.filter(\.isKeyframe).count == 1 && other.failures.isEmpty)
    // More than one a second, after four at once, is too much.
    for _ in 0..<5 { probe.say(.stream(kind: .state, rate: .hz60, profile: .strict)) }
    pit.advance(seconds: 0.1)
    #expect(probe.closed?.code == .policy && probe.closed?.reason == "too many streams asked for")
    #expect(other.closed == nil)
  }
}
