import CLibWebSockets
import Glibc

/// One accepted socket that speaks HTTP, and may become a WebSocket.
///
/// It does one thing at a time: it reads a request, waits for its turn, sends the answer. Nothing
/// is read meanwhile, so what comes behind a request waits in one read's worth of memory and in the
/// kernel.
final class Visitor: ServicePeer, RosterMember {
  unowned let listener: WebSocketListener
  /// Whose request is read or answered. A proxy's connection is nobody's between two requests.
  private(set) var remoteAddress: String
  private(set) var addressPrefix: AddressPrefix
  /// Set if a trusted proxy is at the other end, which says in its requests for whom they come.
  private let proxy: (address: NumericAddress, prefix: AddressPrefix)?
  private var hasAsked = false
  var place = -1
  /// Counts the visitors of the pool.
  var arrival: UInt64 = 0
  /// Whether it waits for its turn at the desk.
  var isQueued = false
  var clock: VisitorClock
  /// Whether nothing came yet, on a port that speaks TLS: its handshake may still cost something.
  private(set) var isSilent: Bool
  private var socket: OpaquePointer?
  private var parser = RequestParser()
  /// What came behind the request that is being answered.
  private var unread: [UInt8] = []
  private var question: Question?
  private var answer: HTTPAnswer?
  private var output = SocketOutput()
  private var isLast = false
  private var restLeft = FixedLimits.restBytes

  private enum Question {
    case request(RequestHead)
    case refused(RequestRefusal)
    /// Made elsewhere, under this ticket.
    case underWay(RequestHead, ticket: UInt64)
  }

  init(_ accepted: AcceptedSocket, listener: WebSocketListener, now: UInt64) {
    remoteAddress = accepted.address?.text ?? ""
    addressPrefix = accepted.addressPrefix
    proxy = accepted.isProxy ? accepted.address.map { ($0, accepted.addressPrefix) } : nil
    self.listener = listener
    clock = VisitorClock(at: now)
    isSilent = listener.isSecure
  }

  override func handle(
    _ reason: lws_callback_reasons, socket: OpaquePointer, input: UnsafeMutableRawPointer?,
    length: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RAW_SKT_BIND_PROTOCOL, LWS_CALLBACK_RAW_SKT_DROP_PROTOCOL,
      LWS_CALLBACK_RAW_CLOSE:
      return 0
    case LWS_CALLBACK_RAW_ADOPT:
      self.socket = socket
      return 0
    case LWS_CALLBACK_RAW_RX:
      return receive(UnsafeRawBufferPointer(start: input, count: length), socket)
    case LWS_CALLBACK_RAW_WRITEABLE:
      if answer != nil { listener.queue(self) }
      return 0
    case LWS_CALLBACK_WSI_DESTROY:
      left()
      return 0
    default:
      return unexpected(reason)
    }
  }

  private func left() {
    if case .underWay(_, let ticket) = question {
      listener.lateAnswers.setWaiting(nil, for: ticket)
    }
    (socket, question, answer, output) = (nil, nil, nil, SocketOutput())
    unread = []
    parser = RequestParser()
    listener.remove(self)
  }

  /// Hangs up now. Not from inside its own callbacks.
  func hangUp() {
    guard let socket else { return }
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC)
  }

  /// Hangs up now, and counts why unless it has had its answer. Not from inside its own callbacks.
  func hangUp(_ reason: PortCounts.Refusal) {
    guard socket != nil else { return }
    if !clock.isAnswered { listener.counts.refused(reason) }
    hangUp()
  }

  // MARK: Reading

  private func receive(_ bytes: UnsafeRawBufferPointer, _ socket: OpaquePointer) -> Int32 {
    if isSilent {
      isSilent = false
      listener.visitorSpoke()
    }
    switch clock.phase {
    case .firstRequest, .idle, .request:
      // From here on the visitor's own clock counts, not that of the TLS handshake.
      lws_set_timeout(socket, NO_PENDING_TIMEOUT, 0)
      read(bytes)
      return 0
    case .waiting, .answer:
      assertionFailure("read while an answer is under way")
      return -1
    case .parting:
      restLeft -= bytes.count
      return restLeft >= 0 ? 0 : -1
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) {
    assert(question == nil && answer == nil)
    let (used, outcome) = parser.read(bytes)
    switch outcome {
    case .more:
      if clock.phase == .idle, parser.hasBegun { clock.enter(.request, at: listener.now) }
      return
    case .request(let head): question = ask(for: head)
    case .refused(let refusal): question = .refused(refusal)
    }
    unread = Array(bytes.dropFirst(used))
    listener.countRequest(of: addressPrefix)
    setReading(false)
    clock.enter(.waiting, at: listener.now)
    listener.queue(self)
  }

  /// What a request is, after a proxy has said whose it is.
  private func ask(for head: RequestHead) -> Question {
    guard let proxy else { return .request(head) }
    let client = listener.client(of: head, through: proxy.address)
    become(client.text, AddressPrefix(client))
    defer { hasAsked = true }
    guard hasAsked || listener.admitThroughProxy(addressPrefix) else {
      var refusal = RequestRefusal.tooManyConnections
      refusal.isOfHead = head.isHead
      return .refused(refusal)
    }
    return .request(head)
  }

  private func become(_ address: String, _ prefix: AddressPrefix) {
    remoteAddress = address
    guard addressPrefix != prefix else { return }
    listener.move(self, to: prefix) { addressPrefix = prefix }
  }

  private func setReading(_ isReading: Bool) {
    guard let socket else { return }
    lws_rx_flow_control(socket, isReading ? 1 : 0)
  }

  // MARK: Answering

  /// Its turn: finds the answer to the request, or writes the next piece of it.
  ///
  /// - Parameter buffer: room for a piece.
  /// - Returns: how many bytes were written.
  func work(_ buffer: UnsafeMutablePointer<UInt8>) -> Int {
    guard let socket else { return 0 }
    if answer == nil { find(socket) }
    guard answer != nil, self.socket != nil else { return 0 }
    guard output.drain(to: RawSocket(socket)) else {
      hangUp()
      return 0
    }
    guard !output.isPartial else { return 0 }
    guard !answer!.isComplete else {
      finish(socket)
      return 0
    }
    guard let count = answer!.takePiece(into: buffer),
      output.write(UnsafeBufferPointer(start: buffer, count: count), to: RawSocket(socket))
    else {
      hangUp()
      return 0
    }
    clock.took(count, at: listener.now)
    if answer!.isComplete, !output.isPartial {
      finish(socket)
    } else {
      lws_callback_on_writable(socket)
    }
    return count
  }

  /// The question becomes an answer, a promise of one, or a WebSocket.
  private func find(_ socket: OpaquePointer) {
    switch question {
    case nil, .underWay: return
    case .refused(let refusal): refuse(refusal, nil)
    case .request(let head): settle(head, socket)
    }
  }

  private func settle(_ head: RequestHead, _ socket: OpaquePointer) {
    switch listener.outcome(of: head, from: self, isEncrypted: lws_is_ssl(socket) != 0) {
    case .refused(let refusal):
      refuse(refusal, head)
    case .response(let response, let isLast):
      begin(HTTPAnswer(response, circumstances(of: head, isLast: isLast)))
    case .file(let file):
      let known = head["if-none-match"]
      begin(HTTPAnswer(file, knownTag: known, circumstances(of: head)))
    case .later(let ticket):
      question = .underWay(head, ticket: ticket)
      listener.lateAnswers.setWaiting(self, for: ticket)
    case .webSocket:
      upgrade(head, socket)
    }
  }

  private func refuse(_ refusal: RequestRefusal, _ head: RequestHead?) {
    isLast = true
    let isHead = refusal.isOfHead || head?.isHead == true
    let circumstances = HTTPAnswer.Circumstances(
      host: head?.host ?? "", isHead: isHead, isLast: true)
    begin(HTTPAnswer(refusal.response, circumstances))
  }

  /// The answer that was made elsewhere is here.
  func answerLate(_ response: HTTPResponse) {
    guard case .underWay(let head, _) = question else { return }
    begin(HTTPAnswer(response, circumstances(of: head)))
    listener.queue(self)
  }

  private func begin(_ answer: HTTPAnswer) {
    listener.counts.answered(answer.status)
    question = nil
    self.answer = answer
    clock.enter(.answer, at: listener.now)
  }

  /// Under which circumstances a request is answered now; decides whether it was the last one.
  private func circumstances(
    of head: RequestHead, isLast: Bool = false
  ) -> HTTPAnswer.Circumstances {
    let isOld = clock.isLast(at: listener.now, listener.configuration.traffic)
    self.isLast = self.isLast || isLast || !head.keepsAlive || isOld
    return HTTPAnswer.Circumstances(host: head.host, isHead: head.isHead, isLast: self.isLast)
  }

  /// The answer is in the kernel's hands: the next request, or goodbye.
  private func finish(_ socket: OpaquePointer) {
    answer = nil
    guard !isLast else {
      clock.enter(.parting, at: listener.now)
      shutdown(lws_get_socket_fd(socket), Int32(SHUT_WR))
      return setReading(true)
    }
    clock.enter(.idle, at: listener.now)
    if let proxy { become(proxy.address.text, proxy.prefix) }
    if !unread.isEmpty {
      let bytes = unread
      unread = []
      bytes.withUnsafeBytes { read($0) }
    }
    if question == nil { setReading(true) }
  }

  // MARK: WebSocket

  private func upgrade(_ head: RequestHead, _ socket: OpaquePointer) {
    guard unread.isEmpty else {
      return refuse(RequestRefusal(400, "data before the handshake was answered"), head)
    }
    if let refusal = listener.filter.refusal(of: head) { return refuse(refusal, head) }
    if let refusal = listener.takeRoom(for: addressPrefix) { return refuse(refusal, head) }
    guard output.write(listener.filter.acceptance(of: head), to: RawSocket(socket)) else {
      listener.giveBackRoom(of: addressPrefix)
      return hangUp()
    }
    listener.counts.answered(101)
    (self.socket, question) = (nil, nil)
    listener.remove(self)
    listener.open(socket, output, from: remoteAddress, addressPrefix)
  }
}
