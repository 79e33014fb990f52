/// One end of a ``MemoryLink``.
final class MemoryConnection: Connection {
  enum State { case opening, open, closing, closed }

  let id: UInt64
  let remoteAddress = "127.0.0.1"
  var session: AnyObject?
  var state: State
  weak var peer: MemoryConnection?
  var onReceive: ([UInt8]) -> Void = { _ in }
  var onFinish: (CloseCode, String) -> Void = { _, _ in }
  var onFailure: () -> Void = {}

  private unowned let network: MemoryNetwork
  private unowned let link: MemoryLink
  private var bytesUnderWay = 0
  private var unread: [[UInt8]] = []
  private var lastReadTime: UInt64 = 0
  private var isCut = false

  init(id: UInt64, link: MemoryLink, network: MemoryNetwork) {
    self.id = id
    self.link = link
    self.network = network
    state = .opening
  }

  func send(_ frame: OutgoingFrame) -> SendStatus {
    guard state == .open else { return .closed }
    guard bytesUnderWay == 0 || bytesUnderWay + frame.count <= link.faults.budgetBytes else {
      return .backpressure
    }
    let bytes = frame.withPayload { Array($0) }
    bytesUnderWay += bytes.count
    deliver(count: bytes.count) { [self] in
      guard let peer, !isCut, peer.state == .open else {
        bytesUnderWay -= bytes.count
        return
      }
      peer.arrived(bytes)
    }
    return .sent
  }

  var isReading = true {
    didSet {
      while isReading, !unread.isEmpty { read(unread.removeFirst()) }
    }
  }

  /// A message reached this end: it is read now, or after the pause.
  private func arrived(_ bytes: [UInt8]) {
    if isReading, unread.isEmpty { read(bytes) } else { unread.append(bytes) }
  }

  private func read(_ bytes: [UInt8]) {
    peer?.bytesUnderWay -= bytes.count
    if state == .open { onReceive(bytes) }
  }

  func close(_ code: CloseCode, reason: String) {
    guard state == .open || state == .opening else { return }
    state = .closing
    let reason = CloseReason.truncated(reason)
    let answerDelay = network.random(in: link.faults.latency)
    deliver { [self] in
      guard !isCut else { return }
      peer?.finish(code, reason: reason)
      network.schedule(after: answerDelay) { [self] in finish(code, reason: reason) }
    }
  }

  /// Ends this end, once, and tells its owner.
  func finish(_ code: CloseCode, reason: String) {
    guard state != .closed else { return }
    let wasOpen = state != .opening
    state = .closed
    network.record(3, id, [UInt8(truncatingIfNeeded: code.rawValue)])
    if wasOpen { onFinish(code, reason) } else { onFailure() }
    session = nil
  }

  /// Loses everything that is under way in either direction.
  func cut() {
    isCut = true
  }

  /// Runs `action` when the peer has read `count` more bytes: in order, after the delay, at the
  /// peer's pace.
  func deliver(count: Int = 0, _ action: @escaping () -> Void) {
    let arrival = network.now + network.random(in: link.faults.latency)
    lastReadTime = max(arrival, lastReadTime) + link.nanosecondsToRead(count, from: self)
    network.schedule(after: lastReadTime - network.now, action)
  }
}
