import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// What clients have is the server's world, whoever joins, skips and changes.
@Suite struct StreamTests {
  /// Compares a client with the server's world at the client's tick, if it is kept.
  private func agrees(_ probe: Probe, with pit: VirtualServer) -> Bool {
    let world = probe.decoder.world
    guard world.tick > 0, let moment = pit.server.exchange.worlds.moment(at: world.tick) else {
      return false
    }
    return world.bodies == moment.bodies.map { $0.onLattice(of: .strict) }
      && world.gravity == moment.gravity
  }

  /// Lets time pass tick by tick, while somebody keeps the pit moving.
  private func play(
    _ pit: VirtualServer, seconds: Int, shaker: Probe, each: (Int) throws -> Void = { _ in }
  ) rethrows {
    for tick in 0..<(seconds * 60) {
      if tick % 30 == 0 { shaker.say(.tilt(x: tick % 60 == 0 ? 16_384 : -16_384, y: 0)) }
      pit.advance(seconds: 1.0 / 60)
      try each(tick)
    }
  }

  @Test func everybodyHasTheServersWorld() throws {
    let pit = try VirtualServer(bodies: 60)
    let shaker = Probe(pit)
    var guests: [Probe] = []
    try play(pit, seconds: 20, shaker: shaker) { tick in
      if tick % 100 == 0 {
        let rate = FrameRate.allCases[tick / 100 % 4]
        guests.append(Probe(pit, hello: Hello(rate: rate)))
      }
      guard tick > 10 else { return }
      #expect(agrees(shaker, with: pit))
      for guest in guests.dropLast() { #expect(agrees(guest, with: pit)) }
    }
    for probe in guests + [shaker] {
      #expect(probe.failures.isEmpty && probe.closed == nil)
      #expect(probe.frames.filter(\.isKeyframe).count == 1)
      #expect(probe.frames.allSatisfy { $0.skipped == 0 })
    }
    // Who joined is in step again by now, and costs nothing of its own.
    #expect(guests[0].decoder.isInStep && shaker.decoder.isInStep)
  }

  @Test func slowReadersHaveTheServersWorldToo() throws {
    let pit = try VirtualServer(bodies: 60)
    pit.network.faults = NetworkFaults(
      latency: 5_000_000...30_000_000, slowShare: 1, slowBytesPerSecond: 1500, budgetBytes: 2_048)
    let slow = (0..<6).map { _ in Probe(pit) }
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    let shaker = Probe(pit)
    var compared = 0
    try play(pit, seconds: 40, shaker: shaker) { _ in
      #expect(shaker.frames.allSatisfy { $0.skipped == 0 || $0.isKeyframe })
      for probe in slow where agrees(probe, with: pit) { compared += 1 }
    }
    #expect(compared > 1000)
    for probe in slow {
      #expect(probe.failures.isEmpty && probe.closed == nil)
      #expect(probe.frames.contains { $0.skipped > 0 && !$0.isKeyframe })
      #expect(agrees(probe, with: pit))
    }
  }

  @Test func changesOfRateDisturbNobody() throws {
    let pit = try VirtualServer(bodies: 60)
    pit.network.faults = NetworkFaults(slowShare: 1, slowBytesPerSecond: 300, budgetBytes: 2_048)
    let slow = Probe(pit)
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    let probes = FrameRate.allCases.map { Probe(pit, hello: Hello(rate: $0)) }
    try play(pit, seconds: 40, shaker: probes[0])
    #expect(slow.failures.isEmpty && slow.closed == nil)
    #expect(slow.decoder.shape?.rate == .hz10)
    for probe in probes {
      #expect(probe.failures.isEmpty)
      #expect(probe.frames.filter(\.isKeyframe).count == 1)
      #expect(probe.frames.allSatisfy { $0.skipped == 0 })
      #expect(agrees(probe, with: pit))
    }
  }

  @Test func clientsAtOnePlaceShareTheirFrames() throws {
    let pit = try VirtualServer(bodies: 60)
    let shaker = Probe(pit)
    try play(pit, seconds: 1, shaker: shaker)
    // Forty join at once: what they need is encoded once.
    let guests = (0..<40).map { _ in Probe(pit) }
    try play(pit, seconds: 2, shaker: shaker)
    #expect(guests.allSatisfy { agrees($0, with: pit) && $0.failures.isEmpty })
    let demand = pit.hub.demand.asked[StreamKey(rate: .hz60, profile: .strict).index]
    #expect(demand.positions.count == 1)
    #expect(!demand.wantsKeyframe)
  }

  @Test(arguments: [1, 25])
  func framesAreEncodedOnceWhateverTheNumberOfClients(ofEachStream: Int) throws {
    let pit = try VirtualServer(bodies: 60)
    let shaker = Probe(pit)
    var probes: [Probe] = []
    for _ in 0..<ofEachStream {
      for key in StreamKey.all {
        probes.append(Probe(pit, hello: Hello(rate: key.rate, profile: key.profile)))
      }
    }
    // A restart, after which all are in step, is among these.
    try play(pit, seconds: 9, shaker: shaker)
    let before = pit.server.exchange.health.encoded
    try play(pit, seconds: 3, shaker: shaker)
    let after = pit.server.exchange.health.encoded
    #expect(after.own - before.own == 3 * 2 * (60 + 30 + 20 + 10))
    #expect(after.keyframes == before.keyframes)
    #expect(after.catchUps == before.catchUps)
    #expect(probes.allSatisfy { $0.failures.isEmpty && $0.decoder.isInStep })
    // One more in each stream costs a frame a tick until it is in step, and nobody else anything.
    for key in StreamKey.all {
      for _ in 0..<ofEachStream {
        probes.append(Probe(pit, hello: Hello(rate: key.rate, profile: key.profile)))
      }
    }
    try play(pit, seconds: 1, shaker: shaker)
    let joined = pit.server.exchange.health.encoded
    #expect(joined.own - after.own == 2 * (60 + 30 + 20 + 10))
    #expect(joined.keyframes - after.keyframes == StreamKey.all.count)
    #expect((1...(2 * (60 + 30 + 20 + 10))).contains(joined.catchUps - after.catchUps))
    #expect(probes.allSatisfy { $0.failures.isEmpty })
  }

  @Test func whoFellTooFarBehindGetsAKeyframe() throws {
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 4_096), bodies: 60)
    let shaker = Probe(pit)
    let sleeper = Probe(pit)
    try play(pit, seconds: 1, shaker: shaker)
    sleeper.connection?.isReading = false
    try play(pit, seconds: 6, shaker: shaker)
    sleeper.connection?.isReading = true
    try play(pit, seconds: 2, shaker: shaker)
    #expect(sleeper.failures.isEmpty)
    #expect(sleeper.frames.contains { $0.isKeyframe && $0.skipped > 64 })
    #expect(agrees(sleeper, with: pit))
  }

  @Test func aPitAtRestCostsAFewBytesASecond() throws {
    let pit = try VirtualServer(bodies: 30)
    let probe = Probe(pit)
    pit.advance(seconds: 30)
    let before = pit.hub.traffic
    pit.advance(seconds: 8)
    let after = pit.hub.traffic
    // Two frames of three bytes a second, and what a restart cuts off.
    #expect(after.frames - before.frames <= 18)
    #expect(after.bytes - before.bytes <= 3 * 18)
    #expect(agrees(probe, with: pit))
    // The first motion is not held back.
    probe.say(.drop(kind: 1, x: 2880, y: 800))
    pit.advance(seconds: 2.5 / 60)
    #expect(probe.decoder.world.bodies.count == 31)
  }

  @Test func bothProfilesRunSideBySide() throws {
    let pit = try VirtualServer(bodies: 60)
    let strict = Probe(pit)
    let visual = Probe(pit, hello: Hello(profile: .visual))
    try play(pit, seconds: 12, shaker: strict)
    #expect(agrees(strict, with: pit))
    #expect(visual.failures.isEmpty && visual.decoder.world.profile == .visual)
    let moment = try #require(pit.server.exchange.worlds.moment(at: visual.decoder.world.tick))
    for (seen, body) in zip(visual.decoder.world.bodies, moment.bodies) {
      let truth = body.onLattice(of: .visual)
      #expect(seen.isSameSticker(as: truth))
      #expect(abs(seen.x - truth.x) <= 6 && abs(seen.y - truth.y) <= 6)
    }
  }
}
