/// One end of a ``MemoryLink``.
final class MemoryConnection: Connection {
  enum State { case opening, open, closing, closed }

  let id: UInt64
  let remoteAddress: String
  let addressPrefix: AddressPrefix
  var session: AnyObject?
  var state = State.opening
  var end = ConnectionEnd()
  /// Whether the connection was lost, so that nothing of it arrives any more.
  var isCut = false
  /// When the other end has read everything that was sent so far.
  var lastReadTime: UInt64 = 0
  /// Until the end is closed.
  var link: MemoryLink?
  private var bytesUnderWay = 0
  private var unread: [[UInt8]] = []

  init(id: UInt64, remoteAddress: String = "127.0.0.1") {
    self.id = id
    self.remoteAddress = remoteAddress
    addressPrefix = AddressPrefix(remoteAddress)
  }

  // MARK: Sending

  func send(_ frame: OutgoingFrame) -> SendStatus {
    guard state == .open, let link else { return .closed }
    guard bytesUnderWay == 0 || bytesUnderWay + frame.count <= link.faults.budgetBytes else {
      return .backpressure
    }
    let bytes = frame.withPayload { Array($0) }
    bytesUnderWay += bytes.count
    link.send(from: self, count: bytes.count) { [self] in
      if isCut { bytesUnderWay -= bytes.count } else { link.other(self).arrived(bytes) }
    }
    return .sent
  }

  func close(_ code: CloseCode, reason: String) {
    guard state == .open || state == .opening else { return }
    state = .closing
    end = ConnectionEnd(code: code, reason: CloseReason.truncated(reason), isOwn: true)
    link?.close(self, code, reason: end.reason)
  }

  // MARK: Receiving

  var isReading = true {
    didSet {
      guard isReading, !unread.isEmpty else { return }
      // Not from here: a delegate is never called from inside a call of its own.
      link?.after(0) { [self] in catchUp() }
    }
  }

  /// What is under way is limited by the link's faults.
  func shrinkReceiveBuffer() {}

  private func catchUp() {
    while isReading, !unread.isEmpty { read(unread.removeFirst()) }
  }

  /// A message reached this end: it is read now, or after the pause.
  private func arrived(_ bytes: [UInt8]) {
    if isReading, unread.isEmpty { read(bytes) } else { unread.append(bytes) }
  }

  private func read(_ bytes: [UInt8]) {
    guard let link else { return }
    link.other(self).bytesUnderWay -= bytes.count
    if state == .open { link.deliver(bytes, to: self) }
  }
}
