import Testing

@testable import Transport

@Suite struct TLSTests {
  @Test func echoesOverTLSAndRefusesStrangers() throws {
    let files = try Certificate.make()
    defer { files.remove() }
    let keyframe = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 5) }
    let (server, bots, strict) = (LiveServer(), LiveBots(greetings: [[1], [2, 3]]), LiveBots())
    let listener = try server.listen {
      $0.tls = .init(certificate: files.certificate, key: files.key)
    }
    let clients = try bots.connect(to: listener, scheme: "wss", acceptsAnyCertificate: true)
    eventually("both echoes") { bots.state.withLock { $0.received[0] == [[1], [2, 3]] } }
    server.broadcast(keyframe, listener)
    eventually("the keyframe") { bots.state.withLock { $0.received[0]?.last == keyframe } }
    let others = try strict.connect(to: listener, scheme: "wss")
    eventually("refused") { strict.state.withLock { $0.failed[0] != nil } }
    guard case .connectionFailed = strict.state.withLock({ $0.failed[0] }) else {
      Issue.record("\(strict.state.withLock { "\($0.failed)" })")
      return
    }
    clients.stop()
    others.stop()
    listener.stop()
  }

  @Test func plainRequestsAreSentToHTTPS() throws {
    let files = try Certificate.make()
    defer { files.remove() }
    let server = LiveServer()
    let listener = try server.listen {
      $0.tls = .init(certificate: files.certificate, key: files.key)
    }
    let answer = RawClient.ask("/stage%20one?x=1", port: listener.port)
    #expect(answer.status == 308)
    #expect(answer.headers["location"] == "https://127.0.0.1/stage%20one?x=1")
    #expect(RawClient.ask("/healthz", port: listener.port).status == 308)
    #expect(RawClient(port: listener.port).shakeHands().status == 403, "no plain WebSocket")
    #expect(server.state.withLock { $0.opened } == 0)
    listener.stop()
  }
}
