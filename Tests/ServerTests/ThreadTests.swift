import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// Several network threads: the pit is one for everybody, wherever a connection lands. On the
/// network in memory connections go to one thread after the other.
@Suite struct ThreadTests {
  /// The numbers of the people whom a thread serves.
  private func people(_ pit: VirtualServer, _ thread: Int) -> Set<UInt16> {
    Set(pit.server.hubs[thread].byPerson.keys)
  }

  @Test func everybodySeesEverybodyAndTheSameWorld() throws {
    let pit = try VirtualServer(networkThreads: 3)
    let probes = (0..<7).map { _ in Probe(pit) }
    pit.advance(seconds: 1)
    #expect((0..<3).map { people(pit, $0).count } == [3, 2, 2])
    let ids = try probes.map { try #require($0.welcome).clientID }
    #expect(Set(ids).count == 7)
    #expect(probes.allSatisfy { $0.people?.count == 7 })
    #expect(Set(probes.map { $0.people!.listed.map(\.id) }).count == 1)
    // The newest stand first.
    #expect(probes[0].people!.listed.map(\.id) == ids.reversed())
    #expect(Set(probes.map { $0.decoder.world.tick }).count == 1)
    #expect(probes.allSatisfy { $0.failures.isEmpty && $0.frames.count > 50 })
    probes[4].leave()
    pit.advance(seconds: 1)
    #expect(probes[0].people?.count == 6 && probes[5].people?.count == 6)
  }

  @Test func whatIsDoneOnOneThreadIsSeenOnTheOthers() throws {
    let pit = try VirtualServer(bodies: 0, networkThreads: 2)
    let (one, other) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 0.5)
    one.say(.drop(kind: 1, x: 3000, y: 800))
    other.say(.drop(kind: 2, x: 4000, y: 800))
    pit.advance(seconds: 0.5)
    #expect(one.decoder.world.bodies.count == 2)
    #expect(other.decoder.world == one.decoder.world)
    #expect(one.receipts.count == 1 && other.receipts.count == 1)
  }

  @Test func aTokenTakesOverFromAnotherThread() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let welcome = try #require(first.welcome)
    first.say(.drop(kind: 1, x: 3000, y: 800))
    pit.advance(seconds: 0.5)
    let second = Probe(pit, hello: Hello(resumeToken: welcome.token))
    pit.advance(seconds: 0.5)
    #expect(people(pit, 0).isEmpty && people(pit, 1) == [welcome.clientID])
    #expect(second.welcome?.clientID == welcome.clientID)
    #expect(second.welcome?.token == welcome.token)
    #expect(second.welcome?.commandsBefore == 2, "a drop, and the old connection's end")
    #expect(first.closed?.code == .continuedElsewhere)
    #expect(second.people?.count == 1)
    // What is done from now on counts, though the end of the old connection was posted elsewhere.
    second.say(.drop(kind: 1, x: 4000, y: 800))
    pit.advance(seconds: 0.5)
    #expect(second.receipts.flatMap(\.commands).map(\.outcome) == [.carriedOut])
  }

  @Test func aHandOverThatComesTooLateLeavesNobodyBehind() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let token = try #require(first.welcome).token
    // The one who asks for the person is gone before the other thread answers.
    let hub = pit.server.hubs[1]
    let second = Probe(pit, hello: Hello(resumeToken: token))
    while hub.waiting.isEmpty { pit.advance(seconds: 0.0005) }
    second.leave()
    pit.advance(seconds: 0.5)
    #expect(hub.waiting.isEmpty && people(pit, 0).isEmpty && people(pit, 1).isEmpty)
    #expect(pit.hub.directory.count == 0)
    // The place is kept all the same.
    let third = Probe(pit, hello: Hello(resumeToken: token))
    pit.advance(seconds: 0.5)
    #expect(third.welcome?.token == token)
  }

  @Test func theOldConnectionEndsWhileItIsAskedFor() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let token = try #require(first.welcome).token
    let second = Probe(pit, hello: Hello(resumeToken: token))
    while pit.server.hubs[1].waiting.isEmpty { pit.advance(seconds: 0.0005) }
    let session = try #require(pit.hub.byPerson.values.first)
    pit.hub.end(session, .stalling, "gone by itself")
    pit.advance(seconds: 0.5)
    #expect(second.welcome?.token == token, "it was admitted as one who comes back")
    #expect(pit.hub.directory.count == 1)
  }

  @Test func whatASecondHelloSaysWhileItWaitsIsLeftOut() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let token = try #require(first.welcome).token
    let second = Probe(pit, hello: Hello(resumeToken: token))
    while pit.server.hubs[1].waiting.isEmpty { pit.advance(seconds: 0.0005) }
    second.say(.tilt(x: 1, y: 2))
    pit.advance(seconds: 0.5)
    #expect(second.closed == nil && second.welcome?.token == token)
  }

  @Test func theHealthPageCountsForAllThreads() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let probes = (0..<4).map { _ in Probe(pit) }
    pit.advance(seconds: 1)
    let sum = pit.server.exchange.lanes.reduce(Traffic()) { $0 + $1.report.traffic }
    #expect(sum.keyframes == 4)
    #expect(sum.frames == probes.reduce(0) { $0 + $1.frames.count } - 4)
    let body = try #require(pit.ask("/healthz")).body
    #expect(String(decoding: body, as: UTF8.self).contains("\"keyframes\":4"))
  }

  @Test func everyCountIsInTheSum() {
    let children = Mirror(reflecting: Traffic()).children
    let numbers = children.count { $0.value is Int }
    #expect(Traffic.counts.count == numbers - 1, "all but the standstills")
    #expect(children.count - numbers == 4, "four tallies")
    var one = Traffic()
    for count in Traffic.counts { one[keyPath: count] = 1 }
    one.skipped.count(.full)
    one.refused.count(.words, 2)
    one.ended.count(.lost, 3)
    one.told.count(.corrections, 4)
    let sum = one + one
    #expect(Traffic.counts.allSatisfy { sum[keyPath: $0] == 2 })
    #expect((sum.skipped.total, sum.refused[.words], sum.ended[.lost]) == (2, 4, 6))
    #expect(sum.told.byName["corrections"] == 8)
  }

  @Test func oneSnapshotServesAllThreads() throws {
    let pit = try VirtualServer(networkThreads: 3)
    let probes = (0..<6).map { _ in Probe(pit, hello: Hello(stream: .replica)) }
    pit.advance(seconds: 2)
    #expect(probes.allSatisfy { $0.closed == nil })
    let sum = pit.server.exchange.lanes.reduce(Traffic()) { $0 + $1.report.traffic }
    #expect(sum.snapshots == 6)
    let ticks = pit.server.hubs.map { $0.snapshots.newest?.tick }
    #expect(Set(ticks).count == 1 && ticks[0] != nil)
  }

  /// A thread that comes behind another one hears of a world that is being packed before it has
  /// sent the tick of that world.
  @Test func aFollowerOnALateThreadMissesNoRecord() throws {
    let pit = try VirtualServer(networkThreads: 2, workNanoseconds: 80_000_000)
    let readers = (0..<12).map { _ in LogReader() }
    for reader in readers { pit.network.clients(reader).connect() }
    pit.advance(seconds: 1)
    for tick in 0..<600 {
      // It sends two ticks at a time.
      pit.heldThreads = tick % 2 == 0 ? [1] : []
      if tick % 47 == 0 { readers[tick / 47 % 12].askForReplica() }
      pit.advance(seconds: 1.0 / 60)
    }
    pit.heldThreads = []
    pit.advance(seconds: 1)
    for reader in readers {
      #expect(reader.snapshots > 1)
      // Every record from the first snapshot on, without a gap, whatever came between.
      var replica: Replica?
      for message in reader.messages {
        if message[0] == ServerMessageType.snapshot.rawValue, replica == nil {
          replica = try Replica(snapshot: Array(message.dropFirst()))
        } else if RecordCoder.accepts(message[0]) {
          _ = try replica?.receive(message)
        }
      }
      #expect(replica?.pit.tick == pit.tick)
    }
  }

  @Test func aStandstillIsForOneAndATotalForAll() {
    let watch = StandstillWatch(now: 1_000_000_000)
    #expect(watch.look(at: 1_400_000_000) == 0)
    #expect(watch.look(at: 1_900_000_000) == 0, "half a second is no standstill")
    #expect(watch.look(at: 4_900_000_000) == 3_000_000_000)
    #expect(watch.look(at: 4_900_000_001) == 0, "somebody else was told")
    #expect(watch.look(at: 4_000_000_000) == 0, "a thread's clock may be behind")
    #expect(watch.awake(at: 5_000_000_000) == 2_000_000_000)
  }

  @Test func aThirdHelloDuringAHandOverCostsNoPermits() throws {
    let pit = try VirtualServer(networkThreads: 3)
    let first = Probe(pit)
    pit.advance(seconds: 0.5)
    let token = try #require(first.welcome).token
    // The second one's thread is busy, so that the person is on the way for a while.
    let second = Probe(pit, hello: Hello(resumeToken: token))
    while pit.server.hubs[1].waiting.isEmpty { pit.advance(seconds: 0.0005) }
    pit.heldThreads = [1]
    pit.advance(seconds: 0.1)
    let third = Probe(pit, hello: Hello(resumeToken: token))
    pit.advance(seconds: 0.3)
    #expect(third.closed == nil)
    pit.heldThreads = []
    pit.advance(seconds: 0.3)
    #expect(third.welcome?.token == token && third.closed == nil)
    #expect(first.closed != nil && second.closed?.code == .continuedElsewhere)
    #expect(pit.hub.directory.count == 1)
  }

  @Test func aThreadThatFallsBehindHoldsNobodyUp() throws {
    let exchange = Exchange(limits: Limits(), networkThreads: 2)
    var taken: [Publication] = []
    var made = Set<ObjectIdentifier>()
    for tick in 1...200 {
      let publication = exchange.blankPublication()
      made.insert(ObjectIdentifier(publication))
      publication.tick = UInt32(tick)
      exchange.publish(publication, health: TickHealth())
      exchange.lanes[0].exchange(&taken)
      #expect(taken.map(\.tick) == [UInt32(tick)])
    }
    // The other one has the last 64; what it lost came back and was used again.
    var late: [Publication] = []
    exchange.lanes[1].exchange(&late)
    #expect(late.map(\.tick) == Array(137...200))
    #expect(made.count < 70)
  }

  @Test func inputsOfAllThreadsComeInTheirOrder() {
    let exchange = Exchange(limits: Limits(), networkThreads: 3)
    var posted = (0..<3).map { _ in PostedInputs() }
    for number in 0..<30 {
      let lane = number * 7 % 3
      exchange.lanes[lane].post(.left(person: UInt16(number), sequence: 1), &posted[lane])
    }
    #expect(exchange.takenInputs().map(\.person) == Array(0..<30))
    #expect(exchange.takenInputs().isEmpty)
  }
}
