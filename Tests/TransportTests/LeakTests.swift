import Testing

@testable import Transport

@Suite struct LeakTests {
  @Test func memoryNetworkIsFreedWithItsConnections() {
    weak var network: MemoryNetwork?
    weak var server: MemoryServer?
    weak var connection: AnyObject?
    weak var left: AnyObject?
    weak var pool: MemoryClients?
    weak var listener: MemoryListener?
    do {
      let (owner, bots) = (MemoryServer(), MemoryBots())
      let created = MemoryNetwork(seed: 1, faults: NetworkFaults(latency: 0...1_000))
      (network, server) = (created, owner)
      listener = created.listen(owner)
      let clients = created.clients(bots, timerIntervalMilliseconds: 1)
      pool = clients
      let lost = clients.connect()
      clients.connect()
      created.advance(by: 10_000)
      for connection in bots.opened { connection.session = connection }
      for connection in owner.connections { connection.session = connection }
      connection = owner.connections.first { $0.id == lost }
      left = owner.connections.first { $0.id != lost }
      #expect(connection != nil && left != nil)
      clients.lose(lost)
      created.advance(by: 10_000)
      #expect(owner.closed == [lost])
      bots.opened = []
      #expect(connection == nil, "a closed connection is let go")
    }
    #expect(pool == nil)
    #expect(listener == nil)
    #expect(network == nil && server == nil && left == nil)
  }
}
