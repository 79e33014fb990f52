import Testing

@testable import Transport

@Suite struct HandshakeTests {
  @Test func needsPathSubprotocolAndOrigin() throws {
    let server = LiveServer()
    let listener = try server.listen()
    let port = listener.port
    func status(
      path: String = "/ws", subprotocol: String? = "stickerpit.v1", origin: String? = nil
    ) -> Int {
      RawClient(port: port).shakeHands(path: path, subprotocol: subprotocol, origin: origin).status
    }
    #expect(status() == 101)
    #expect(status(subprotocol: "chat, stickerpit.v1") == 101)
    #expect(status(origin: "http://127.0.0.1") == 101, "the page of this host")
    #expect(status(path: "/other") == 404)
    #expect(status(subprotocol: "stickerpit.v2") == 400)
    #expect(status(subprotocol: nil) == 400)
    #expect(status(subprotocol: "a descriptor") == 400)
    #expect(status(subprotocol: "plain http, a descriptor") == 400)
    #expect(status(origin: "http://evil.example") == 403)
    #expect(status(subprotocol: nil, origin: "http://evil.example") == 400)
    #expect(status(origin: "null") == 403)
    eventually("three are open") { server.state.withLock { $0.opened == 3 } }
    listener.stop()
  }

  @Test func clientsLearnWhyTheyWereRefused() throws {
    let server = LiveServer()
    let listener = try server.listen { $0.allowedOrigins = ["https://pit.example"] }
    let (good, bad, other) = (LiveBots(), LiveBots(), LiveBots())
    let pools = [
      try good.connect(to: listener, origin: "https://pit.example"),
      try bad.connect(to: listener, origin: "https://evil.example"),
      try other.connect(to: listener, subprotocol: "stickerpit.v9"),
    ]
    eventually("one opens") { good.state.withLock { $0.opened.count == 1 } }
    eventually("one fails") { bad.state.withLock { $0.failed[0] != nil } }
    eventually("another fails") { other.state.withLock { $0.failed[0] != nil } }
    #expect(bad.state.withLock { $0.failed[0] } == .handshakeRejected(status: 403))
    #expect(other.state.withLock { $0.failed[0] } == .handshakeRejected(status: 400))
    for pool in pools { pool.stop() }
    listener.stop()
  }

  @Test func originIsComparedWithTheHost() {
    let filter = HandshakeFilter(path: "/ws", subprotocol: "s", allowedOrigins: [])
    func allows(_ origin: String, _ host: String) -> Bool {
      let lines = [
        "GET /ws HTTP/1.1", "Host: \(host)", "Origin: \(origin)", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: s",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
      ]
      guard let head = try? RequestHead(Array(lines.joined(separator: "\r\n").utf8)) else {
        return false
      }
      return filter.refusal(of: head) == nil
    }
    #expect(allows("https://Pit.example:8443", "pit.example:8443"))
    #expect(!allows("https://pit.example", "pit.example:8443"))
    #expect(!allows("https://pit.example.evil", "pit.example"))
    #expect(!allows("file://pit.example", "pit.example"))
  }

  @Test func addressesOfServersAreParsed() throws {
    let plain = try ClientURL("ws://localhost:8080/ws?a=b")
    #expect(plain.host == "localhost" && plain.port == 8080 && plain.path == "/ws?a=b")
    #expect(plain.authority == "localhost:8080" && !plain.isSecure)
    let secure = try ClientURL("wss://[::1]")
    #expect(secure.host == "::1" && secure.port == 443 && secure.path == "/" && secure.isSecure)
    #expect(secure.authority == "[::1]")
    for bad in [
      "http://x", "ws://", "ws://:80", "ws://x:0", "ws://x:99999", "ws://a b", "ws://u@x",
    ] {
      #expect(throws: TransportError.invalidURL(bad)) { try ClientURL(bad) }
    }
  }
}
