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
