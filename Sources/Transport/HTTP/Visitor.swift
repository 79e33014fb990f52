import CLibWebSockets
import Glibc

/// One accepted socket that speaks HTTP, and may become a WebSocket.
///
/// It does one thing at a time: it reads a request, waits for its turn, sends the answer. Nothing
/// is read meanwhile, so what comes behind a request waits in one read's worth of memory and in the
/// kernel.
final class Visitor: ServicePeer, RosterMember {
  /// What a visitor may still send after the last answer. Without reading it the kernel would reset
  /// the connection, and the answer might get lost.
  private static let farewellBytes = 65_536

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
  private var farewellBytesLeft = Visitor.farewellBytes

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
    if case .underWay(_, let ticket) = question { listener.setWaiting(nil, for: ticket) }
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
    case .farewell:
      farewellBytesLeft -= bytes.count
      return farewellBytesLeft >= 0 ? 0 : -1
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
      var refusal = RequestRefusal(429, "too many connections from your address")
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
    case .request(let head):
      if let refusal = listener.refusal(of: head, from: self) { return refuse(refusal, head) }
      if listener.isSecure, lws_is_ssl(socket) == 0 { return redirect(head) }
      if head.wantsWebSocket { return upgrade(head, socket) }
      ask(head)
    }
  }

  private func ask(_ head: RequestHead) {
    let request = HTTPRequest(
      method: head.method, path: head.path, query: head.query, host: head.host,
      remoteAddress: remoteAddress)
    let (ticket, later) = listener.makeLater()
    switch listener.delegate.respond(to: request, later: later) {
    case .response(let response):
      later.cancel()
      begin(response, head)
    case .later:
      question = .underWay(head, ticket: ticket)
      listener.setWaiting(self, for: ticket)
    case .file:
      later.cancel()
      answerFromFolder(head)
    }
  }

  private func answerFromFolder(_ head: RequestHead) {
    if head.path == listener.filter.path {
      return begin(.text("a WebSocket of \(listener.filter.subprotocol)\n", status: 426), head)
    }
    do throws(RequestRefusal) {
      guard let folder = listener.webFolder else { throw WebFolder.nothingHere }
      let file = try folder.open(head.path)
      decideWhetherLast(head)
      begin(HTTPAnswer(file, knownTag: head["if-none-match"], circumstances(head)))
    } catch {
      begin(.text(error.reason + "\n", status: error.status), head)
    }
  }

  /// The answer that was made elsewhere is here.
  func answerLate(_ response: HTTPResponse) {
    guard case .underWay(let head, _) = question else { return }
    begin(response, head)
    listener.queue(self)
  }

  private func refuse(_ refusal: RequestRefusal, _ head: RequestHead?) {
    var response = HTTPResponse.text(refusal.reason + "\n", status: refusal.status)
    switch refusal.status {
    case 405: response.headers.append(.init("Allow", "GET, HEAD"))
    case 426: response.headers.append(.init("Sec-WebSocket-Version", "13"))
    case 429, 503: response.headers.append(.init("Retry-After", "2"))
    default: break
    }
    isLast = true
    var circumstances = circumstances(head)
    if refusal.isOfHead { circumstances.isHead = true }
    begin(HTTPAnswer(response, circumstances))
  }

  private func redirect(_ head: RequestHead) {
    guard !head.wantsWebSocket else { return refuse(RequestRefusal(403, "use wss://"), head) }
    guard !head.host.isEmpty else { return refuse(RequestRefusal(400, "use https://"), head) }
    let location = "https://\(head.host)\(head.target)"
    var response = HTTPResponse.text("this port speaks https: \(location)\n", status: 308)
    response.headers.append(.init("Location", location))
    isLast = true
    begin(response, head)
  }

  private func begin(_ response: HTTPResponse, _ head: RequestHead?) {
    decideWhetherLast(head)
    begin(HTTPAnswer(response, circumstances(head)))
  }

  private func begin(_ answer: HTTPAnswer) {
    question = nil
    self.answer = answer
    clock.enter(.answer, at: listener.now)
  }

  private func decideWhetherLast(_ head: RequestHead?) {
    isLast =
      isLast || head?.keepsAlive != true
      || clock.isLast(at: listener.now, listener.configuration.traffic)
  }

  private func circumstances(_ head: RequestHead?) -> HTTPAnswer.Circumstances {
    HTTPAnswer.Circumstances(
      host: head?.host ?? "", isHead: head?.isHead == true, isLast: isLast)
  }

  /// The answer is in the kernel's hands: the next request, or goodbye.
  private func finish(_ socket: OpaquePointer) {
    answer = nil
    guard !isLast else {
      clock.enter(.farewell, at: listener.now)
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
    (self.socket, question) = (nil, nil)
    listener.remove(self)
    listener.open(socket, output, from: remoteAddress, addressPrefix)
  }
}
