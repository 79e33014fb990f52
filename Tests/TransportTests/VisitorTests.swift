import Foundation
import Glibc
import Testing

@testable import Transport

/// How long visitors may stay, and how many of them.
@Suite struct VisitorTests {
  /// Nobody's time runs out while a slow machine runs a test of something else.
  static func letStay(_ configuration: inout ListenerConfiguration) {
    configuration.traffic.firstRequestSeconds = 1000
    configuration.traffic.idleSeconds = 1000
    configuration.traffic.visitSeconds = 1000
  }

  @Test func slowRequestsEnd() throws {
    let listener = try LiveServer().listen {
      $0.traffic.firstRequestSeconds = 1
      $0.traffic.requestSeconds = 1
      $0.traffic.idleSeconds = 1
    }
    let silent = RawClient(port: listener.port)
    let slow = RawClient(port: listener.port)
    slow.send("GET /healthz HT")
    let idle = RawClient(port: listener.port)
    idle.request("/healthz")
    let second = RawClient(port: listener.port)
    second.request("/healthz")
    second.send("GET /healthz HT")
    #expect(idle.readAnswer().status == 200 && second.readAnswer().status == 200)
    #expect(silent.waitForEnd() && slow.waitForEnd() && idle.waitForEnd() && second.waitForEnd())
    listener.stop()
  }

  @Test func drippingOfARequestDoesNotProlongIt() throws {
    let listener = try LiveServer().listen { $0.traffic.firstRequestSeconds = 1 }
    let client = RawClient(port: listener.port)
    client.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
    eventually("it is hung up on") {
      client.send("a")
      return client.isEnded()
    }
    listener.stop()
  }

  @Test func whoTakesAnAnswerTooSlowlyIsGivenUp() throws {
    let root = try HTTPTests.makeFolder()
    defer { try? FileManager.default.removeItem(at: root) }
    let web = root.appending(path: "web")
    try Data(count: 64 << 20).write(to: web.appending(path: "huge.png"))
    let listener = try LiveServer().listen {
      $0.webFolder = web.path
      $0.traffic.slownessSeconds = 2
      $0.traffic.visitSeconds = 1
    }
    let stuck = RawClient(port: listener.port, receiveBufferBytes: 4096)
    stuck.request("/huge.png")
    let reading = RawClient(port: listener.port)
    reading.request("/huge.png")
    // Longer than a visit, wherever the looks at the clocks fall, and far shorter than the time in
    // which some of an answer must be taken.
    usleep(1_500_000)
    let answer = reading.readAnswer()
    #expect(answer.status == 200 && answer.body.count == 64 << 20, "longer than a visit may be")
    _ = stuck
    eventually("given up") { listener.visitorCount == 0 }
    listener.stop()
  }

  @Test func visitorsFillTheirOwnPoolOnly() throws {
    let server = LiveServer()
    let listener = try server.listen {
      Self.letStay(&$0)
      $0.traffic.visitors = 8
      $0.traffic.visitorsPerAddress = 4
    }
    let player = RawClient(port: listener.port)
    #expect(player.shakeHands().status == 101)
    var silent: [RawClient] = []
    for number in 0..<20 {
      silent.append(RawClient(port: listener.port, source: UInt8(2 + number)))
    }
    eventually("the pool is full") { listener.visitorCount == 8 }
    let accepted = RawClient(port: listener.port, source: 99)
    #expect(accepted.shakeHands().status == 101, "the one that did nothing for longest made room")
    #expect(silent[0].waitForEnd())
    let page = RawClient(port: listener.port, source: 100)
    page.request("/healthz")
    #expect(page.readAnswer().status == 200)
    player.sendFrame(2, [1])
    #expect(player.readFrame()?.payload == [1])
    listener.stop()
  }

  @Test func anAddressHasItsShareOfThePool() throws {
    let listener = try LiveServer().listen {
      Self.letStay(&$0)
      $0.traffic.visitors = 8
      $0.traffic.visitorsPerAddress = 3
    }
    let other = RawClient(port: listener.port, source: 2)
    other.request("/healthz")
    #expect(other.readAnswer().status == 200)
    let crowd = (0..<10).map { _ in RawClient(port: listener.port) }
    for client in crowd[..<7] { #expect(client.waitForEnd()) }
    // Without the others, which would be closed with their last use.
    withExtendedLifetime(crowd) {
      eventually("three stay") { listener.visitorCount == 4 }
    }
    other.request("/healthz")
    #expect(other.readAnswer().status == 200, "the other address is not concerned")
    listener.stop()
  }

  @Test func aCrowdOfOneAddressMakesRoomBeforeAnybodyElse() {
    var limits = TrafficLimits()
    limits.visitors = 6
    let listener = WebSocketListener(
      configuration: ListenerConfiguration(), delegate: LiveServer())
    var pool = VisitorPool(limits)
    func visitor(_ address: String, at now: UInt64) -> Visitor {
      Visitor(
        AcceptedSocket(descriptor: -1, address: NumericAddress(address), at: now),
        listener: listener,
        now: now)
    }
    let alone = visitor("192.0.2.1", at: 0)
    let crowd = (1...5).map { visitor("192.0.2.2", at: UInt64($0)) }
    for member in [alone] + crowd { pool.insert(member) }
    crowd[0].clock.took(1, at: 100)
    let accepted = AddressPrefix("192.0.2.3")
    #expect(pool.inTheWay(of: accepted) === crowd[1], "the one that did nothing for longest")
    pool.remove(crowd[1])
    #expect(pool.inTheWay(of: accepted) == nil && pool.count == 5)
    pool.insert(visitor("192.0.2.1", at: 9))
    #expect(pool.inTheWay(of: accepted) === crowd[2])
    withExtendedLifetime(listener) {}
  }

  @Test func connectionsAndRequestsAreChargedToTheirAddress() throws {
    for isAboutRequests in [false, true] {
      let listener = try LiveServer().listen {
        $0.traffic.connectionMicroseconds = isAboutRequests ? 1 : 10_000_000
        $0.traffic.requestMicroseconds = isAboutRequests ? 10_000_000 : 1
        $0.traffic.answerMicrosecondsPerSecond = 1_000_000_000
        $0.traffic.answerMicrosecondsBurst = 1_000_000_000
        $0.traffic.answerMicrosecondsPerSecondPerAddress = 1
        $0.traffic.answerMicrosecondsBurstPerAddress = 15_000_000
      }
      let statuses = (0..<4).map { _ in RawClient.ask("/healthz", port: listener.port).status }
      #expect(statuses.first == 200 && statuses.last == 429, "\(statuses)")
      let other = RawClient(port: listener.port, source: 2)
      other.request("/healthz")
      #expect(other.readAnswer().status == 200)
      listener.stop()
    }
  }

  @Test func beyondTheBudgetConnectionsWaitOrAreClosed() throws {
    let waiting = try LiveServer().listen {
      $0.traffic.connectionsPerSecond = 20
      $0.traffic.connectionsBurst = 5
    }
    let clients = (0..<15).map { _ in RawClient(port: waiting.port) }
    for client in clients { client.request("/healthz") }
    for client in clients { #expect(client.readAnswer().status == 200, "sooner or later") }
    waiting.stop()
    let closing = try LiveServer().listen {
      $0.traffic.connectionsPerSecondPerAddress = 1
      $0.traffic.connectionsBurstPerAddress = 3
    }
    let crowd = (0..<10).map { _ in RawClient(port: closing.port) }
    #expect(crowd.last!.waitForEnd())
    let other = RawClient(port: closing.port, source: 2)
    other.request("/healthz")
    #expect(other.readAnswer().status == 200)
    closing.stop()
  }

  @Test func handshakesThatWaitMakeRoomAndEnd() throws {
    let files = try Certificate.make()
    defer { files.remove() }
    let bots = LiveBots()
    let listener = try LiveServer().listen {
      Self.letStay(&$0)
      $0.tls = .init(certificate: files.certificate, key: files.key)
      $0.traffic.handshakesAtOnce = 4
    }
    let hello = TLSClient().hello()
    let silent = (0..<10).map { _ in
      let client = RawClient(port: listener.port)
      client.send(hello)
      #expect(client.readByte() == 22, "one after the other, so that they have an order")
      return client
    }
    for client in silent[..<6] { #expect(client.waitForEnd(), "the oldest make room") }
    let clients = try bots.connect(to: listener, scheme: "wss", acceptsAnyCertificate: true)
    eventually("a phone is let in") { bots.state.withLock { $0.opened.count == 1 } }
    clients.stop()
    listener.stop()
    let patient = try LiveServer().listen {
      $0.tls = .init(certificate: files.certificate, key: files.key)
      $0.traffic.firstRequestSeconds = 1
    }
    let dripping = RawClient(port: patient.port)
    dripping.send([0x16, 3, 1, 2, 0])
    #expect(RawClient(port: patient.port).waitForEnd() && dripping.waitForEnd())
    patient.stop()
  }
}
