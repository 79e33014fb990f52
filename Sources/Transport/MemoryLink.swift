/// One connection of a ``MemoryNetwork`` with its two ends.
final class MemoryLink {
  let id: UInt64
  let faults: NetworkFaults
  let isSlow: Bool
  private(set) var client: MemoryConnection!
  private(set) var server: MemoryConnection!
  private unowned let network: MemoryNetwork
  private let clients: MemoryClients
  private var listener: MemoryListener?

  init(network: MemoryNetwork, clients: MemoryClients, id: UInt64, faults: NetworkFaults) {
    self.network = network
    self.clients = clients
    self.id = id
    self.faults = faults
    isSlow = network.happens(faults.slowShare)
    client = MemoryConnection(id: id, link: self, network: network)
    server = MemoryConnection(id: id, link: self, network: network)
    client.peer = server
    server.peer = client
    client.onReceive = { [unowned self] bytes in deliverToClient(bytes) }
    client.onFinish = { [unowned self] code, reason in
      clients.closed(self, code: code, reason: reason)
    }
    client.onFailure = { [unowned self] in clients.failed(self) }
    server.onReceive = { [unowned self] bytes in deliverToServer(bytes) }
    server.onFinish = { [unowned self] _, _ in listener?.closed(self) }
  }

  /// Opens the server's end now and the client's after a delay.
  func open(_ listener: MemoryListener) {
    self.listener = listener
    server.state = .open
    server.deliver { [self] in
      guard client.state == .opening else { return }
      client.state = .open
      clients.opened(self)
    }
    listener.opened(self)
    if let lifetime = faults.lifetime {
      network.schedule(after: network.random(in: lifetime)) { [self] in lose() }
    }
  }

  func lose() {
    client.cut()
    server.cut()
    client.finish(.abnormal, reason: "")
    network.schedule(after: network.random(in: faults.latency)) { [self] in
      server.finish(.abnormal, reason: "")
    }
  }

  /// How long a message takes that `sender` sends now; a slow client also reads it bit by bit.
  func nanosecondsToRead(_ count: Int, from sender: MemoryConnection) -> UInt64 {
    guard isSlow, sender === server else { return 0 }
    return UInt64(count) * 1_000_000_000 / UInt64(faults.slowBytesPerSecond)
  }

  private func deliverToClient(_ bytes: [UInt8]) {
    network.record(1, id, bytes)
    bytes.withUnsafeBytes { clients.delegate?.client(client, received: $0) }
  }

  private func deliverToServer(_ bytes: [UInt8]) {
    guard let listener else { return }
    guard bytes.count <= listener.maximumMessageBytes else {
      server.close(.tooBig, reason: "at most \(listener.maximumMessageBytes) bytes")
      return
    }
    network.record(2, id, bytes)
    bytes.withUnsafeBytes { listener.delegate?.connection(server, received: $0) }
  }
}
