import Testing
import Wire

@testable import Server
@testable import Simulation

/// What is meant for a tick that has been run counts in the next one, and its client is told.
@Suite struct LateInputTests {
  @Test func aTiltThatComesLateIsTold() throws {
    let pit = try VirtualServer(bodies: 10)
    let (probe, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    let now = pit.tick
    probe.say(.aimed(at: now &- 3, message: .tilt(x: 9000, y: 9000)))
    pit.advance(seconds: 0.2)
    let late = try #require(probe.lateTilts.first)
    #expect(probe.lateTilts.count == 1 && late.meant == now &- 3)
    #expect((1...4).contains(late.taken.ticks(since: now)), "\(late) at \(now)")
    // In time, or meant for no tick: nobody is told.
    probe.say(.aimed(at: pit.tick &+ 20, message: .tilt(x: 0, y: 9000)))
    pit.advance(seconds: 1)
    probe.say(.tilt(x: 9000, y: 0))
    pit.advance(seconds: 0.2)
    #expect(probe.lateTilts.count == 1 && other.lateTilts.isEmpty)
    #expect(pit.server.exchange.health.lateInputs == 1)
  }

  /// A tilt for which there is no room to wait counts at once.
  @Test func aTiltThatComesTooEarlyIsTold() throws {
    var limits = Limits()
    limits.waitingAimedInputsPerClient = 2
    let pit = try VirtualServer(bodies: 10, limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    let now = pit.tick
    for wait in UInt32(30)..<33 {
      probe.say(.aimed(at: now &+ wait, message: .tilt(x: 9000, y: 9000)))
    }
    pit.advance(seconds: 0.2)
    let early = try #require(probe.lateTilts.first)
    #expect(probe.lateTilts.count == 1 && early.meant == now &+ 32)
    #expect((1...4).contains(early.taken.ticks(since: now)), "\(early) at \(now)")
  }

  /// A page whose tilts come late runs further ahead.
  @Test func lateTiltsTeachTheLead() throws {
    let pit = try VirtualServer(bodies: 10)
    let page = PredictingPage(pit, latency: 20_000_000...20_000_000)
    pit.advance(seconds: 4)
    let playback = try #require(page.playback())
    let lead = playback.runAhead.lead
    for second in 0..<2 {
      page.say(.aimed(at: pit.tick &- 4, message: .tilt(x: 0, y: Int16(9000 + second))))
      pit.advance(seconds: 0.8)
      #expect((playback.runAhead.lead > lead + 1) == (second == 1), "\(playback.runAhead.lead)")
    }
    #expect(page.failures.isEmpty && page.healed == 0)
  }

  /// Two take hold of the same sticker; one is too late, and moves it until that is known. What is
  /// never carried out is not foretold for long.
  @Test func whoLosesAGrabForetellsItsMovesNoLonger() throws {
    let pit = try VirtualServer(seed: 2, bodies: 3)
    let latencies: [UInt64] = [10_000_000, 60_000_000]
    let pages = latencies.map { PredictingPage(pit, latency: $0...$0) }
    pit.advance(seconds: 9)
    for page in pages {
      var bodies: [StreamBody] = []
      page.playback()!.prediction!.pit.bodies(into: &bodies)
      let (x, y) = (Int16(bodies[0].x * 8), Int16(bodies[0].y * 8))
      let (slot, generation) = (bodies[0].slot, bodies[0].generation)
      page.act(
        .grab(slot: slot, generation: generation, x: x, y: y),
        .grab(slot: slot, generation: generation, x: x, y: y))
      pit.advance(seconds: 1.0 / 60)
    }
    let loser = pages[1]
    let before = loser.playback()!.prediction!.statistics
    for step in 0..<12 {
      let (x, y) = (Int16(2000 + 80 * step), Int16(3000))
      loser.act(.move(slot: 0, x: x, y: y), .move(slot: 0, x: x, y: y))
      pit.advance(seconds: 1.0 / 60)
    }
    pit.advance(seconds: 2)
    let prediction = try #require(loser.playback()?.prediction)
    #expect(!prediction.isHolding && pages[0].playback()!.prediction!.isHolding)
    #expect(prediction.statistics.rollbacks > before.rollbacks, "it had foretold that it holds")
    #expect(prediction.statistics.rollbacks - before.rollbacks <= 3, "\(prediction.statistics)")
    #expect(loser.failures.isEmpty && loser.healed == 0)
    #expect(prediction.replica.hashesMatched > 3)
  }
}
