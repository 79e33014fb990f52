import CLibWebSockets

/// Decides whether a request may become a WebSocket, and answers the handshake of RFC 6455 §4.2.
struct HandshakeFilter {
  let path: String
  let subprotocol: String
  let allowedOrigins: [String]

  /// `nil` when the handshake may go on.
  func refusal(of request: RequestHead) -> RequestRefusal? {
    guard request.path == path else {
      return RequestRefusal(404, "WebSockets are at \(path)")
    }
    guard request.method == "GET", request.isVersion11 else {
      return RequestRefusal(400, "a WebSocket begins with a GET of HTTP/1.1")
    }
    guard request["sec-websocket-version"] == "13" else {
      return RequestRefusal(426, "the WebSocket version must be 13")
    }
    guard Self.isKey(request["sec-websocket-key"]) else {
      return RequestRefusal(400, "the key must be 16 bytes in base64")
    }
    guard request.offers(subprotocol) else {
      return RequestRefusal(400, "the subprotocol must be \(subprotocol)")
    }
    guard allows(origin: request["origin"], host: request.host) else {
      return RequestRefusal(403, "this origin may not connect")
    }
    return nil
  }

  /// The answer that opens the WebSocket.
  func acceptance(of request: RequestHead) -> [UInt8] {
    let lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(Self.acceptKey(for: request["sec-websocket-key"]))",
      "Sec-WebSocket-Protocol: \(subprotocol)", "", "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// Sixteen bytes in base64 are 22 characters, the last of which holds two bits, and two signs.
  static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[22...].elementsEqual("==".utf8) else { return false }
    let isBase64 = bytes[..<22].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return isBase64 && "AQgw".utf8.contains(bytes[21])
  }

  /// The proof that a WebSocket server read the key.
  static func acceptKey(for key: String) -> String {
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var hash = [UInt8](repeating: 0, count: 20)
    lws_SHA1(text, text.count, &hash)
    // 28 characters and a zero.
    var encoded = [CChar](repeating: 0, count: 32)
    let count = hash.withUnsafeBytes { hash in
      lws_b64_encode_string(
        hash.baseAddress!.assumingMemoryBound(to: CChar.self), Int32(hash.count), &encoded,
        Int32(encoded.count))
    }
    precondition(count == 28, "SHA-1 in base64 has 28 characters")
    return String(decoding: encoded[..<28].map(UInt8.init), as: UTF8.self)
  }

  /// Whether a browser says that a page of another origin sent the request. Who asks for something
  /// without being a browser says neither.
  func isCrossSite(_ request: RequestHead) -> Bool {
    guard allows(origin: request["origin"], host: request.host) else { return true }
    return !["", "same-origin", "none"].contains(request["sec-fetch-site"])
  }

  /// A browser always names the origin of the page. It must be the host that it connects to, which
  /// is a trusted name, or one of the list, so that a foreign page cannot use its visitors' access
  /// to this server.
  private func allows(origin: String, host: String) -> Bool {
    if origin.isEmpty { return true }
    if allowedOrigins.contains(origin) { return true }
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
    }
    return false
  }
}

extension HandshakeFilter {
  init(_ configuration: ListenerConfiguration) {
    self.init(
      path: configuration.socketPath, subprotocol: configuration.subprotocol,
      allowedOrigins: configuration.allowedOrigins)
  }
}

extension RequestHead {
  /// Subprotocols are compared in their case, unlike other words of headers.
  fileprivate func offers(_ subprotocol: String) -> Bool {
    self["sec-websocket-protocol"].split(separator: ",").contains {
      Self.trimmed($0) == subprotocol
    }
  }
}
