/// What a request gets. Here it is decided; a ``Visitor`` sends it.
enum RequestOutcome {
  /// An answer that says why not; the socket closes after it.
  case refused(RequestRefusal)
  /// An answer that is made already, and whether the socket closes after it.
  case response(HTTPResponse, isLast: Bool)
  /// A file, open for this answer: whoever sends it closes it.
  case file(WebFolder.File)
  /// An answer that is made elsewhere and comes under this ticket.
  case later(ticket: UInt64)
  /// It asks for a WebSocket, which the visitor sees to.
  case webSocket
}

extension WebSocketListener {
  /// Decides what a request gets.
  ///
  /// - Parameter isEncrypted: whether it came over TLS.
  func outcome(of head: RequestHead, from visitor: Visitor, isEncrypted: Bool) -> RequestOutcome {
    if let refusal = self.refusal(of: head, from: visitor) { return .refused(refusal) }
    if isSecure, !isEncrypted { return redirect(head) }
    if head.wantsWebSocket { return .webSocket }
    let request = HTTPRequest(
      method: head.method, path: head.path, query: head.query, host: head.host,
      remoteAddress: visitor.remoteAddress, authorization: head["authorization"],
      userAgent: head["user-agent"], isCrossSite: filter.isCrossSite(head))
    let (ticket, later) = makeLater()
    let reply =
      head.isPost
      ? delegate.act(on: request, later: later) : delegate.respond(to: request, later: later)
    switch reply {
    case .response(let response):
      later.cancel()
      return .response(response, isLast: false)
    case .later:
      return .later(ticket: ticket)
    case .file:
      later.cancel()
      return head.isPost ? .refused(.onlyReading) : answerFromFolder(head)
    }
  }

  /// What a visitor is told who forgot the `https`.
  private func redirect(_ head: RequestHead) -> RequestOutcome {
    guard !head.wantsWebSocket else { return .refused(RequestRefusal(403, "use wss://")) }
    guard !head.host.isEmpty else { return .refused(RequestRefusal(400, "use https://")) }
    // Who is led on silently goes on telling everybody on the way.
    guard head["authorization"].isEmpty else {
      return .refused(RequestRefusal(403, "use https://: what you sent could be read on the way"))
    }
    let location = "https://\(head.host)\(head.target)"
    var response = HTTPResponse.text("this port speaks https: \(location)\n", status: 308)
    response.headers.append(.init("Location", location))
    return .response(response, isLast: true)
  }

  private func answerFromFolder(_ head: RequestHead) -> RequestOutcome {
    guard head.path != filter.path else {
      let text = "a WebSocket of \(filter.subprotocol)\n"
      return .response(.text(text, status: 426), isLast: false)
    }
    do throws(RequestRefusal) {
      guard let folder = webFolder else { throw WebFolder.nothingHere }
      return .file(try folder.open(head.path, acceptsGzip: head.acceptsGzip))
    } catch {
      // Other files may be there: the socket is kept for them.
      return .response(error.response, isLast: false)
    }
  }
}

/// Why a request is refused: the status and the text of the answer.
struct RequestRefusal: Error, Equatable {
  let status: Int
  let reason: String
  /// Whether the request was a HEAD, whose answer has no body.
  var isOfHead = false

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static let tooManyConnections = RequestRefusal(429, "too many connections from your address")
  static let onlyReading = RequestRefusal(405, "only GET and HEAD")

  /// The answer, with what a client needs to know for doing better.
  var response: HTTPResponse {
    var response = HTTPResponse.text(reason + "\n", status: status)
    switch status {
    case 405: response.headers.append(.init("Allow", "GET, HEAD"))
    case 426: response.headers.append(.init("Sec-WebSocket-Version", "13"))
    case 429, 503: response.headers.append(.init("Retry-After", "2"))
    default: break
    }
    return response
  }
}
