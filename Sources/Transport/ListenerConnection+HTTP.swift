import CLibWebSockets

/// Plain HTTP: the delegate's answers first, then the web folder.
extension ListenerConnection {
  /// Answers a request.
  ///
  /// - Returns: 0 to keep the socket, -1 to close it.
  func answer(_ socket: OpaquePointer, path: UnsafeMutableRawPointer?, length: Int) -> Int32 {
    let path = String(
      decoding: UnsafeRawBufferPointer(start: path, count: length).prefix { $0 != 0 }, as: UTF8.self
    )
    let method = RequestHeaders.method(socket)
    guard method != "other" else {
      _ = write(.text("only GET and HEAD\n", status: 405), to: socket, isHead: false)
      return -1
    }
    let request = HTTPRequest(
      method: method, path: path, query: RequestHeaders.query(socket),
      host: RequestHeaders.text(socket, WSI_TOKEN_HOST), remoteAddress: remoteAddress)
    let isHead = method == "HEAD"
    if listener.isSecure, lws_is_ssl(socket) == 0 {
      return finish(socket, write(redirect(request), to: socket, isHead: isHead))
    }
    let (ticket, later) = listener.makeLater(for: self)
    switch listener.delegate.respond(to: request, later: later) {
    case .response(let response):
      later.cancel()
      return finish(socket, write(response, to: socket, isHead: isHead))
    case .later:
      self.socket = socket
      waitsFor = (ticket, isHead)
      listener.setWaiting(self, for: ticket)
      // For whoever makes the answer; the visitor has nothing to do meanwhile.
      lws_set_timeout(socket, PENDING_TIMEOUT_HTTP_CONTENT, 30)
      return 0
    case .file:
      later.cancel()
    }
    if path == listener.configuration.socketPath {
      let response = HTTPResponse.text(
        "a WebSocket of \(listener.filter.subprotocol)\n", status: 426)
      return finish(socket, write(response, to: socket, isHead: isHead))
    }
    guard let file = listener.webFolder?.open(path) else {
      let response = HTTPResponse.text("nothing is here\n", status: 404)
      return finish(socket, write(response, to: socket, isHead: isHead))
    }
    return send(file, to: socket, host: request.host, isHead: isHead)
  }

  /// The answer that was made elsewhere is here.
  func answerLate(_ response: HTTPResponse) {
    guard let socket, let waitsFor else { return }
    self.waitsFor = nil
    guard finish(socket, write(response, to: socket, isHead: waitsFor.isHead)) != 0 else { return }
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
  }

  /// Writes a whole answer.
  ///
  /// - Returns: whether the socket took it.
  func write(_ response: HTTPResponse, to socket: OpaquePointer, isHead: Bool) -> Bool {
    var head = HTTPHead(status: response.status, contentLength: response.body.count)
    head.add("Content-Type", response.contentType)
    head.add("Cache-Control", "no-store")
    head.addSecurity(host: RequestHeaders.text(socket, WSI_TOKEN_HOST))
    for header in response.headers { head.add(header.name, header.value) }
    head.finish()
    return writeBytes(isHead ? head.bytes : head.bytes + response.body, to: socket)
  }

  private func redirect(_ request: HTTPRequest) -> HTTPResponse {
    guard HTTPHead.isHost(request.host) else { return .text("use https://\n", status: 400) }
    let query = request.query.isEmpty ? "" : "?" + request.query
    let path = String(
      request.path.utf8.map { Self.isPlain($0) ? String(UnicodeScalar($0)) : Self.escaped($0) }
        .joined())
    let location = "https://\(request.host)\(path)\(query)"
    return HTTPResponse(
      status: 308, contentType: "text/plain; charset=utf-8",
      body: Array("this port speaks https: \(location)\n".utf8),
      headers: [.init("Location", location)])
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 32 && byte < 127 && !Array("%?#\"<>\\^`{|}".utf8).contains(byte)
  }

  private static func escaped(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + (digits.count == 1 ? "0" + digits : digits)
  }

  // MARK: Files

  private func send(
    _ file: WebFolder.File, to socket: OpaquePointer, host: String, isHead: Bool
  ) -> Int32 {
    let download = FileDownload(file)
    let isKnown = RequestHeaders.text(socket, WSI_TOKEN_HTTP_IF_NONE_MATCH) == file.entityTag
    var head = HTTPHead(status: isKnown ? 304 : 200, contentLength: file.size)
    head.add("Content-Type", file.contentType)
    head.add("ETag", file.entityTag)
    // Kept by the browser but asked about each time: page and module must be of one version.
    head.add("Cache-Control", "no-cache")
    head.addSecurity(host: host)
    head.finish()
    let isWritten = writeBytes(head.bytes, to: socket)
    guard isWritten, !isKnown, !isHead, file.size > 0 else { return finish(socket, isWritten) }
    self.download = download
    lws_callback_on_writable(socket)
    return 0
  }

  /// The socket takes more of the file.
  func continueDownload(_ socket: OpaquePointer) -> Int32 {
    guard let download else { return 0 }
    // The time out is for a visitor who takes nothing, not for a large file.
    lws_set_timeout(socket, PENDING_TIMEOUT_HTTP_CONTENT, 15)
    switch download.writePiece(to: socket, buffer: listener.scratch) {
    case .more:
      lws_callback_on_writable(socket)
      return 0
    case .done:
      self.download = nil
      return finish(socket, true)
    case .failed:
      self.download = nil
      return -1
    }
  }

  private func writeBytes(_ bytes: [UInt8], to socket: OpaquePointer) -> Bool {
    let frame = OutgoingFrame(copying: bytes)
    return Int(lws_write(socket, frame.payload, frame.count, LWS_WRITE_HTTP)) >= frame.count
  }

  /// Lets the visitor ask for more, or ends the socket when it cannot be kept.
  private func finish(_ socket: OpaquePointer, _ isWritten: Bool) -> Int32 {
    isWritten && lws_http_transaction_completed(socket) == 0 ? 0 : -1
  }
}
