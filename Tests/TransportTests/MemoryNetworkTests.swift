import Testing
import Transport

@Suite struct MemoryNetworkTests {
  static let millisecond: UInt64 = 1_000_000

  let server = MemoryServer()
  let bots = MemoryBots()

  @Test func echoesInOrderWithoutFaults() {
    let network = MemoryNetwork(seed: 1)
    let listener = network.listen(server)
    let clients = network.clients(bots)
    clients.connect()
    network.advance(by: 1)
    for value in UInt8(0)..<10 { _ = bots.opened[0].send(OutgoingFrame(copying: [value])) }
    network.advance(by: 1)
    #expect(server.received == (UInt8(0)..<10).map { [$0] })
    #expect(bots.received.map(\.bytes) == server.received)
    #expect(bots.failed.isEmpty && bots.closed.isEmpty)
    listener.stop()
  }

  @Test func latencyDelaysEachWayAndKeepsOrder() {
    let faults = NetworkFaults(latency: 5 * Self.millisecond...20 * Self.millisecond)
    let network = MemoryNetwork(seed: 2, faults: faults)
    _ = network.listen(server)
    let clients = network.clients(bots)
    clients.connect()
    network.advance(by: 40 * Self.millisecond)
    #expect(bots.opened.count == 1)
    for value in UInt8(0)..<50 { _ = bots.opened[0].send(OutgoingFrame(copying: [value])) }
    network.advance(by: 5 * Self.millisecond - 1)
    #expect(server.received.isEmpty)
    network.advance(by: 35 * Self.millisecond + 1)
    #expect(bots.received.map(\.bytes) == (UInt8(0)..<50).map { [$0] })
  }

  @Test func refusedShareFailsTyped() {
    let network = MemoryNetwork(seed: 3, faults: NetworkFaults(refusedShare: 0.5))
    _ = network.listen(server)
    let clients = network.clients(bots)
    for _ in 0..<200 { clients.connect() }
    network.advance(by: 1)
    #expect(bots.failed.count + bots.opened.count == 200)
    #expect((60...140).contains(bots.failed.count))
    #expect(bots.failed.allSatisfy { $0.error == .refused("memory") })
  }

  @Test func nobodyListensIsRefused() {
    let network = MemoryNetwork(seed: 4)
    let clients = network.clients(bots)
    #expect(clients.connect() == 0)
    #expect(clients.connect() == 1)
    network.advance(by: 1)
    #expect(bots.failed.map(\.id) == [0, 1])
  }

  @Test func slowReaderMeetsBackpressureAndLosesNothingThatWasSent() {
    let faults = NetworkFaults(slowShare: 1, slowBytesPerSecond: 10_000, budgetBytes: 4_000)
    let network = MemoryNetwork(seed: 5, faults: faults)
    _ = network.listen(server)
    network.clients(bots).connect()
    network.advance(by: 1)
    var sent: [[UInt8]] = []
    var skipped = 0
    for tick in 0..<120 {
      let bytes = [UInt8](repeating: UInt8(tick), count: 1_000)
      switch server.connections[0].send(OutgoingFrame(copying: bytes)) {
      case .sent: sent.append(bytes)
      case .backpressure: skipped += 1
      case .closed: Issue.record("closed")
      }
      network.advance(by: 1_000 * Self.millisecond / 60)
    }
    #expect(skipped > 90)
    network.advance(by: 1_000 * Self.millisecond)
    #expect(bots.received.map(\.bytes) == sent)
    #expect((20...25).contains(sent.count), "2 s at 10 kB/s, and 4 kB under way")
  }

  @Test func oneFrameAboveTheBudgetIsTakenAlone() {
    let network = MemoryNetwork(seed: 6, faults: NetworkFaults(budgetBytes: 1_000))
    _ = network.listen(server)
    network.clients(bots).connect()
    network.advance(by: 1)
    let frame = OutgoingFrame(copying: [UInt8](repeating: 7, count: 5_000))
    #expect(server.connections[0].send(frame) == .sent)
    #expect(server.connections[0].send(frame) == .backpressure)
    network.advance(by: 1)
    #expect(server.connections[0].send(frame) == .sent)
  }

  @Test func lossEndsBothSidesWithoutACloseFrame() {
    let lifetime = 10 * Self.millisecond...30 * Self.millisecond
    let network = MemoryNetwork(seed: 7, faults: NetworkFaults(lifetime: lifetime))
    _ = network.listen(server)
    let clients = network.clients(bots)
    for _ in 0..<20 { clients.connect() }
    network.advance(by: 9 * Self.millisecond)
    #expect(bots.opened.count == 20 && bots.closed.isEmpty)
    network.advance(by: 22 * Self.millisecond)
    #expect(bots.closed.count == 20)
    #expect(bots.closed.allSatisfy { $0.code == .abnormal })
    #expect(server.closed.sorted() == Array(0..<20))
    #expect(bots.opened[0].send(OutgoingFrame(copying: [1])) == .closed)
  }

  @Test func loseDropsWhatIsUnderWay() {
    let faults = NetworkFaults(latency: Self.millisecond...Self.millisecond)
    let network = MemoryNetwork(seed: 8, faults: faults)
    _ = network.listen(server)
    let clients = network.clients(bots)
    let id = clients.connect()
    network.advance(by: 3 * Self.millisecond)
    #expect(bots.opened[0].send(OutgoingFrame(copying: [1])) == .sent)
    clients.lose(id)
    network.advance(by: 3 * Self.millisecond)
    #expect(server.received.isEmpty)
    #expect(server.closed == [id])
    #expect(bots.closed.map(\.code) == [.abnormal])
  }

  @Test func closeCarriesCodeAndReasonAfterWhatWasSent() {
    let network = MemoryNetwork(seed: 9)
    _ = network.listen(server)
    network.clients(bots).connect()
    network.advance(by: 1)
    let connection = server.connections[0]
    _ = connection.send(OutgoingFrame(copying: [1]))
    connection.close(.policy, reason: "too fast")
    #expect(connection.send(OutgoingFrame(copying: [2])) == .closed)
    network.advance(by: 1)
    #expect(bots.received.map(\.bytes) == [[1]])
    #expect(bots.closed.map(\.code) == [.policy])
    #expect(bots.closed.map(\.reason) == ["too fast"])
    #expect(server.closed == [0])
  }

  @Test func oversizedMessageCloses1009() {
    let network = MemoryNetwork(seed: 10)
    _ = network.listen(server, maximumMessageBytes: 16)
    bots.greeting = [UInt8](repeating: 1, count: 17)
    network.clients(bots).connect()
    network.advance(by: 1)
    #expect(server.received.isEmpty)
    #expect(bots.closed.map(\.code) == [.tooBig])
  }

  @Test func wakesAreCoalescedAndTimersDoNotDrift() {
    let network = MemoryNetwork(seed: 11)
    let listener = network.listen(server)
    let clients = network.clients(bots, timerIntervalMilliseconds: 10)
    listener.wake()
    listener.wake()
    network.advance(by: 1)
    #expect(server.wakes == 1)
    network.advance(by: 100 * Self.millisecond)
    #expect(bots.timers == (1...10).map { UInt64($0) * 10 * Self.millisecond })
    func reply(_ path: String) -> HTTPReply {
      network.respond(to: HTTPRequest(path: path), later: HTTPLater { _ in })
    }
    #expect(reply("/healthz") == .response(.text("ok")))
    #expect(reply("/") == .file)
    clients.stop()
  }

  @Test func stopClosesClientsWithGoingAwayAndRefusesNewOnes() {
    let network = MemoryNetwork(seed: 12)
    let listener = network.listen(server)
    let clients = network.clients(bots)
    clients.connect()
    network.advance(by: 1)
    listener.stop()
    #expect(server.closed == [0])
    clients.connect()
    network.advance(by: 1)
    #expect(bots.closed.map(\.code) == [.goingAway])
    #expect(bots.failed.map(\.id) == [1])
  }

  @Test func sameSeedSameTrace() {
    #expect(Self.partyTrace(seed: 99) == Self.partyTrace(seed: 99))
    #expect(Self.partyTrace(seed: 99) != Self.partyTrace(seed: 100))
  }

  /// Ten seconds of forty clients on a bad network.
  static func partyTrace(seed: UInt64) -> UInt64 {
    let faults = NetworkFaults(
      latency: 1 * millisecond...80 * millisecond,
      lifetime: 500 * millisecond...9_000 * millisecond, slowShare: 0.3,
      slowBytesPerSecond: 5_000, budgetBytes: 3_000, refusedShare: 0.1)
    let network = MemoryNetwork(seed: seed, faults: faults)
    let (server, bots) = (MemoryServer(), MemoryBots())
    bots.greeting = [1, 2, 3]
    _ = network.listen(server)
    let clients = network.clients(bots)
    for _ in 0..<40 { clients.connect() }
    var tick: UInt8 = 0
    network.every(1_000 * millisecond / 60) {
      tick &+= 1
      let frame = OutgoingFrame(copying: [UInt8](repeating: tick, count: 200))
      for connection in server.connections { _ = connection.send(frame) }
    }
    network.advance(by: 10_000 * millisecond)
    #expect(!bots.received.isEmpty && !bots.closed.isEmpty && !bots.failed.isEmpty)
    return network.trace
  }
}

extension MemoryNetworkTests {
  @Test func pausedReaderMeetsBackpressureAndThenGetsEverything() {
    let network = MemoryNetwork(seed: 13, faults: NetworkFaults(budgetBytes: 1_000))
    _ = network.listen(server)
    network.clients(bots).connect()
    network.advance(by: 1)
    bots.opened[0].isReading = false
    var sent: [[UInt8]] = []
    for number in UInt8(0)..<20 {
      let bytes = [UInt8](repeating: number, count: 100)
      if server.connections[0].send(OutgoingFrame(copying: bytes)) == .sent { sent.append(bytes) }
      network.advance(by: 1)
    }
    #expect(sent.count == 10)
    #expect(bots.received.isEmpty)
    bots.opened[0].isReading = true
    network.advance(by: 1)
    #expect(bots.received.map(\.bytes) == sent)
    #expect(server.connections[0].send(OutgoingFrame(copying: [1])) == .sent)
  }
}
