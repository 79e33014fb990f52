// The two ends of a network in memory: its listener, and its clients.

/// The listener of a ``MemoryNetwork``.
///
/// Sendable only so that it fits ``Listener``: like its network it lives on one thread.
public final class MemoryListener: Listener, @unchecked Sendable {
  private(set) var delegate: (any ListenerDelegate)?
  let maximumMessageBytes: Int
  private weak var network: MemoryNetwork?
  private var links: [MemoryLink] = []
  private var isWakePending = false
  /// Whether connects reach it.
  private(set) var isOpen = true

  init(network: MemoryNetwork, delegate: any ListenerDelegate, maximumMessageBytes: Int) {
    self.network = network
    self.delegate = delegate
    self.maximumMessageBytes = maximumMessageBytes
  }

  /// Has `woken()` called at the current virtual time. Several calls before that are one.
  public func wake() {
    guard !isWakePending, delegate != nil else { return }
    isWakePending = true
    network?.schedule(after: 0) { [self] in
      isWakePending = false
      delegate?.woken()
    }
  }

  /// From now on every connect is refused.
  public func closePort() { isOpen = false }

  /// Closes every connection at once with ``CloseCode/goingAway``; clients hear of it after their
  /// delay. From now on every connect is refused.
  public func stop() {
    for link in links {
      link.server.close(.goingAway, reason: "the server stops")
      link.finish(link.server, .goingAway, reason: "")
    }
    delegate = nil
  }

  func abandon() {
    for link in links { link.abandon() }
    links = []
  }

  func opened(_ link: MemoryLink) {
    links.append(link)
    delegate?.connectionOpened(link.server)
  }

  func closed(_ link: MemoryLink) {
    links.removeAll { $0 === link }
    delegate?.connectionClosed(link.server)
  }
}

/// Clients of a ``MemoryNetwork``.
///
/// Sendable only so that it fits ``ClientPool``: like its network it lives on one thread.
public final class MemoryClients: ClientPool, @unchecked Sendable {
  private(set) var delegate: (any ClientDelegate)?
  private weak var network: MemoryNetwork?
  private var links: [MemoryLink] = []
  private var connects: UInt64 = 0

  init(network: MemoryNetwork, delegate: any ClientDelegate) {
    self.network = network
    self.delegate = delegate
  }

  @discardableResult
  public func connect() -> UInt64 {
    connect(faults: network?.faults ?? .none)
  }

  /// Connects from a numeric address of one's own.
  @discardableResult
  public func connect(from address: String) -> UInt64 {
    connect(faults: network?.faults ?? .none, from: address)
  }

  /// Connects with faults of its own instead of the network's, or from another address.
  @discardableResult
  public func connect(faults: NetworkFaults, from address: String = "127.0.0.1") -> UInt64 {
    let id = connects
    connects += 1
    guard let network else { return id }
    let isRefused = network.happens(faults.refusedShare)
    network.schedule(after: network.random(in: faults.latency)) { [self, unowned network] in
      guard !isRefused, let listener = network.nextListener() else {
        delegate?.clientFailed(id, error: .refused("memory"))
        return
      }
      guard delegate != nil else { return }
      let link = MemoryLink(
        network: network, clients: self, listener: listener, id: id, address: address,
        faults: faults)
      links.append(link)
      link.open()
    }
    return id
  }

  /// Cuts one open connection without a close frame: the client notices now, the server after one
  /// delay. What was under way is lost. Unknown ids do nothing.
  public func lose(_ id: UInt64) {
    links.first { $0.id == id }?.lose()
  }

  /// Ends every connection at once; the server hears of it after its delay.
  public func stop() {
    for link in links {
      link.client.close(.goingAway, reason: "")
      link.finish(link.client, .goingAway, reason: "")
    }
    delegate = nil
  }

  func abandon() {
    for link in links { link.abandon() }
    links = []
  }

  func fireTimer(at now: UInt64) {
    delegate?.timerFired(nowNanoseconds: now)
  }

  func opened(_ link: MemoryLink) {
    delegate?.clientOpened(link.client)
  }

  func failed(_ link: MemoryLink) {
    links.removeAll { $0 === link }
    delegate?.clientFailed(link.id, error: .connectionFailed("lost during the handshake"))
  }

  func closed(_ link: MemoryLink, code: CloseCode, reason: String) {
    links.removeAll { $0 === link }
    delegate?.clientClosed(link.client, code: code, reason: reason)
  }
}
