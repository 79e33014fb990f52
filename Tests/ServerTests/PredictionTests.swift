import Physics
import Testing
import Transport
import Wire

@testable import Server
@testable import Simulation

/// Pages that run the world ahead of the log, against the whole server on the network in memory.
@Suite struct PredictionTests {
  /// A way of so many milliseconds in each direction.
  private func way(_ milliseconds: UInt64) -> ClosedRange<UInt64> {
    milliseconds * 1_000_000...milliseconds * 1_000_000
  }

  private func online(_ pages: [PredictingPage], _ pit: VirtualServer, seconds: Double = 4) {
    pit.advance(seconds: seconds)
    for page in pages { #expect(page.playback()?.prediction != nil, "\(page.failures)") }
  }

  @Test(arguments: [1, 20, 60] as [UInt64]) func ownCommandsAreCarriedOutInTheTickTheyMean(
    milliseconds: UInt64
  ) throws {
    let pit = try VirtualServer(bodies: 30)
    let page = PredictingPage(pit, latency: way(milliseconds))
    online([page], pit)
    for round in 0..<20 {
      page.drop(x: Int16(600 + 100 * round), y: 400)
      pit.advance(seconds: 0.21)
    }
    pit.advance(seconds: 1)
    let prediction = try #require(page.playback()?.prediction)
    #expect(page.failures.isEmpty && page.healed == 0)
    #expect(pit.server.exchange.health.lateInputs == 0)
    #expect(prediction.statistics.lateTicks == 0)
    #expect(pit.server.exchange.health.timelyInputs == 20)
    // What was foretold came true, so nothing was made anew.
    #expect(prediction.statistics.rollbacks == 0)
    #expect(page.corrections == 0)
    #expect(prediction.replica.hashesMatched > 3)
    #expect(page.ahead.suffix(60).allSatisfy { (1...8).contains($0) }, "\(page.ahead.suffix(60))")
  }

  @Test func ownTiltAloneIsForetoldExactly() throws {
    let pit = try VirtualServer(bodies: 30)
    let page = PredictingPage(pit, latency: way(30))
    online([page], pit)
    page.tilt(x: 0, y: 16_384)
    pit.advance(seconds: 0.5)
    let before = try #require(page.playback()?.prediction).statistics
    for step in 0..<90 {
      page.tilt(x: Int16(180 * step), y: Int16(16_000 - 150 * step))
      pit.advance(seconds: 1.0 / 30)
    }
    let after = try #require(page.playback()?.prediction).statistics
    #expect(page.failures.isEmpty)
    #expect(after.rollbacks &- before.rollbacks <= 2, "\(after)")
    #expect(page.corrections == 0)
  }

  /// What others do is seen when the log brings it; then nothing stays wrong. Also on a device that
  /// takes so long for a tick that it spreads every rollback over several pictures.
  @Test(arguments: [0, 1.3]) func othersAreCorrectedAndTheWorldsAreEqual(cost: Double) throws {
    let pit = try VirtualServer(seed: 3, bodies: 60)
    let pages = (0..<4).map {
      PredictingPage(pit, latency: way(UInt64(15 + 15 * $0)), cost: cost)
    }
    online(pages, pit)
    var chance = RandomGenerator(seed: 9)
    for round in 0..<300 {
      let page = pages[Int(chance.next() % 4)]
      switch chance.next() % 3 {
      case 0: page.drop(x: Int16(chance.next() % 5000), y: 300)
      case 1:
        page.act(
          .throwSticker(x: 2000, y: 3000, velocityX: 900, velocityY: -2000),
          .throwSticker(x: 2000, y: 3000, velocityX: 900, velocityY: -2000))
      default:
        page.tilt(x: Int16(truncatingIfNeeded: chance.next() % 12_000), y: 9000)
      }
      pit.advance(seconds: round % 3 == 0 ? 0.2 : 0.03)
    }
    pit.advance(seconds: 3)
    for page in pages {
      let prediction = try #require(page.playback()?.prediction)
      #expect(page.failures.isEmpty && page.healed == 0, "\(page.failures)")
      #expect(prediction.replica.hashesMatched > 20)
      #expect(prediction.statistics.rollbacks > 0)
      #expect(page.ahead.allSatisfy { $0 <= 16 })
      #expect(!prediction.isRollingBack)
    }
    // On the longest links at least.
    #expect(pages.contains { $0.spread > 0 } == (cost > 0), "\(pages.map(\.spread))")
  }

  /// Displays of 30, 90 and 120 Hz show the same world, and their touches are in time.
  @Test(arguments: [33, 11, 8]) func theDisplaysRateChangesNothing(milliseconds: Int) throws {
    let pit = try VirtualServer(bodies: 30)
    let page = PredictingPage(pit, latency: way(25), pictureMilliseconds: milliseconds)
    online([page], pit)
    for round in 0..<10 {
      page.drop(x: Int16(600 + 100 * round), y: 400)
      pit.advance(seconds: 0.2)
    }
    pit.advance(seconds: 1)
    let prediction = try #require(page.playback()?.prediction)
    #expect(page.failures.isEmpty && page.healed == 0)
    #expect(pit.server.exchange.health.lateInputs == 0)
    #expect(prediction.statistics.rollbacks == 0)
    #expect(prediction.replica.hashesMatched > 3)
  }

  @Test func aLongLinkIsInputDelayNotMorePrediction() throws {
    let pit = try VirtualServer(bodies: 30)
    let page = PredictingPage(pit, latency: way(150))
    online([page], pit, seconds: 8)
    let playback = try #require(page.playback())
    // 300 ms there and back are 18 ticks; eight of them are predicted.
    #expect((8...16).contains(playback.runAhead.inputDelay), "\(playback.runAhead)")
    #expect(page.ahead.suffix(200).allSatisfy { $0 <= 8 })
    for _ in 0..<10 {
      page.drop(x: 1500, y: 400)
      pit.advance(seconds: 0.3)
    }
    pit.advance(seconds: 1)
    #expect(pit.server.exchange.health.lateInputs == 0)
    #expect(playback.prediction?.statistics.rollbacks == 0)
    #expect(page.failures.isEmpty)
  }

  /// What is rolled back and run again happens once: the page tells what those are told who only
  /// watch.
  @Test func eventsOfReplayedTicksAreToldOnce() throws {
    let pit = try VirtualServer(seed: 3, scene: .gallery)
    let page = PredictingPage(pit, latency: way(60))
    let other = PredictingPage(pit, latency: way(40))
    let watcher = Probe(pit)
    online([page, other], pit)
    let start = pit.tick
    for round in 0..<40 {
      other.act(
        .throwSticker(x: Int16(400 + 50 * round), y: 1600, velocityX: 900, velocityY: -700),
        .throwSticker(x: Int16(400 + 50 * round), y: 1600, velocityX: 900, velocityY: -700))
      other.tilt(x: Int16(round % 2 == 0 ? 12_000 : -12_000), y: 9000)
      pit.advance(seconds: 0.2)
    }
    let end = pit.tick
    pit.advance(seconds: 1)
    #expect(try #require(page.playback()?.prediction).statistics.rollbacks > 20)
    let told = page.events.filter { ($0.tick &- start) <= end &- start }
    let watched = zip(watcher.events, watcher.eventTicks).filter { ($0.1 &- start) <= end &- start }
    #expect(told.count > 5 && told.map(\.event) == watched.map(\.0), "\(told.count)")
    #expect(told.map(\.tick) == watched.map(\.1))
  }

  /// No input overtakes an earlier one of its person, also one that names no tick.
  @Test func plainInputsOvertakeNothing() throws {
    let pit = try VirtualServer(bodies: 30)
    let probe = Probe(pit)
    pit.advance(seconds: 0.2)
    let bodies = pit.server.exchange.health.bodies
    probe.say(.aimed(at: pit.tick &+ 40, message: .drop(kind: 1, x: 800, y: 800)))
    probe.say(.drop(kind: 2, x: 1600, y: 800))
    pit.advance(seconds: 0.5)
    #expect(pit.server.exchange.health.bodies == bodies)
    pit.advance(seconds: 0.5)
    #expect(pit.server.exchange.health.bodies == bodies + 2)
    let commands = probe.receipts.flatMap(\.commands)
    #expect(commands.map(\.number) == [1, 2])
    probe.say(.drop(kind: 2, x: 2400, y: 800))
    pit.advance(seconds: 0.1)
    #expect(pit.server.exchange.health.bodies == bodies + 3, "at once again")
  }

  /// Whoever means many inputs for later takes nobody else's place.
  @Test func onePersonHasSoManyInputsThatWait() throws {
    var limits = Limits()
    limits.waitingAimedInputsPerClient = 2
    let pit = try VirtualServer(bodies: 10, limits: limits)
    let (greedy, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.2)
    for x in 0..<5 {
      greedy.say(.aimed(at: pit.tick &+ 50, message: .drop(kind: 1, x: Int16(400 * x), y: 800)))
    }
    other.say(.aimed(at: pit.tick &+ 50, message: .drop(kind: 1, x: 2400, y: 800)))
    pit.advance(seconds: 0.5)
    #expect(pit.server.exchange.health.bodies == 13, "three had their turn at once")
    pit.advance(seconds: 0.5)
    #expect(pit.server.exchange.health.bodies == 16)
  }

  /// Ticks that no honest client means are clamped and counted, and gain nothing.
  @Test func ticksFarAwayAreClamped() throws {
    let pit = try VirtualServer(bodies: 30)
    let probe = Probe(pit)
    pit.advance(seconds: 0.2)
    let now = pit.tick
    let bodies = pit.server.exchange.health.bodies
    probe.say(.aimed(at: now &- 100_000, message: .drop(kind: 1, x: 800, y: 800)))
    pit.advance(seconds: 0.04)
    #expect(pit.server.exchange.health.bodies == bodies + 1)
    probe.say(.aimed(at: now &+ 100_000, message: .drop(kind: 1, x: 800, y: 800)))
    pit.advance(seconds: 0.8)
    #expect(pit.server.exchange.health.bodies == bodies + 1)
    pit.advance(seconds: 0.4)
    #expect(pit.server.exchange.health.bodies == bodies + 2)
    #expect(pit.hub.traffic.refused[.ticksClamped] == 2)
    // And what is meant for later does not wait for somebody who left.
    probe.say(.aimed(at: pit.tick &+ 40, message: .drop(kind: 1, x: 800, y: 800)))
    pit.advance(seconds: 0.1)
    probe.leave()
    pit.advance(seconds: 2)
    #expect(pit.server.exchange.health.bodies == bodies + 2)
  }

  /// What a message does that names a tick no honest client means, by somebody who holds a sticker.
  private struct Stamping {
    let pit: VirtualServer
    private let probe: Probe
    private let message: ClientMessage

    init(moves: Bool) throws {
      let pit = try VirtualServer(bodies: 30)
      let probe = Probe(pit)
      pit.advance(seconds: 3.01)
      let held = try probe.grabFirst().slot
      pit.advance(seconds: 0.25)
      #expect(probe.holders.map(\.slot) == [held])
      message = moves ? .move(slot: held, x: 2600, y: 2000) : .tilt(x: 16_384, y: 0)
      (self.pit, self.probe) = (pit, probe)
    }

    /// Says it, with a tick that is so many after now, if any.
    func say(ticksAhead: Int?) {
      guard let ticksAhead else { return probe.say(message) }
      let tick = pit.hub.tick &+ UInt32(truncatingIfNeeded: ticksAhead)
      probe.say(.aimed(at: tick, message: message))
    }

    var hash: UInt64 { pit.server.runner.stateHash }
    var clamped: Int { pit.hub.traffic.refused[.ticksClamped] }
  }

  /// Tilts and moves as well: one from long ago counts as if it named none, one for a distant tick
  /// as if it named the last one that it may.
  @Test(arguments: [false, true]) func ticksFarAwayGainNothing(moves: Bool) throws {
    let aims: [Int?] = [nil, -100_000, InputSchedule.mostTicksAhead, 100_000]
    let pits = try aims.map { _ in try Stamping(moves: moves) }
    let idle = try Stamping(moves: moves)
    #expect(pits.allSatisfy { $0.hash == idle.hash })
    for (pit, aim) in zip(pits, aims) { pit.say(ticksAhead: aim) }
    for stamping in pits + [idle] { stamping.pit.advance(seconds: 0.5) }
    #expect(pits[0].hash != idle.hash && pits[1].hash == pits[0].hash)
    #expect(pits[2].hash == idle.hash && pits[3].hash == idle.hash, "it is not their turn yet")
    for stamping in pits + [idle] { stamping.pit.advance(seconds: 1) }
    #expect(pits[2].hash != idle.hash && pits[3].hash == pits[2].hash)
    #expect(pits.map(\.clamped) == [0, 1, 0, 1] && idle.clamped == 0)
  }
}
