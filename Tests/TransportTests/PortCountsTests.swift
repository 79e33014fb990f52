import Foundation
import Glibc
import Synchronization
import Testing

@testable import Transport

/// What monitoring reads of a port: each number is driven to a value that the test knows.
@Suite struct PortCountsTests {
  private static func refused(_ reason: PortCounts.Refusal, _ counts: PortCounts) -> Int {
    counts.refusals.first { $0.reason == reason }!.count
  }

  private static func accepted(_ counts: PortCounts) -> Int {
    counts.accepted.load(ordering: .relaxed)
  }

  /// Answers as an array, which can be compared.
  private static func answers(_ counts: PortCounts) -> [[Int]] {
    counts.answers.map { [$0.status, $0.count] }
  }

  /// A crowd behind one address, in the order in which they connected.
  private static func crowd(_ count: Int, of listener: WebSocketListener) -> [RawClient] {
    (0..<count).map { _ in RawClient(port: listener.port) }
  }

  @Test func answersAreCountedByTheirStatus() throws {
    let root = try HTTPTests.makeFolder()
    defer { try? FileManager.default.removeItem(at: root) }
    let server = LiveServer()
    let listener = try server.listen {
      VisitorTests.letStay(&$0)
      $0.webFolder = root.appending(path: "web").path
    }
    let port = listener.port
    let client = RawClient(port: port)
    client.request("/page.js")
    let tag = try #require(client.readAnswer().headers["etag"])
    for (path, status) in [("/page.js", 304), ("/healthz", 200), ("/missing", 404), ("/ws", 426)] {
      client.request(path, headers: ["If-None-Match: \(tag)"])
      #expect(client.readAnswer().status == status)
    }
    client.request("/later")
    eventually("it was asked") { server.state.withLock { $0.laters.count == 1 } }
    server.state.withLock { $0.laters.removeFirst() }.complete(.text("late"))
    #expect(client.readAnswer().status == 200)
    #expect(RawClient.ask("/echo", port: port, host: "evil.example").status == 421)
    #expect(RawClient.ask("/echo", port: port, method: "POST").status == 405)
    #expect(RawClient(port: port).shakeHands(origin: "http://evil.example").status == 403)
    let player = RawClient(port: port)
    #expect(player.shakeHands().status == 101)
    // A handshake is counted when its answer is written, and others before.
    eventually("each is counted once") {
      Self.answers(listener.counts) == [
        [101, 1], [200, 3], [304, 1], [403, 1], [404, 1], [405, 1], [421, 1], [426, 1],
      ]
    }
    #expect(Self.accepted(listener.counts) == 5, "one socket asked for most of it")
    #expect(listener.counts.refusals.map(\.reason) == PortCounts.Refusal.allCases)
    #expect(listener.counts.refusals.allSatisfy { $0.count == 0 }, "all of them got an answer")
    listener.stop()
  }

  @Test func whomTheDoorRefusesIsCounted() throws {
    let listener = try LiveServer().listen {
      VisitorTests.letStay(&$0)
      $0.traffic.connectionsPerSecondPerAddress = 1
      $0.traffic.connectionsBurstPerAddress = 3
    }
    let counts = listener.counts
    let crowd = Self.crowd(10, of: listener)
    eventually("the door has seen all of them") {
      Self.accepted(counts) + Self.refused(.address, counts) == 10
    }
    // Three, and one for each second that the test took.
    let refused = Self.refused(.address, counts)
    #expect((1...7).contains(refused))
    eventually("who is counted is gone") { crowd.count { $0.isEnded() } == refused }
    let other = RawClient(port: listener.port, source: 2)
    other.request("/healthz")
    #expect(other.readAnswer().status == 200)
    #expect(Self.accepted(counts) == 11 - refused && Self.refused(.address, counts) == refused)
    listener.stop()
  }

  /// Behind a proxy the door is where the client's address is known; where a request names it, the
  /// client gets an answer, which is no refusal.
  @Test func clientsOfAProxyAreCountedOnce() throws {
    let listener = try LiveServer().listen {
      VisitorTests.letStay(&$0)
      $0.trustedProxies = ["127.0.0.1"]
      $0.traffic.connectionsPerSecondPerAddress = 1
      $0.traffic.connectionsBurstPerAddress = 3
    }
    let counts = listener.counts
    let statuses = (0..<10).map { _ in
      let client = RawClient(port: listener.port)
      client.send("PROXY TCP4 192.0.2.1 127.0.0.1 1000 8080\r\n")
      client.request("/echo")
      return client.readAnswer().status
    }
    let refused = statuses.count { $0 == 0 }
    #expect((1...7).contains(refused), "\(statuses)")
    #expect(Self.refused(.address, counts) == refused)
    #expect(Self.accepted(counts) == 10 - refused)
    let asked = (0..<10).map { _ in
      RawClient.ask("/echo", port: listener.port, headers: ["X-Forwarded-For: 192.0.2.2"]).status
    }
    let denied = asked.count { $0 == 429 }
    #expect((1...7).contains(denied), "\(asked)")
    #expect(Self.refused(.address, counts) == refused, "a 429 is an answer")
    #expect(Self.answers(counts) == [[200, 20 - refused - denied], [429, denied]])
    #expect(Self.accepted(counts) == 20 - refused)
    listener.stop()
  }

  @Test func whoMakesRoomIsCounted() throws {
    let listener = try LiveServer().listen {
      VisitorTests.letStay(&$0)
      $0.traffic.visitorsPerAddress = 3
    }
    let counts = listener.counts
    let crowd = Self.crowd(10, of: listener)
    eventually("three stay") { Self.refused(.crowd, counts) == 7 }
    #expect(Self.accepted(counts) == 10, "all of them were let in")
    #expect(crowd[..<7].allSatisfy { $0.waitForEnd() } && crowd[7...].allSatisfy { !$0.isEnded() })
    #expect(counts.refusals.map(\.count).reduce(0, +) == 7 && counts.answers.isEmpty)
    listener.stop()
  }

  @Test func whoIsTooSlowToAskIsCounted() throws {
    let listener = try LiveServer().listen {
      VisitorTests.letStay(&$0)
      $0.traffic.requestSeconds = 1
    }
    let again = RawClient(port: listener.port)
    again.request("/healthz")
    #expect(again.readAnswer().status == 200)
    again.send("GET /healthz HT")
    #expect(again.waitForEnd())
    #expect(Self.refused(.slowness, listener.counts) == 1)
    listener.stop()
    let impatient = try LiveServer().listen { $0.traffic.firstRequestSeconds = 1 }
    let silent = RawClient(port: impatient.port)
    let slow = RawClient(port: impatient.port)
    slow.send("GET /healthz HT")
    #expect(silent.waitForEnd() && slow.waitForEnd())
    #expect(Self.refused(.slowness, impatient.counts) == 2 && impatient.counts.answers.isEmpty)
    impatient.stop()
  }

  @Test func aKeptConnectionWhoseTimeIsOverWasNotRefused() throws {
    let listener = try LiveServer().listen {
      VisitorTests.letStay(&$0)
      $0.traffic.idleSeconds = 1
    }
    let kept = RawClient(port: listener.port)
    kept.request("/healthz")
    #expect(kept.readAnswer().status == 200 && kept.waitForEnd())
    #expect(listener.counts.refusals.allSatisfy { $0.count == 0 })
    listener.stop()
  }

  // MARK: Those who wait

  /// Socket pairs whose other ends wait, a nanosecond after each other.
  private static func wait(
    _ count: Int, _ insert: (AcceptedSocket) -> Void
  ) throws -> [SocketPair] {
    try (0..<count).map { number in
      let pair = try SocketPair()
      insert(
        AcceptedSocket(
          descriptor: pair.takeOther(), address: NumericAddress("192.0.2.1"), at: UInt64(number)))
      return pair
    }
  }

  private static func limits() -> TrafficLimits {
    var limits = TrafficLimits()
    limits.visitors = 2
    limits.firstRequestSeconds = 1
    return limits
  }

  @Test func whoWaitsForAHandshakeIsCounted() throws {
    let counts = PortCounts()
    let queue = HandshakeQueue(Self.limits(), counts)
    defer { close(queue.descriptor) }
    let pairs = try Self.wait(5) { queue.insert($0) }
    #expect(Self.refused(.crowd, counts) == 3 && queue.count == 2)
    queue.endTheSlow(at: 999_999_999)
    #expect(Self.refused(.slowness, counts) == 0)
    queue.endTheSlow(at: 2_000_000_000)
    #expect(Self.refused(.slowness, counts) == 2 && queue.count == 0)
    // No hello, so that it is let through to the redirect, but not before its turn.
    let late = try Self.wait(1) { queue.insert($0) }
    late[0].send("GET / HTTP/1.1\r\n\r\n")
    queue.readArrivals()
    #expect(queue.readyCount == 1 && queue.next(at: 61_000_000_000) == nil)
    #expect(Self.refused(.crowd, counts) == 4, "it waited in vain")
    // Who is let go hangs up, and would have left by itself.
    withExtendedLifetime((pairs, late)) {}
  }

  @Test func whoWaitsForAWordOfItsProxyIsCounted() throws {
    let counts = PortCounts()
    let door = ProxyDoor(Self.limits(), counts, onKnown: { _, _ in }, onMalformed: { _, _ in })
    defer { close(door.descriptor) }
    let pairs = try Self.wait(5) { door.insert($0) }
    #expect(Self.refused(.crowd, counts) == 3 && door.count == 2)
    door.endTheSlow(at: 2_000_000_000)
    #expect(Self.refused(.slowness, counts) == 2 && door.count == 0)
    withExtendedLifetime(pairs) {}
  }
}
