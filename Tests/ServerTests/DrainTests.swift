import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// How a server ends, and how the next one goes on, over the network in memory.
@Suite struct DrainTests {
  private static let key = TokenKey(bytes: Array("a key that both servers have".utf8), isKept: true)

  private func server(
    _ network: MemoryNetwork? = nil, faults: NetworkFaults = .none, limits: Limits = Limits(),
    threads: Int = 1
  ) throws -> VirtualServer {
    try VirtualServer(
      faults: faults, limits: limits, networkThreads: threads, tokenKey: Self.key,
      network: network)
  }

  /// An address may say hello ten times at once, and ten times a second from then on.
  private static func tenHelloesASecond() -> Limits {
    var limits = Limits()
    limits.helloBurstPerAddress = 10
    limits.hellosPerSecondPerAddress = 10
    return limits
  }

  @Test(arguments: [1, 3]) func everybodyIsToldWhenToComeBack(threads: Int) throws {
    let pit = try server(threads: threads)
    let probes = (0..<30).map { _ in Probe(pit) }
    let silent = Probe(pit, hello: nil)
    pit.advance(seconds: 1)
    #expect(pit.ask("/readyz")?.status == 200)
    pit.drain()
    let last = pit.tick
    pit.advance(seconds: 1)
    #expect(pit.tick == last, "no tick that nobody sees")
    for probe in probes {
      #expect(probe.failures.isEmpty && probe.returnDelays.count == 1)
      #expect(probe.frames.last?.tick == last, "what was written before comes before")
      #expect(probe.closed?.code == .serviceRestart)
    }
    // Each its own time, over all of the window.
    let delays = probes.flatMap(\.returnDelays).sorted()
    #expect(Set(delays).count == 30)
    #expect(delays[0] == 500 && (1400..<1500).contains(delays[29]))
    #expect(zip(delays, delays.dropFirst()).allSatisfy { $1 - $0 < 100 })
    // Who was never welcomed has nothing to come back to.
    #expect(silent.returnDelays.isEmpty && silent.closed?.code == .serviceRestart)
  }

  /// They come back as people do, though nobody counts them among the people.
  @Test func screensThatOnlyWatchAreSpreadAsWell() throws {
    let pit = try server(limits: Self.tenHelloesASecond())
    let screens = (0..<60).map { number in
      Probe(pit, hello: Hello(isWatching: true), address: "10.0.0.\(number)")
    }
    let person = Probe(pit, address: "10.0.1.0")
    pit.advance(seconds: 1)
    try #require(pit.server.directory.count == 1 && pit.hub.byPerson.count == 61)
    pit.drain()
    pit.advance(seconds: 1)
    // All 61 of them could be behind one address, which then needs 5.1 s.
    let delays = (screens + [person]).flatMap(\.returnDelays).sorted()
    #expect(Set(delays).count == 61)
    #expect(delays.first == 500 && (5500..<5600).contains(delays.last ?? 0), "\(delays)")
  }

  @Test func limitsThatWereReadAgainCount() throws {
    let pit = try server()
    let probes = (0..<30).map { Probe(pit, address: "10.0.0.\($0)") }
    pit.advance(seconds: 1)
    let limits = Self.tenHelloesASecond()
    pit.server.change(limits: limits, traffic: TrafficLimits(), keywords: .standard)
    pit.drain()
    pit.advance(seconds: 1)
    #expect(pit.server.drain.window?.milliseconds == 2000)
    #expect(probes.flatMap(\.returnDelays).max().map { $0 > 2400 } == true)
  }

  @Test func trafficThatWasReadAgainCounts() throws {
    let pit = try server()
    let probes = (0..<30).map { Probe(pit, address: "10.0.0.\($0)") }
    pit.advance(seconds: 1)
    var traffic = TrafficLimits()
    traffic.connectionsPerSecond = 10
    pit.server.change(limits: Limits(), traffic: traffic, keywords: .standard)
    pit.drain()
    pit.advance(seconds: 1)
    #expect(probes.allSatisfy { $0.returnDelays.count == 1 })
    // A fifth of the pace stays for others.
    #expect(pit.server.drain.window?.milliseconds == 3750)
  }

  @Test func whoComesLaterFindsNobody() throws {
    let pit = try server(faults: NetworkFaults(latency: 20_000_000...20_000_000))
    let probe = Probe(pit)
    pit.advance(seconds: 1)
    pit.drain()
    pit.advance(seconds: 0.01)
    #expect(pit.ask("/readyz")?.status == 503)
    #expect(pit.ask("/healthz")?.status == 200)
    let late = Probe(pit)
    pit.advance(seconds: 1)
    #expect(probe.returnDelays.count == 1)
    #expect(late.welcome == nil && late.closed == nil)
  }

  /// A full pipe gets the farewell when there is room, and no longer holds the end up than that.
  @Test func aSlowReaderIsToldToo() throws {
    // One message that is not read fills a pipe.
    let pit = try server(faults: NetworkFaults(budgetBytes: 1))
    let slow = Probe(pit)
    let stuck = Probe(pit)
    let bystander = Probe(pit)
    pit.advance(seconds: 1)
    slow.connection?.isReading = false
    stuck.connection?.isReading = false
    pit.advance(seconds: 2)
    try #require(pit.hub.sessions.count == 3)
    pit.drain()
    pit.advance(seconds: 0.5)
    #expect(bystander.closed?.code == .serviceRestart)
    slow.connection?.isReading = true
    pit.advance(seconds: 0.5)
    #expect(slow.returnDelays.count == 1 && slow.closed?.code == .serviceRestart)
    #expect(pit.server.drain.left == 1)
    pit.advance(seconds: Double(Drain.patience) / 1e9)
    stuck.connection?.isReading = true
    pit.advance(seconds: 1)
    #expect(stuck.returnDelays.isEmpty)
  }

  @Test func theNextServerKnowsThem() throws {
    let before = try server(threads: 2)
    let probes = (0..<20).map { _ in Probe(before, hello: Hello(rate: .hz30)) }
    before.advance(seconds: 1)
    let welcomes = try probes.map { try #require($0.welcome) }
    before.drain()
    before.advance(seconds: 0.4)
    let after = try server(before.network, threads: 2)
    after.advance(seconds: 0.1)
    let newcomers = (0..<5).map { _ in Probe(after) }
    after.advance(seconds: 2)
    let back = welcomes.map {
      Probe(after, hello: Hello(stream: .state, resumeToken: $0.token, knownTick: 60))
    }
    after.advance(seconds: 1)
    for (welcome, probe) in zip(welcomes, back) {
      let again = try #require(probe.welcome)
      #expect(again.clientID == welcome.clientID && again.name == welcome.name)
      #expect(again.colour == welcome.colour && again.token == welcome.token)
      // It is another world: its commands are counted from the beginning.
      #expect(again.commandsBefore == 0 && probe.frames.first?.isKeyframe == true)
    }
    let known = Set(welcomes.map(\.clientID))
    #expect(newcomers.allSatisfy { !known.contains($0.welcome?.clientID ?? 0) })
    // A token that is in use moves its person on, as ever.
    let moved = Probe(after, hello: Hello(resumeToken: welcomes[3].token))
    after.advance(seconds: 1)
    #expect(moved.welcome?.clientID == welcomes[3].clientID)
    #expect(back[3].closed?.code.rawValue == 4002)
    withExtendedLifetime(before) {}
  }

  /// The token's world is that of the server before: its records can't go on here.
  @Test func aReplicaFromBeforeGetsASnapshot() throws {
    let before = try server()
    let probe = Probe(before)
    before.advance(seconds: 2)
    let token = try #require(probe.welcome).token
    before.drain()
    before.advance(seconds: 1)
    let after = try server(before.network)
    after.advance(seconds: 3)
    let back = Follower(after, token: token, knownTick: 60)
    after.advance(seconds: 2)
    #expect(back.first == ServerMessageType.snapshot.rawValue)
    withExtendedLifetime(before) {}
  }

  /// The first message of the log that a client gets.
  private final class Follower: ClientDelegate {
    private(set) var first: UInt8?
    private let hello: Hello
    private var clients: MemoryClients?

    init(_ pit: VirtualServer, token: SessionToken, knownTick: UInt32) {
      hello = Hello(stream: .replica, resumeToken: token, knownTick: knownTick)
      clients = pit.network.clients(self)
      clients?.connect()
    }

    func clientOpened(_ connection: any Connection) {
      var bytes: [UInt8] = []
      ClientMessage.hello(hello).encode(into: &bytes)
      _ = connection.send(OutgoingFrame(copying: bytes))
    }

    func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
      let isOfTheLog =
        bytes[0] == ServerMessageType.snapshot.rawValue || RecordCoder.accepts(bytes[0])
      if first == nil, isOfTheLog { first = bytes[0] }
    }

    func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {}
    func clientFailed(_ id: UInt64, error: TransportError) {}
  }

  // MARK: The window

  @Test func theWindowIsWhatTheNextServerTakes() {
    func window(
      _ clients: Int, threads: Int = 2, isSecure: Bool = false,
      _ change: (inout Limits, inout TrafficLimits) -> Void = { _, _ in }
    ) -> Int {
      var (limits, traffic) = (Limits(), TrafficLimits())
      change(&limits, &traffic)
      return ReturnWindow(
        clients: clients, limits: limits, traffic: traffic, threads: threads, isSecure: isSecure
      ).milliseconds
    }
    #expect(window(0) == 1000 && window(100) == 1000)
    #expect(window(4000) == 2500 && window(4000, threads: 1) == 5000)
    // A handshake takes the thread a millisecond, and it gives a quarter of its time.
    #expect(window(4000, threads: 4, isSecure: true) == 5000)
    #expect(window(4000, threads: 1, isSecure: true) == 16_000, "the most that anybody waits")
    // A hall behind one router: what an address may do decides.
    #expect(window(4000) { limits, _ in limits.connectionsPerAddress = 4000 } == 16_000)
    #expect(window(1280) { limits, _ in limits.connectionsPerAddress = 4000 } == 4000)
    #expect(
      window(600) { limits, traffic in
        limits.connectionsPerAddress = 600
        traffic.connectionsBurstPerAddress = 400
      } == 2000)
  }

  @Test func delaysFillTheWindowWhateverTheThreads() {
    let window = ReturnWindow(
      clients: 4000, limits: Limits(), traffic: TrafficLimits(), threads: 2, isSecure: true)
    var delays: [UInt16] = []
    for thread in 0..<2 {
      for place in 0..<2000 {
        delays.append(window.delay(place: place, of: 2000, thread: thread, of: 2))
      }
    }
    #expect(Set(delays).count == 4000)
    #expect(delays.min() == 500 && delays.max()! < 500 + 10_000)
    #expect(window.delay(place: 7, of: 0, thread: 0, of: 1) == 500)
  }
}
