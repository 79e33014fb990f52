import Testing
import Wire

@testable import PageModule
@testable import Simulation

/// What a page knows of ledges and the floor while its line is silent, and while it plays alone.
@Suite struct AlonePageTests {
  private static let picture = ServerClock.tickLength

  /// A world in which it has begun to rain.
  private func rain() throws -> Pit {
    var pit = try Pit(PitConfiguration(scene: .rain))
    let word = Command.say(keyword: Sticker.cake)
    pit.tick(TickInputs(commands: [StampedCommand(person: 9, sequence: 1, command: word)]))
    return pit
  }

  /// Runs a world until it is as it is wanted, for 20 s at most.
  private func run(_ pit: inout Pit, until isWanted: (Pit) -> Bool) {
    for _ in 0..<1200 {
      if isWanted(pit) { return }
      pit.tick(TickInputs())
    }
    Issue.record("the world never came to be as it was wanted")
  }

  /// A page that has just got a world of a log.
  private func follow(_ pit: Pit, at now: Double) -> Page {
    let page = Page()
    let follower = PredictedPlayback(person: 7)
    let coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    follower.begin(Replica(pit, coder), after: 0, now: now)
    page.follower = follower
    page.lastFrame = now
    page.run(to: now)
    return page
  }

  /// A page that a server welcomed to a scene, and that plays alone since.
  private func alone(in scene: Scene) throws -> Page {
    let page = Page()
    page.lastWelcome = Welcome(
      clientID: 7, colour: 0xff8040, name: try Name(utf8: Array("Fox".utf8)),
      token: SessionToken(low: 1, high: 0), tick: 0, worldWidth: 0, worldHeight: 0,
      scene: scene.rawValue, bodyCap: 0)
    #expect(page.playAlone(seed: 1))
    return page
  }

  @Test func whoIsAloneInTheRainMakesItRain() throws {
    let page = try alone(in: .rain)
    #expect(!page.rainAlone(kind: -1) && !page.rainAlone(kind: 16) && !page.rainAlone(kind: 300))
    #expect(page.rainAlone(kind: Int32(Sticker.snow)))
    for tick in 0...60 { page.run(to: Double(tick) * Self.picture) }
    #expect(page.sample(at: 60 * Self.picture) > 10)
    #expect(page.instances.allSatisfy { $0.kind == Float(Sticker.snow) })
    // Kind, sticker and person of an event: the word was this person's own.
    let rain = WireEvent.rainBegan(keyword: Sticker.snow, client: 7).numbers
    #expect(page.events.prefix(3) == [Int32(rain.kind), Int32(rain.a), Int32(rain.b)])
    #expect(try !alone(in: .pit).rainAlone(kind: Int32(Sticker.snow)))
    #expect(!Page().rainAlone(kind: Int32(Sticker.snow)))
  }

  @Test func aLedgeThatWasTouchedGoesOnToCrack() throws {
    var pit = try rain()
    let ledges: ClosedRange<UInt8> = 1...6
    run(&pit) { pit in ledges.contains { pit.wear(ofBoundary: $0) > 0.1 } }
    let ledge = try #require(ledges.first { pit.wear(ofBoundary: $0) > 0.1 })
    let page = follow(pit, at: 1000)
    let before = page.wear(ofBoundary: ledge)
    #expect(before > 0.1 && before < 0.5)
    #expect(page.playAlone(seed: 1))
    // A ledge cracks for 90 ticks.
    for tick in 0...30 { page.run(to: 1000 + Double(tick) * Self.picture) }
    #expect(page.wear(ofBoundary: ledge) > before + 0.2)
  }

  @Test func nothingShakesWhileTimeStandsStillAndAloneItGoesOn() throws {
    var pit = try rain()
    run(&pit) { pit in pit.ticksToOpening.map { $0 <= 20 } ?? false }
    let page = follow(pit, at: 1000)
    #expect(page.ticksToOpening != nil)
    for tick in 1...30 { page.run(to: 1000 + Double(tick) * Self.picture) }
    let world = try #require(page.follower?.prediction?.pit)
    #expect(world.ticksToOpening != nil, "it has stopped before the floor opens")
    #expect(page.ticksToOpening == nil)
    #expect(page.playAlone(seed: 1))
    var seen: [UInt32?] = []
    for tick in 30...70 {
      page.run(to: 1000 + Double(tick) * Self.picture)
      seen.append(page.ticksToOpening)
    }
    #expect(seen.contains { ticks in ticks.map { $0 < 10 } ?? false })
    // The floor has opened since.
    #expect(seen.last == .some(nil))
  }
}
