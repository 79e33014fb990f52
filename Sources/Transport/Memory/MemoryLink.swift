/// One connection of a ``MemoryNetwork`` with its two ends. The ends point back at it until they
/// are closed.
final class MemoryLink {
  let id: UInt64
  let faults: NetworkFaults
  let client: MemoryConnection
  let server: MemoryConnection
  private let isSlow: Bool
  private weak var network: MemoryNetwork?
  private let clients: MemoryClients
  private let listener: MemoryListener

  init(
    network: MemoryNetwork, clients: MemoryClients, listener: MemoryListener, id: UInt64,
    address: String, faults: NetworkFaults
  ) {
    self.network = network
    self.clients = clients
    self.listener = listener
    self.id = id
    self.faults = faults
    isSlow = network.happens(faults.slowShare)
    client = MemoryConnection(id: id)
    server = MemoryConnection(id: id, remoteAddress: address)
    client.link = self
    server.link = self
  }

  /// Opens the server's end now and the client's after a delay.
  func open() {
    server.state = .open
    send(from: server) { [self] in
      guard client.state == .opening else { return }
      client.state = .open
      clients.opened(self)
    }
    listener.opened(self)
    if let network, let lifetime = faults.lifetime {
      network.schedule(after: network.random(in: lifetime)) { [self] in lose() }
    }
  }

  /// Ends both sides without a close frame; the server notices later.
  func lose() {
    client.isCut = true
    server.isCut = true
    finish(client, .abnormal, reason: "")
    after(delay()) { [self] in finish(server, .abnormal, reason: "") }
  }

  /// Lets go of both ends without telling anybody.
  func abandon() {
    for end in [client, server] {
      end.state = .closed
      end.session = nil
      end.link = nil
    }
  }

  /// Runs `action` when the other end has read `count` more bytes from `sender`: in order, after
  /// the delay, at the reader's pace.
  func send(from sender: MemoryConnection, count: Int = 0, _ action: @escaping () -> Void) {
    guard let network else { return }
    let arrival = max(network.now + delay(), sender.lastReadTime)
    sender.lastReadTime = arrival + nanosecondsToRead(count, from: sender)
    after(sender.lastReadTime - network.now, action)
  }

  /// The end at the other side of one.
  func other(_ end: MemoryConnection) -> MemoryConnection {
    end === client ? server : client
  }

  /// Gives a message to the owner of the end that read it.
  func deliver(_ bytes: [UInt8], to end: MemoryConnection) {
    if end === client { deliverToClient(bytes) } else { deliverToServer(bytes) }
  }

  /// Closes the other end when it has read everything before, then this one.
  func close(_ end: MemoryConnection, _ code: CloseCode, reason: String) {
    let answerDelay = delay()
    send(from: end) { [self] in
      guard !end.isCut else { return }
      finish(other(end), code, reason: reason)
      after(answerDelay) { [self] in finish(end, code, reason: reason) }
    }
  }

  /// Ends one end, once, and tells its owner.
  func finish(_ end: MemoryConnection, _ code: CloseCode, reason: String) {
    guard end.state != .closed else { return }
    let wasOpen = end.state != .opening
    if end.state != .closing { end.end = ConnectionEnd(code: code, reason: reason) }
    end.state = .closed
    network?.record(3, id, [UInt8(truncatingIfNeeded: code.rawValue)])
    if end === server {
      listener.closed(self)
    } else if wasOpen {
      clients.closed(self, code: code, reason: reason)
    } else {
      clients.failed(self)
    }
    end.session = nil
    end.link = nil
  }

  private func deliverToClient(_ bytes: [UInt8]) {
    network?.record(1, id, bytes)
    bytes.withUnsafeBytes { clients.delegate?.client(client, received: $0) }
  }

  private func deliverToServer(_ bytes: [UInt8]) {
    guard bytes.count <= listener.maximumMessageBytes else {
      server.close(.tooBig, reason: "at most \(listener.maximumMessageBytes) bytes")
      return
    }
    network?.record(2, id, bytes)
    bytes.withUnsafeBytes { listener.delegate?.connection(server, received: $0) }
  }

  func after(_ nanoseconds: UInt64, _ action: @escaping () -> Void) {
    network?.schedule(after: nanoseconds, action)
  }

  private func delay() -> UInt64 {
    network?.random(in: faults.latency) ?? 0
  }

  /// A slow client reads bit by bit.
  private func nanosecondsToRead(_ count: Int, from sender: MemoryConnection) -> UInt64 {
    guard isSlow, sender === server else { return 0 }
    return UInt64(count) * 1_000_000_000 / UInt64(faults.slowBytesPerSecond)
  }
}
