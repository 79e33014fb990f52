import SeededChance
import Testing

@testable import Transport

/// What no proper WebSocket client sends, over real sockets.
@Suite struct HostileWebSocketTests {
  static func open(_ listener: WebSocketListener, source: UInt8 = 1) -> RawClient {
    let client = RawClient(port: listener.port, source: source)
    #expect(client.shakeHands().status == 101)
    return client
  }

  /// The close frame, after whatever came before it.
  static func closeFrame(_ client: RawClient) -> RawClient.Frame? {
    while let frame = client.readFrame() {
      if frame.opcode == 8 { return frame }
    }
    return nil
  }

  @Test(
    arguments: [
      ([0x82, 0x01, 65], .protocolError), ([0x82, 0xfe, 0, 1, 1, 2, 3, 4, 65], .protocolError),
      ([0xc2, 0x80, 1, 2, 3, 4], .protocolError), ([0x83, 0x80, 1, 2, 3, 4], .protocolError),
      ([0x09, 0x80, 1, 2, 3, 4], .protocolError), ([0x89, 0xfe, 0, 126], .protocolError),
      ([0x88, 0x81, 0, 0, 0, 0, 3], .protocolError),
      ([0x88, 0x82, 0, 0, 0, 0, 3, 0xed], .protocolError),
      ([0x80, 0x80, 1, 2, 3, 4], .protocolError),
      ([0x88, 0x83, 0, 0, 0, 0, 3, 0xe8, 0xff], .invalidPayload),
    ] as [([UInt8], CloseCode)])
  func whoBreaksTheProtocolIsClosed(bytes: [UInt8], code: CloseCode) throws {
    let server = LiveServer()
    let listener = try server.listen()
    let client = Self.open(listener)
    client.send(bytes + [0x82, 0x81, 0, 0, 0, 0, 77])
    #expect(client.readFrame()?.closeCode == code)
    #expect(client.waitForEnd())
    eventually("the delegate hears") { server.state.withLock { $0.closed == 1 } }
    #expect(server.state.withLock { $0.received.isEmpty }, "nothing after it is read")
    listener.stop()
  }

  @Test func handshakesAreHeldToTheRules() throws {
    let server = LiveServer()
    let listener = try server.listen()
    func client() -> RawClient { RawClient(port: listener.port) }
    #expect(
      client().shakeHands(upgrade: "WebSocket", connection: "keep-alive, upgrade").status == 101)
    #expect(client().shakeHands(key: "k").status == 400)
    #expect(client().shakeHands(key: "dGhlIHNhbXBsZSBub25jZQ").status == 400)
    let old = client().shakeHands(version: "8")
    #expect(old.status == 426 && old.headers["sec-websocket-version"] == "13")
    #expect(client().shakeHands(connection: "keep-alive").status == 426, "no upgrade is asked for")
    #expect(client().shakeHands(upgrade: "h2c").status == 426)
    let early = client()
    let handshake = [
      "GET /ws HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: stickerpit.v1", "", "",
    ].joined(separator: "\r\n")
    early.send(Array(handshake.utf8) + [0x82, 0x81, 0, 0, 0, 0, 77])
    #expect(early.readAnswer().status == 400, "data before the answer")
    #expect(early.waitForEnd())
    for (from, to) in [("GET ", "HEAD "), ("HTTP/1.1", "HTTP/1.0")] {
      let other = client()
      other.send(handshake.replacing(from, with: to, maxReplacements: 1))
      #expect(other.readAnswer(isHead: true).status == 400)
    }
    #expect(server.state.withLock { $0.opened } == 1)
    listener.stop()
  }

  @Test func floodsOfFramesAndBytesAreClosedInWords() throws {
    let server = LiveServer(echoes: false)
    let listener = try server.listen {
      $0.traffic.framesBurst = 100
      $0.traffic.framesPerSecond = 1
      $0.traffic.bytesBurst = 20_000
      $0.traffic.bytesPerSecond = 1000
    }
    let honest = Self.open(listener, source: 2)
    for (first, payload) in [
      (0x89, []), (0x8a, []), (0x82, [1]), (0x89, [1, 2, 3]),
    ] as [(UInt8, [UInt8])] {
      let client = Self.open(listener)
      client.send((0..<200).flatMap { _ in WebSocketReaderTests.frame(first, payload) })
      let close = Self.closeFrame(client)
      #expect(close?.closeCode == .policy)
      #expect(close?.payload.dropFirst(2).elementsEqual("too many frames".utf8) == true)
    }
    let empty = Self.open(listener)
    empty.send(WebSocketReaderTests.frame(0x02, []))
    empty.send((0..<200).flatMap { _ in WebSocketReaderTests.frame(0x00, []) })
    #expect(Self.closeFrame(empty)?.closeCode == .policy)
    let large = Self.open(listener)
    large.send((0..<150).flatMap { _ in WebSocketReaderTests.frame(0x82, Array(0..<128)) })
    let close = Self.closeFrame(large)
    #expect(close?.payload.dropFirst(2).starts(with: "too many".utf8) == true)
    server.broadcast([5], listener)
    #expect(honest.readFrame()?.payload == [5], "the others notice nothing")
    listener.stop()
  }

  /// Hundreds of connections of one address could keep the thread busy with them.
  @Test(arguments: [0x89, 0x8a] as [UInt8])
  func floodsOfPingsAndPongsAreClosed(first: UInt8) throws {
    let server = LiveServer()
    let listener = try server.listen {
      $0.traffic.controlsBurst = 20
      $0.traffic.controlsPerSecond = 1
    }
    let client = Self.open(listener)
    client.send((0..<21).flatMap { _ in WebSocketReaderTests.frame(first, [1, 2]) })
    let close = Self.closeFrame(client)
    #expect(close?.closeCode == .policy)
    #expect(close?.payload.dropFirst(2).elementsEqual("too many pings and pongs".utf8) == true)
    // Messages are another thing.
    let other = Self.open(listener)
    other.send((0..<50).flatMap { _ in WebSocketReaderTests.frame(0x82, [1]) })
    eventually("all were taken") { server.state.withLock { $0.received.count == 50 } }
    listener.stop()
  }

  @Test func aStandstillIsForgiven() throws {
    let server = LiveServer(echoes: false)
    let listener = try server.listen {
      $0.traffic.framesBurst = 100
      $0.traffic.framesPerSecond = 100
    }
    let client = Self.open(listener)
    server.state.withLock { $0.pause = 2_000_000 }
    listener.wake()
    eventually("it stands still") { server.state.withLock { $0.wakes > 0 } }
    client.send((0..<290).flatMap { _ in WebSocketReaderTests.frame(0x82, [1]) })
    eventually("all were taken") { server.state.withLock { $0.received.count == 290 } }
    #expect(server.state.withLock { $0.closed } == 0)
    listener.stop()
  }

  @Test func pingsInALumpAreAnsweredOnce() throws {
    let listener = try LiveServer().listen()
    let client = Self.open(listener)
    client.send((UInt8(0)..<50).flatMap { WebSocketReaderTests.frame(0x89, [$0]) })
    var pongs: [UInt8] = []
    while pongs.last != 49, let frame = client.readFrame() {
      #expect(frame.opcode == 10 && frame.payload.count == 1)
      pongs += frame.payload
    }
    #expect(pongs.count <= 50 && pongs == pongs.sorted())
    listener.stop()
  }

  @Test func randomFramesHurtNobody() throws {
    let server = LiveServer()
    let listener = try server.listen()
    let honest = Self.open(listener)
    var chance = Chance(seed: 14)
    for _ in 0..<100 {
      let client = Self.open(listener)
      client.send(chance.bytes(1...500))
    }
    honest.sendFrame(2, [1, 2, 3])
    #expect(honest.readFrame()?.payload == [1, 2, 3])
    listener.stop()
  }
}
