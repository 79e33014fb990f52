import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// Clients learn what became of their commands, and every frame is looked at twice.
@Suite struct ReceiptTests {
  private func outcomes(_ probe: Probe) -> [UInt32: CommandOutcome] {
    Dictionary(
      probe.receipts.flatMap(\.commands).map { ($0.number, $0.outcome) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func eachCommandIsAnsweredOnceWithItsNumber() throws {
    let pit = try VirtualServer(bodies: 10)
    let (probe, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    let body = try probe.grabFirst()  // 1
    probe.say(.move(slot: body.slot, x: 800, y: 800))  // 2
    probe.say(.grab(slot: 99, generation: 1, x: 0, y: 0))  // 3
    probe.say(.tilt(x: 0, y: 16_384))
    probe.say(.say(try Words("nothing of note")))  // 4
    probe.say(.drop(kind: 1, x: 2880, y: 800))  // 5
    probe.say(.release(slot: body.slot, velocityX: 0, velocityY: 0))  // 6
    pit.advance(seconds: 0.1)
    #expect(
      outcomes(probe) == [1: .carriedOut, 3: .refused, 4: .refused, 5: .carriedOut, 6: .carriedOut])
    #expect(probe.receipts.flatMap(\.commands).count == 5)
    #expect(other.receipts.isEmpty)
  }

  @Test func whatALimitLeftOutIsSaid() throws {
    var limits = Limits()
    limits.commandsPerSecondPerAddress = 2
    let pit = try VirtualServer(limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 0.5)
    for _ in 0..<6 { probe.say(.drop(kind: 1, x: 2000, y: 800)) }
    pit.advance(seconds: 0.1)
    let all = outcomes(probe)
    #expect((1...4).allSatisfy { all[$0] == .carriedOut })
    #expect(all[5] == .leftOut && all[6] == .leftOut)
  }

  /// Also a move of what its client holds.
  @Test func aMoveThatALimitLeftOutIsSaid() throws {
    var limits = Limits()
    limits.movesPerSecondPerAddress = 2
    let pit = try VirtualServer(bodies: 10, limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    let body = try probe.grabFirst()
    pit.advance(seconds: 0.1)
    for step in 0..<8 {
      probe.say(.move(slot: body.slot, x: Int16(800 + 8 * step), y: 800))
      pit.advance(seconds: 0.02)
    }
    let moves = outcomes(probe).filter { $0.key > 1 }
    #expect(!moves.isEmpty && moves.count < 8 && moves.values.allSatisfy { $0 == .leftOut })
  }

  @Test func aConnectionCountsFromOne() throws {
    let pit = try VirtualServer()
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    for _ in 0..<3 { first.say(.drop(kind: 1, x: 2000, y: 800)) }
    pit.advance(seconds: 0.1)
    let token = try #require(first.welcome).token
    let again = Probe(pit, hello: Hello(resumeToken: token))
    pit.advance(seconds: 0.2)
    again.say(.drop(kind: 1, x: 2000, y: 800))
    pit.advance(seconds: 0.1)
    #expect(outcomes(first) == [1: .carriedOut, 2: .carriedOut, 3: .carriedOut])
    #expect(outcomes(again) == [1: .carriedOut])
  }

  @Test func manyOutcomesComeInSeveralReceipts() throws {
    var limits = Limits()
    limits.commandsPerSecond = 100
    limits.commandsPerTick = 100
    let pit = try VirtualServer(limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 0.5)
    for _ in 0..<70 { probe.say(.release(slot: 1, velocityX: 0, velocityY: 0)) }
    pit.advance(seconds: 0.1)
    #expect(outcomes(probe).count == 70)
    #expect(probe.receipts.count == 2)
  }

  /// Whoever doesn't read finds the newest receipts, and frames are not held up by the others.
  @Test func mailOfWhoDoesNotReadIsBounded() throws {
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 2_048), bodies: 30)
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    probe.connection?.isReading = false
    for _ in 0..<150 {
      probe.say(.release(slot: 1, velocityX: 0, velocityY: 0))
      pit.advance(seconds: 0.1)
    }
    #expect(pit.hub.traffic.refused[.mailForgotten] > 0)
    probe.connection?.isReading = true
    pit.advance(seconds: 3)
    #expect(outcomes(probe)[150] == .refused)
    #expect(outcomes(probe).count < 150)
    #expect(probe.failures.isEmpty && probe.closed == nil)
    #expect(probe.decoder.world.tick.ticks(since: pit.tick) > -40)
  }

  /// A frame that leads a client elsewhere is found at once, and the message says where.
  @Test func aWrongFrameIsFound() throws {
    let pit = try VirtualServer(bodies: 10)
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    var faults: [String] = []
    pit.hub.foundFault = { faults.append($0) }
    pit.advance(seconds: 1)
    #expect(faults.isEmpty)
    probe.say(.stream(kind: .state, rate: .hz60, profile: .strict))
    pit.network.advance(by: 1)
    let encoder = StreamEncoder(StreamShape(profile: .strict, width: 720, height: 960, slots: 100))
    var bytes: [UInt8] = []
    encoder.encode([], tick: pit.tick.nextTick, gravity: .down, into: &bytes)
    var world = LatticeWorld()
    encoder.copyWorld(into: &world)
    world.bodies.append(
      LatticeBody(slot: 3, generation: 1, kind: 0, size: 40, x: 0, y: 0, angle: 0))
    let publication = Publication()
    publication.tick = pit.tick.nextTick
    publication.editions[0].isOpen = true
    publication.editions[0].keyframe.replace(with: bytes)
    publication.editions[0].keyframePosition = StreamPosition(
      tick: pit.tick.nextTick, isInStep: true)
    publication.editions[0].world = world
    pit.hub.fanOut(publication)
    #expect(faults.count == 1)
    #expect(faults.first?.contains("tick \(pit.tick.nextTick)") == true)
    #expect(faults.first?.contains("60 Hz strict") == true)
    #expect(faults.first?.contains("slot: 3") == true)
  }

  @Test func nothingIsCheckedUnlessWanted() throws {
    let pit = try VirtualServer(checksFrames: false)
    let probe = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(probe.frames.count > 10)
    #expect(pit.hub.sessions.allSatisfy { $0.witness == nil })
  }

  @Test func worldsAreToldByTheByteAndSharedFairly() throws {
    var limits = Limits()
    limits.worldBytesPerSecond = 60_000
    limits.worldBytesPerSecondPerAddress = 30_000
    let pit = try VirtualServer(bodies: 60, limits: limits)
    pit.advance(seconds: 1)
    let body = try #require(pit.ask("/api/world", from: "192.0.2.1")).body
    #expect(body.count < 4096 + 176 * pit.server.exchange.health.bodies)
    func statuses(_ address: String) -> [Int?] {
      (0..<20).map { _ in pit.ask("/api/world", from: address)?.status }
    }
    let greedy = statuses("192.0.2.1")
    #expect(greedy.first == 200 && greedy.last == 429)
    #expect(statuses("198.51.100.1").first == 200)
    #expect(pit.hub.traffic.refused[.worlds] > 0)
    #expect(pit.ask("/healthz")?.status == 200 && pit.ask("/api/keywords")?.status == 200)
    pit.advance(seconds: 1)
    #expect(pit.ask("/api/world", from: "192.0.2.1")?.status == 200)
  }

  @Test func limitsOutOfRangeAreNamed() {
    #expect(Limits().problem == nil)
    for bad in [0, -1, 70_000, Int.max] {
      var limits = Limits()
      limits.connectionsPerAddress = bad
      #expect(limits.problem?.contains("connectionsPerAddress") == true)
    }
    var limits = Limits()
    limits.tiltsPerSecond = 0
    #expect(limits.problem?.contains("tiltsPerSecond") == true)
  }

  @Test func countersStayAtTheirLargest() {
    var counter = Int.max - 1
    counter.count(5)
    #expect(counter == .max)
    counter.count()
    #expect(counter == .max)
  }
}
