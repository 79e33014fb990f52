import Glibc
import Synchronization
import Testing

@testable import Transport

/// Listeners behind proxies: whose connections count for whom.
@Suite struct ProxyTests {
  /// The loopback's 127.0.0.1 is a trusted proxy; 127.0.0.2 and all others are not.
  private static func listen(
    _ server: LiveServer = LiveServer(), _ change: (inout ListenerConfiguration) -> Void = { _ in }
  ) throws -> WebSocketListener {
    try server.listen {
      $0.trustedProxies = ["127.0.0.1"]
      change(&$0)
    }
  }

  private static func line(_ address: String) -> String {
    "PROXY TCP4 \(address) 127.0.0.1 1000 8080\r\n"
  }

  @Test func headersAreBelievedFromTrustedPeersOnly() throws {
    let listener = try Self.listen()
    for (source, seen) in [(1, "203.0.113.7"), (2, "127.0.0.2")] as [(UInt8, String)] {
      let client = RawClient(port: listener.port, source: source)
      client.request(
        "/echo", headers: ["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.7"])
      #expect(client.readAnswer().text == "GET  \(seen)")
    }
    let proxy = RawClient(port: listener.port)
    proxy.send(Self.line("203.0.113.9"))
    proxy.request("/echo", headers: ["X-Forwarded-For: 198.51.100.1"])
    #expect(proxy.readAnswer().text == "GET  203.0.113.9", "who is no proxy says nothing")
    let stranger = RawClient(port: listener.port, source: 2)
    stranger.send(Self.line("203.0.113.9"))
    stranger.request("/echo")
    #expect(stranger.readAnswer().status == 400 && stranger.waitForEnd())
    let binary = RawClient(port: listener.port)
    binary.send(ProxyHeaderTests.binary(ProxyHeaderTests.ipv4Body))
    binary.request("/echo")
    #expect(binary.readAnswer().text == "GET  203.0.113.7")
    let other = RawClient(port: listener.port, source: 2)
    other.send(ProxyHeaderTests.binary(ProxyHeaderTests.ipv4Body))
    other.request("/echo")
    #expect(other.readAnswer().status == 400 && other.waitForEnd())
    listener.stop()
  }

  @Test func aHeaderMayComeInPieces() throws {
    let listener = try Self.listen()
    let client = RawClient(port: listener.port)
    for byte in Self.line("203.0.113.7").utf8 {
      client.send([byte])
      usleep(1000)
    }
    client.request("/echo")
    #expect(client.readAnswer().text == "GET  203.0.113.7")
    listener.stop()
  }

  @Test func malformedAndCutHeadersEndTheConnectionAndAreLogged() throws {
    let lines = Log()
    let listener = try Self.listen { $0.log = { line in lines.all.withLock { $0.append(line) } } }
    for text in ["PROXY TCP4 1.2.3.4\r\nGET / HTTP/1.1\r\n", "PROXY TCP5 a b 1 2\r\n"] {
      let client = RawClient(port: listener.port)
      client.send(text)
      #expect(client.readByte() == nil, "\(text)")
    }
    let cut = RawClient(port: listener.port)
    cut.send("PROXY TCP4 203.0")
    cut.endSending()
    #expect(cut.readByte() == nil)
    #expect(lines.all.withLock { $0.count } == 3, "whoever keeps the lines sums them")
    #expect(listener.counts.refusedProxyHeaders.load(ordering: .relaxed) == 3)
    listener.stop()
    let patient = try Self.listen { $0.traffic.firstRequestSeconds = 1 }
    let slow = RawClient(port: patient.port)
    slow.send("PROXY TCP4")
    #expect(RawClient(port: patient.port).waitForEnd() && slow.waitForEnd())
    patient.stop()
  }

  private final class Log: Sendable {
    let all = Mutex<[String]>([])
  }

  @Test func tlsBeginsBehindTheHeader() throws {
    let files = try Certificate.make()
    defer { files.remove() }
    let listener = try Self.listen {
      $0.tls = .init(certificate: files.certificate, key: files.key)
    }
    for header in ["", Self.line("203.0.113.7")] {
      let client = RawClient(port: listener.port)
      client.send(header)
      client.send(TLSClient().hello())
      #expect(client.readByte() == 22, "the server's answer")
    }
    listener.stop()
  }

  @Test func clientsAreThrottledAndTheirProxyIsNot() throws {
    let listener = try Self.listen {
      VisitorTests.letStay(&$0)
      $0.traffic.connectionsPerSecondPerAddress = 1
      $0.traffic.connectionsBurstPerAddress = 3
    }
    for number in 0..<20 {
      let one = RawClient(port: listener.port)
      one.send(Self.line("203.0.113.\(number)"))
      one.request("/echo")
      #expect(one.readAnswer().status == 200, "each has its own share")
      let other = RawClient(port: listener.port)
      other.request("/echo", headers: ["X-Forwarded-For: 198.51.100.\(number)"])
      #expect(other.readAnswer().status == 200)
    }
    let tries = (0..<10).map { _ in
      let client = RawClient(port: listener.port)
      client.send(Self.line("192.0.2.1"))
      client.request("/echo")
      return client.readAnswer().status
    }
    #expect(tries[..<3].allSatisfy { $0 == 200 } && tries.last == 0, "\(tries)")
    let requests = (0..<10).map { _ in
      RawClient.ask("/echo", port: listener.port, headers: ["X-Forwarded-For: 192.0.2.2"]).status
    }
    #expect(requests[..<3].allSatisfy { $0 == 200 } && requests.last == 429, "\(requests)")
    listener.stop()
  }

  @Test func socketsAndVisitorsCountForTheirClient() throws {
    let server = LiveServer()
    let listener = try Self.listen(server) {
      VisitorTests.letStay(&$0)
      $0.maximumConnectionsPerAddress = 2
      $0.traffic.visitorsPerAddress = 3
    }
    func player(_ address: String) -> (client: RawClient, status: Int) {
      let client = RawClient(port: listener.port)
      client.send(Self.line(address))
      return (client, client.shakeHands().status)
    }
    let players = ["203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.2"].map(player)
    #expect(players.map(\.status) == [101, 101, 429, 101])
    eventually("both clients are known") {
      server.state.withLock { $0.addresses } == ["203.0.113.1", "203.0.113.2"]
    }
    // Ten kept connections of the proxy, on which one client has asked: none has to go, because
    // between two requests they are nobody's.
    let kept = (0..<10).map { _ in RawClient(port: listener.port) }
    for client in kept {
      client.request("/echo", headers: ["X-Forwarded-For: 203.0.113.3"])
      #expect(client.readAnswer().status == 200)
    }
    #expect(kept.allSatisfy { !$0.isEnded() })
    // While they ask they are: of four requests at once, the longest idle makes room.
    for client in kept[..<4] {
      client.request("/later", headers: ["X-Forwarded-For: 203.0.113.4"])
    }
    eventually("one has made room") { kept.count { $0.isEnded() } == 1 }
    withExtendedLifetime((players, kept)) {}
    listener.stop()
  }

  @Test func keptConnectionsServeOneClientAfterTheOther() throws {
    let listener = try Self.listen {
      $0.traffic.requestsPerSecondPerAddress = 1
      $0.traffic.requestsBurstPerAddress = 5
    }
    let proxy = RawClient(port: listener.port)
    for number in 0..<50 {
      proxy.request("/echo", headers: ["X-Forwarded-For: 203.0.113.\(number)"])
      #expect(proxy.readAnswer().text == "GET  203.0.113.\(number)")
    }
    var statuses: [Int] = []
    for _ in 0..<10 {
      proxy.request("/echo", headers: ["X-Forwarded-For: 192.0.2.2"])
      statuses.append(proxy.readAnswer().status)
    }
    #expect(statuses[..<5].allSatisfy { $0 == 200 } && statuses.contains(429), "\(statuses)")
    listener.stop()
  }
}
