import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// What becomes of everybody when the host changes the world under them.
@Suite struct HostWorldTests {
  private static let rain = HostAct.begin(
    scene: Scene.rain.rawValue, bodies: 0, maxBodies: 400, seed: 3)

  private func follower(_ pit: VirtualServer, faults: NetworkFaults = .none) -> LogReader {
    let reader = LogReader()
    pit.network.clients(reader).connect(faults: faults)
    return reader
  }

  /// Frames of a calm world are held back for half a second.
  private func isUpToDate(_ probe: Probe, _ pit: VirtualServer) -> Bool {
    pit.tick.ticks(since: probe.decoder.world.tick) <= 30
  }

  @Test(arguments: [1, 2]) func everybodyIsWelcomedToAnotherWorldWhereTheyAre(
    threads: Int
  ) throws {
    let pit = try VirtualServer(networkThreads: threads)
    let probes = (0..<4).map { _ in Probe(pit) }
    let readers = (0..<4).map { _ in follower(pit) }
    pit.advance(seconds: 1)
    let before = probes.map(\.welcome)
    #expect(pit.server.exchange.post(Self.rain))
    pit.advance(seconds: 1)
    for (index, probe) in probes.enumerated() {
      let (old, new) = (try #require(before[index]), try #require(probe.welcome))
      #expect(probe.welcomes == 2 && probe.closed == nil && probe.failures.isEmpty)
      #expect(new.clientID == old.clientID && new.token == old.token && new.name == old.name)
      #expect(new.scene == Scene.rain.rawValue && new.worldWidth == 440 && new.worldHeight == 736)
      #expect(new.bodyCap == 124)
      #expect(isUpToDate(probe, pit) && probe.decoder.world.bodies.isEmpty)
      #expect(probe.decoder.world.scenery.boundaries.count == 10, "six ledges, four sides")
    }
    for reader in readers {
      let replica = try #require(try reader.replica())
      #expect(replica.pit.tick == pit.tick && replica.pit.scene == .rain)
      #expect(replica.pit.stateHash() == pit.server.runner.stateHash)
    }
  }

  /// Nothing of the world before comes behind the welcome, and nothing of the new one before it.
  @Test func theWelcomeParts() throws {
    let pit = try VirtualServer()
    let reader = follower(pit)
    pit.advance(seconds: 1)
    let began = reader.messages.count
    _ = pit.server.exchange.post(Self.rain)
    pit.advance(seconds: 1)
    let kinds = reader.messages[began...].map { $0[0] }
    let welcome = try #require(kinds.firstIndex(of: ServerMessageType.welcome.rawValue))
    let snapshot = try #require(kinds.firstIndex(of: ServerMessageType.snapshot.rawValue))
    #expect(welcome < snapshot)
    let between = kinds[(welcome + 1)..<snapshot].filter { RecordCoder.accepts($0) }
    #expect(between.isEmpty, "records need a world")
    #expect(kinds.count { $0 == ServerMessageType.welcome.rawValue } == 1)
  }

  /// A reader whose pipe is full is told as soon as it takes something, and first of all.
  @Test func whoReadsSlowlyIsWelcomedToo() throws {
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 2048))
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    probe.connection!.isReading = false
    pit.advance(seconds: 3)
    _ = pit.server.exchange.post(Self.rain)
    pit.advance(seconds: 1)
    #expect(probe.welcomes == 1)
    probe.connection!.isReading = true
    pit.advance(seconds: 2)
    #expect(probe.welcomes == 2 && probe.failures.isEmpty && probe.closed == nil)
    #expect(isUpToDate(probe, pit) && probe.welcome?.scene == Scene.rain.rawValue)
  }

  /// A network thread that stood still loses publications, and finds out of the world all the same.
  @Test func aThreadThatStoodStillHasTheNewWorldToo() throws {
    var limits = Limits()
    limits.queuedPublications = 4
    let pit = try VirtualServer(limits: limits, networkThreads: 2)
    let (probes, readers) = ((0..<4).map { _ in Probe(pit) }, (0..<4).map { _ in follower(pit) })
    pit.advance(seconds: 1)
    pit.heldThreads = [1]
    _ = pit.server.exchange.post(Self.rain)
    pit.advance(seconds: 1)
    pit.heldThreads = []
    pit.advance(seconds: 1)
    for probe in probes {
      #expect(probe.welcomes == 2 && probe.welcome?.scene == Scene.rain.rawValue)
      #expect(isUpToDate(probe, pit) && probe.failures.isEmpty)
    }
    for reader in readers {
      #expect(try reader.replica()?.pit.stateHash() == pit.server.runner.stateHash)
    }
  }

  /// What happens in the first tick of a world is told behind the welcome to it, at any rate.
  @Test func nothingIsToldOfAWorldBeforeItsWelcome() throws {
    let pit = try VirtualServer(scene: .rain)
    let reader = LogReader(hello: Hello(rate: .hz10))
    pit.network.clients(reader).connect()
    let speaker = Probe(pit)
    pit.advance(seconds: 1)
    let gallery = HostAct.begin(
      scene: Scene.gallery.rawValue, bodies: 4, maxBodies: 100, seed: 3)
    for _ in 0..<8 {
      _ = pit.server.exchange.post(gallery)
      speaker.say(.say(try Words("so cold")))
      pit.advance(seconds: 0.35)
      _ = pit.server.exchange.post(Self.rain)
      pit.advance(seconds: 0.35)
    }
    var scene = Scene.rain.rawValue
    var events = 0
    for message in reader.messages {
      switch try ServerMessage.decode(message) {
      case .welcome(let welcome): scene = welcome.scene
      case .events(let told):
        events += told.events.count
        for event in told.events {
          if case .contactBegan = event { #expect(scene == Scene.gallery.rawValue) }
          if case .contactEnded = event { #expect(scene == Scene.gallery.rawValue) }
        }
      default: break
      }
    }
    #expect(events > 0 && reader.closed == nil)
  }

  /// What people wanted of the world before is not done in the new one.
  @Test func commandsOfTheOldWorldAreLeftOut() throws {
    let pit = try VirtualServer(bodies: 3)
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    let another = HostAct.begin(scene: 0, bodies: 3, maxBodies: 100, seed: 9)
    for _ in 0..<30 { probe.say(.drop(kind: 1, x: 1000, y: 1000)) }
    _ = pit.server.exchange.post(another)
    pit.advance(seconds: 1)
    #expect(probe.welcomes == 2)
    #expect(probe.decoder.world.bodies.count < 3 + 30 - 10, "most waited for their tick")
  }

  /// Commands are counted on over the second welcome, so that receipts mean the right ones.
  @Test func commandsAreCountedOn() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    for _ in 0..<3 { probe.say(.drop(kind: 1, x: 1000, y: 1000)) }
    pit.advance(seconds: 1)
    _ = pit.server.exchange.post(Self.rain)
    pit.advance(seconds: 1)
    #expect(probe.welcome?.commandsBefore == 0)
    probe.say(.say(try Words("so cold")))
    pit.advance(seconds: 1)
    let numbers = probe.receipts.flatMap(\.commands).map(\.number)
    #expect(numbers == [1, 2, 3, 4])
    #expect(probe.receipts.last?.commands.last?.outcome == .carriedOut)
  }

  /// Who was away while the host began another world has to begin anew.
  @Test func nobodyIsLedOverToAnotherWorld() throws {
    let pit = try VirtualServer()
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    let token = probe.welcome!.token
    let known = pit.tick
    probe.connection!.close(.normal, reason: "")
    pit.advance(seconds: 1)
    _ = pit.server.exchange.post(Self.rain)
    pit.advance(seconds: 1)
    let back = LogReader(hello: Hello(stream: .replica, resumeToken: token, knownTick: known))
    pit.network.clients(back).connect()
    pit.advance(seconds: 1)
    let replica = try #require(try back.replica())
    #expect(back.snapshots == 1 && replica.pit.stateHash() == pit.server.runner.stateHash)
  }

  /// A world that is too large for replicas ends those who follow; by states it can be shown.
  @Test func aWorldThatIsTooLargeIsForStatesOnly() throws {
    let pit = try VirtualServer()
    let (reader, probe) = (follower(pit), Probe(pit))
    pit.advance(seconds: 1)
    let large = HostAct.begin(scene: 0, bodies: 6000, maxBodies: 6000, seed: 1)
    _ = pit.server.exchange.post(large)
    pit.advance(seconds: 0.5)
    #expect(reader.closed == .unsupportedStream && probe.closed == nil)
    #expect(probe.welcome?.bodyCap == 6000 && probe.decoder.world.bodies.count > 5000)
  }

  @Test func whatTheHostDoesReachesFollowersInTheLog() throws {
    let pit = try VirtualServer()
    let (reader, probe) = (follower(pit), Probe(pit))
    pit.advance(seconds: 1)
    for act: HostAct in [.gravity(percent: 20), .mostBodies(4), .clear, .freeze] {
      _ = pit.server.exchange.post(act)
      pit.advance(seconds: 0.4)
      let replica = try #require(try reader.replica())
      #expect(replica.pit.stateHash() == pit.server.runner.stateHash && reader.snapshots == 1)
    }
    let replica = try #require(try reader.replica())
    #expect(replica.pit.isFrozen && replica.pit.bodyCount == 0 && replica.pit.bodyCap == 4)
    #expect(probe.welcomes == 1 && probe.decoder.world.bodies.isEmpty)
  }

  /// Hands that an act opened are not opened again by the server, which counts how long they hold.
  @Test func handsThatAnActOpenedAreForgotten() throws {
    var limits = Limits()
    limits.holdSeconds = 2
    let pit = try VirtualServer(limits: limits)
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    _ = try probe.grabFirst()
    pit.advance(seconds: 0.5)
    #expect(probe.holders.count == 1)
    _ = pit.server.exchange.post(.clear)
    pit.advance(seconds: 4)
    #expect(probe.holders.isEmpty && pit.server.exchange.health.openedHands == 0)
  }

  @Test func moreActsThanAHostDoesAreRefused() throws {
    let pit = try VirtualServer()
    let taken = (0..<70).count { _ in pit.server.exchange.post(.clear) }
    #expect(taken == 64)
    pit.advance(seconds: 0.1)
    #expect(pit.server.exchange.post(.clear))
  }
}
