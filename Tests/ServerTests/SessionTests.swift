import Testing
import Transport
import Wire

@testable import Server

/// Joining, leaving and misbehaving, over the network in memory.
@Suite struct SessionTests {
  @Test func aHelloBringsAWelcomeAKeyframeAndEveryTick() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    pit.advance(seconds: 2)
    let welcome = try #require(probe.welcome)
    #expect(welcome.version == WireVersion.current)
    #expect(welcome.tickRate == 60)
    #expect((welcome.worldWidth, welcome.worldHeight) == (720, 960))
    #expect(probe.failures.isEmpty)
    let first = try #require(probe.frames.first)
    #expect(first.isKeyframe)
    #expect(probe.frames.dropFirst().allSatisfy { !$0.isKeyframe && $0.skipped == 0 })
    #expect(probe.frames.map(\.tick) == Array(first.tick...pit.tick))
    #expect(first.tick <= 3)
  }

  @Test(arguments: FrameRate.allCases) func everyRateGetsItsShare(_ rate: FrameRate) throws {
    let pit = try VirtualServer()
    let probe = Probe(pit, hello: Hello(rate: rate))
    pit.advance(seconds: 3)
    #expect(probe.failures.isEmpty)
    let ticks = probe.frames.map(\.tick)
    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1 - $0 == rate.interval })
    #expect(abs(ticks.count - 3 * Int(rate.rawValue)) <= 1)
  }

  @Test func anotherVersionIsRefusedAndBothAreNamed() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit, hello: Hello(version: 999))
    pit.advance(seconds: 0.5)
    let closed = try #require(probe.closed)
    #expect(closed.code.rawValue == 4000)
    #expect(closed.reason.contains("999"))
    #expect(closed.reason.contains("\(WireVersion.current)"))
  }

  @Test func whoSaysNothingIsSentAway() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit, hello: nil)
    pit.advance(seconds: 4.9)
    #expect(probe.closed == nil)
    pit.advance(seconds: 0.6)
    #expect(probe.closed?.code == .policy)
    #expect(probe.closed?.reason.contains("hello") == true)
  }

  @Test func commandsBeforeTheHelloAreRefused() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit, hello: nil)
    pit.advance(seconds: 0.1)
    probe.say(.tilt(x: 0, y: 0))
    pit.advance(seconds: 0.1)
    #expect(probe.closed?.code == .policy)
  }

  @Test(arguments: [
    [], [0x00], [0x01], [0x02, 1], [0xFF, 0, 0], Array(repeating: 0x04, count: 60),
  ])
  func malformedMessagesEndTheSession(_ bytes: [UInt8]) throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    let bystander = Probe(pit)
    pit.advance(seconds: 0.2)
    probe.say(bytes: bytes)
    pit.advance(seconds: 0.2)
    #expect(probe.closed?.code == .protocolError)
    #expect(bystander.closed == nil)
    #expect(bystander.failures.isEmpty)
  }

  @Test func floodsEndTheSessionAndNameTheLimit() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    pit.advance(seconds: 0.2)
    for _ in 0..<41 { probe.say(.drop(kind: 0, x: 800, y: 800)) }
    pit.advance(seconds: 0.2)
    #expect(probe.closed?.code == .policy)
    #expect(probe.closed?.reason == "too many commands")
  }

  @Test func aDropArrivesOnEverybodysScreen() throws {
    let pit = try VirtualServer(bodies: 0)
    let (dropper, watcher) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.2)
    #expect(watcher.decoder.world.bodies.count == 0)
    dropper.say(.drop(kind: 3, x: 360 * 8, y: 100 * 8))
    pit.advance(seconds: 0.1)
    #expect(watcher.decoder.world.bodies.count == 1)
    #expect(watcher.decoder.world.bodies[0].kind == 3)
    #expect(dropper.decoder.world.bodies.count == 1)
  }

  @Test func aTiltMovesWhatOthersSee() throws {
    let pit = try VirtualServer(bodies: 0)
    let (tilter, watcher) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.2)
    tilter.say(.drop(kind: 0, x: 360 * 8, y: 480 * 8))
    for _ in 0..<10 {
      tilter.say(.tilt(x: 16384, y: 0))
      pit.advance(seconds: 0.05)
    }
    #expect(watcher.decoder.world.gravity.x > 0)
    // It started in the middle, at 360 pt, and falls to the right.
    #expect(watcher.decoder.world.bodies[0].x > 400 * 16)
  }

  @Test func aWorldThatIsNotKeptIsRefusedInWords() throws {
    let pit = try VirtualServer()
    func answer(_ query: String) throws -> (status: Int, text: String) {
      let response = try #require(pit.ask("/api/world", query))
      return (response.status, String(decoding: response.body, as: UTF8.self))
    }
    for query in ["", "tick=7"] {
      let early = try answer(query)
      #expect(early.status == 404 && early.text.contains("the first tick is still to come"))
    }
    pit.advance(seconds: 5)
    #expect(try answer("tick=300").status == 200)
    let (newest, oldest) = (pit.tick, pit.tick - 119)
    let missing = try answer("tick=\(newest + 2)").text
    #expect(missing.contains("tick \(newest + 2) is not kept: ticks \(oldest) to \(newest) are"))
    #expect(try answer("tick=\(oldest - 1)").status == 404)
    #expect(try answer("ticks").status == 400)
  }

  /// The numbers of a query are read by one rule only: digits, and nothing that a language's own
  /// reader would let pass besides.
  @Test(arguments: [
    "tick=+5", "tick=-5", "tick=", "tick=5x", "tick=0x5", "tick=%35", "tick=5.0", "tick=5e0",
    "tick=1_0", "tick=+", "tick=++5", "tick=4294967296", "tick=99999999999999999999", "tick= 5",
    "tick=5 ", "tick=5&tick=6", "tick=5#", "tick", "TICK=5", "ticks=5", "+tick=5", "x",
  ])
  func whatIsNoNumberIsNoTick(_ query: String) throws {
    let pit = try VirtualServer()
    pit.advance(seconds: 0.5)
    #expect(try #require(pit.ask("/api/world", "tick=5")).status == 200)
    #expect(try #require(pit.ask("/api/world", query)).status == 400)
  }

  @Test func theClockIsEchoedWithTheTick() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    probe.say(.clock(stamp: 0xDEAD_BEEF))
    pit.advance(seconds: 0.01)
    let echo = try #require(probe.echoes.first)
    #expect(echo.stamp == 0xDEAD_BEEF)
    #expect(echo.tick == 60)
    #expect(echo.microseconds < 16_667)
  }

  @Test func everybodyLearnsWhoIsHere() throws {
    let pit = try VirtualServer()
    let probes = (0..<20).map { _ in Probe(pit) }
    pit.advance(seconds: 1)
    let people = try #require(probes[0].people)
    #expect(people.count == 20)
    #expect(people.listed.count == WireLimits.listedPeople)
    for probe in probes[1...15] { probe.leave() }
    pit.advance(seconds: 1)
    #expect(probes[0].people?.count == 5)
  }

  @Test func theNewestStandFirstWhoeverLeaves() throws {
    let pit = try VirtualServer()
    var probes: [Probe] = []
    for _ in 0..<5 {
      probes.append(Probe(pit))
      pit.advance(seconds: 0.1)
    }
    probes[0].leave()
    probes[3].leave()
    pit.advance(seconds: 1)
    let here = [4, 2, 1].map { probes[$0].welcome?.clientID }
    #expect(probes[1].people?.listed.map(\.id) == here)
  }

  @Test func aCrowdsCommandsAreSpreadOverTicks() throws {
    let pit = try VirtualServer(bodies: 0)
    let probes = (0..<4).map { _ in Probe(pit) }
    pit.advance(seconds: 0.2)
    for probe in probes {
      for x in 0..<20 { probe.say(.drop(kind: 0, x: Int16(200 + 280 * x), y: 800)) }
    }
    let before = pit.tick
    let watcher = probes[0]
    pit.advance(seconds: 0.5)
    // Eighty at once, sixteen a tick: five ticks, and none is lost.
    #expect(watcher.decoder.world.bodies.count == 80)
    #expect(pit.server.exchange.health.droppedCommands == 0)
    #expect(pit.tick > before + 5)
  }

  @Test func aTokenTakesOverFromAConnectionThatSeemsAlive() throws {
    let pit = try VirtualServer()
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let welcome = try #require(first.welcome)
    let second = Probe(pit, hello: Hello(resumeToken: welcome.token))
    pit.advance(seconds: 0.5)
    #expect(second.welcome?.clientID == welcome.clientID)
    #expect(first.closed?.code.rawValue == 4002)
    #expect(pit.hub.directory.count == 1)
    pit.advance(seconds: 2)
    #expect(second.closed == nil)
    #expect(second.people?.count == 1)
  }

  @Test func aLostConnectionIsResumedByItsToken() throws {
    let pit = try VirtualServer()
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let welcome = try #require(first.welcome)
    first.leave()
    pit.advance(seconds: 30)
    let again = Probe(pit, hello: Hello(resumeToken: welcome.token))
    pit.advance(seconds: 0.5)
    #expect(again.welcome?.clientID == welcome.clientID)
    #expect(again.welcome?.name == welcome.name)
  }
}
