import Foundation
import Glibc
import SeededChance
import Testing

@testable import Transport

/// What no proper HTTP client sends, over real sockets.
@Suite struct HostileHTTPTests {
  @Test func lastHeadersWithNamesThatBeginLikeKnownOnesAreAnswered() throws {
    let listener = try LiveServer().listen()
    for name in ["X", "X-A", "H", "Sec-WebSocket", "Content"] {
      #expect(RawClient.ask("/healthz", port: listener.port, headers: ["\(name): 1"]).status == 200)
    }
    listener.stop()
  }

  @Test func otherMethodsAreRefusedOnceAndHungUpOn() throws {
    let listener = try LiveServer().listen()
    for method in ["CONNECT", "POST", "PUT", "OPTIONS", "TRACE", "PRI", "BREW"] {
      let client = RawClient(port: listener.port)
      client.request("/healthz", method: method)
      client.request("/healthz")
      let answer = client.readAnswer()
      #expect(answer.status == 405 && answer.headers["connection"] == "close", "\(method)")
      #expect(answer.headers["allow"] == "GET, HEAD")
      #expect(client.readAnswer().status == 0, "one answer, and the end")
    }
    listener.stop()
  }

  @Test(arguments: [
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nGET ", 413),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nX : a\r\n\r\n", 400), ("GET /healthz HTTP/1.1\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\nHost: a\n\n", 400), ("\u{16}\u{3}\u{1}", 400), ("\0", 400),
  ])
  func whatAProxyMightReadDifferentlyEndsTheSocket(text: String, status: Int) throws {
    let server = LiveServer()
    let listener = try server.listen { $0.allowedHosts = ["a"] }
    let client = RawClient(port: listener.port)
    client.send(text + "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    let answer = client.readAnswer()
    #expect(answer.status == status && answer.headers["connection"] == "close")
    #expect(client.readAnswer().status == 0, "what follows is never read")
    listener.stop()
  }

  @Test func anUnknownUpgradeIsIgnoredOnceAlsoOnAKeptSocket() throws {
    let listener = try LiveServer().listen()
    let client = RawClient(port: listener.port)
    for _ in 0..<3 {
      client.request("/healthz")
      #expect(client.readAnswer().text == "{\"ok\":true}")
      client.request("/healthz", headers: ["Connection: Upgrade", "Upgrade: foo"])
      #expect(client.readAnswer().text == "{\"ok\":true}")
    }
    listener.stop()
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let listener = try LiveServer().listen()
    let client = RawClient(port: listener.port)
    let requests = (0..<100).map { "GET /echo?\($0) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" }.joined()
    client.send(requests)
    for number in 0..<100 {
      #expect(client.readAnswer().text == "GET \(number) 127.0.0.1")
    }
    listener.stop()
  }

  /// A file, the start of a second request, and a visitor who reads nothing.
  @Test func whoReadsNothingCostsNothing() throws {
    let root = try HTTPTests.makeFolder()
    defer { try? FileManager.default.removeItem(at: root) }
    let web = root.appending(path: "web")
    try Data(count: 64 << 20).write(to: web.appending(path: "huge.png"))
    let server = LiveServer()
    let listener = try server.listen { $0.webFolder = web.path }
    let client = RawClient(port: listener.port, receiveBufferBytes: 4096)
    client.send("GET /huge.png HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /heal")
    // Until the kernel takes no more of it.
    eventually("the answer stands still") {
      let turns = listener.turnCount
      usleep(600_000)
      return listener.turnCount - turns < 20
    }
    let (start, turns) = (MonotonicClock.nanoseconds(), listener.turnCount)
    for number in 1...30 {
      listener.wake()
      eventually("woken") { server.state.withLock { $0.wakes >= number } }
    }
    // Each wake-up and each housekeeping takes two turns of the loop; four are granted.
    let quarters = (MonotonicClock.nanoseconds() - start) / ServiceLoop.housekeepingNanoseconds + 1
    #expect(listener.turnCount - turns <= 4 * (30 + quarters))
    listener.stop()
  }

  @Test func onlyTrustedNamesAreAnswered() throws {
    let server = LiveServer()
    let listener = try server.listen { $0.allowedHosts = ["pit.example"] }
    func status(_ host: String, _ path: String, _ headers: String = "") -> RawClient.Answer {
      let client = RawClient(port: listener.port)
      client.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(headers)\r\n")
      return client.readAnswer()
    }
    let handshake =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: stickerpit.v1\r\n"
    #expect(status("pit.example:80", "/healthz").status == 200)
    #expect(status("pit.example:80", "/ws", handshake).status == 101)
    #expect(status("evil.example", "/ws", handshake).status == 421)
    let rebound = handshake + "Origin: http://evil.example\r\n"
    #expect(status("evil.example", "/ws", rebound).status == 421)
    let answer = status("evil.example", "/healthz")
    #expect(answer.status == 421 && answer.text.contains("--allowed-host evil.example"))
    listener.stop()
  }

  @Test func anAddressThatAsksTooOftenIsTold() throws {
    let server = LiveServer()
    let listener = try server.listen {
      $0.traffic.requestsPerSecondPerAddress = 1
      $0.traffic.requestsBurstPerAddress = 5
    }
    let client = RawClient(port: listener.port)
    for _ in 0..<5 {
      client.request("/healthz")
      #expect(client.readAnswer().status == 200)
    }
    var answer = RawClient.Answer()
    eventually("it is told") {
      answer = RawClient.ask("/healthz", port: listener.port)
      return answer.status == 429
    }
    #expect(answer.headers["retry-after"] == "2")
    let other = RawClient(port: listener.port, source: 2)
    other.request("/healthz")
    #expect(other.readAnswer().status == 200, "another address")
    listener.stop()
  }

  @Test func aRefusedHeadGetsNoBody() throws {
    let listener = try LiveServer().listen()
    for header in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
      let client = RawClient(port: listener.port)
      client.request("/healthz", method: "HEAD", headers: [header])
      let answer = client.readAnswer(isHead: true)
      #expect([400, 413].contains(answer.status) && answer.headers["content-length"] != "0")
      #expect(client.readByte() == nil, "nothing follows the head")
    }
    listener.stop()
  }

  @Test func randomBytesHurtNobody() throws {
    let server = LiveServer()
    let listener = try server.listen()
    let honest = RawClient(port: listener.port)
    #expect(honest.shakeHands().status == 101)
    var chance = Chance(seed: 13)
    for _ in 0..<200 {
      let client = RawClient(port: listener.port)
      client.send(chance.bytes(1...2000))
    }
    honest.sendFrame(2, [1, 2, 3])
    #expect(honest.readFrame()?.payload == [1, 2, 3])
    #expect(RawClient.ask("/healthz", port: listener.port).status == 200)
    listener.stop()
  }
}
