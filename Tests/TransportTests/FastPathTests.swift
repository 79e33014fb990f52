import CLibWebSockets
import Glibc
import Synchronization
import Testing

@testable import Transport

/// Frames that go to many, by the fast path wherever there is one.
@Suite struct FastPathTests {
  /// Sends the number of each frame to everybody at each wake-up, and remembers how.
  private final class Broadcaster: ListenerDelegate, Sendable {
    struct Sent: Equatable {
      let number: Int
      let isFast: Bool
      let status: SendStatus
    }
    struct State {
      var sent: [Sent] = []
      var closesNext = false
    }
    let state = Mutex(State())
    let sendBufferBytes: Int32?
    // Network thread only.
    private nonisolated(unsafe) var connection: ListenerConnection?

    init(sendBufferBytes: Int32? = nil) { self.sendBufferBytes = sendBufferBytes }

    func connectionOpened(_ connection: any Connection) {
      self.connection = connection as? ListenerConnection
      guard let sendBufferBytes, let socket = self.connection?.socket else { return }
      ListeningSocket.setOption(
        lws_get_socket_fd(socket), SOL_SOCKET, SO_SNDBUF, sendBufferBytes)
    }
    func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {}
    func connectionClosed(_ connection: any Connection) { self.connection = nil }
    func stoodStill(nanoseconds: UInt64) {}
    func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply { .file }
    func act(on request: HTTPRequest, later: HTTPLater) -> HTTPReply { .file }

    func woken() {
      guard let connection else { return }
      state.withLock { state in
        if state.closesNext { connection.close(.goingAway, reason: "") }
        let frame = OutgoingFrame(copying: FastPathTests.payload(state.sent.count))
        let quick = connection.fastPath?.send(frame, at: MonotonicClock.nanoseconds())
        let status = quick ?? connection.send(frame)
        state.sent.append(Sent(number: state.sent.count, isFast: quick != nil, status: status))
      }
    }
  }

  /// A frame that no other is like.
  private static func payload(_ number: Int) -> [UInt8] {
    (0..<900).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* ($0 + number)) }
  }

  private func start(
    _ server: Broadcaster, receiveBufferBytes: Int32? = nil
  ) throws -> (WebSocketListener, RawClient) {
    let configuration = ListenerConfiguration(host: "127.0.0.1", port: 0)
    let listener = WebSocketListener(configuration: configuration, delegate: server)
    try listener.start()
    let client = RawClient(port: listener.port, receiveBufferBytes: receiveBufferBytes)
    client.answersGauge = true
    #expect(client.shakeHands().status == 101)
    return (listener, client)
  }

  /// Sends frames that are read at once until one took the fast path. Returns what arrived.
  private func sendUntilFast(
    _ server: Broadcaster, _ listener: WebSocketListener, _ client: RawClient
  ) -> [[UInt8]] {
    var arrived: [[UInt8]] = []
    eventually("a frame took the fast path") {
      listener.wake()
      usleep(2000)
      readWhatIsThere(client, &arrived)
      return server.state.withLock { $0.sent.last?.isFast == true }
    }
    return arrived
  }

  private func readWhatIsThere(_ client: RawClient, _ arrived: inout [[UInt8]]) {
    while client.hasSomething() { client.readFrame().map { arrived.append($0.payload) } }
  }

  private func readRest(
    _ server: Broadcaster, _ client: RawClient, _ arrived: inout [[UInt8]]
  ) {
    let expected = server.state.withLock { state in
      state.sent.filter { $0.status == .sent }.map { Self.payload($0.number) }
    }
    while arrived.count < expected.count, !client.isEnded() {
      client.readFrame().map { arrived.append($0.payload) }
    }
    #expect(arrived == expected)
  }

  @Test func whoAnswersPingsIsSentToByIt() throws {
    let server = Broadcaster()
    let (listener, client) = try start(server)
    var arrived = sendUntilFast(server, listener, client)
    // New peers are asked at each of their first 64 frames.
    #expect(server.state.withLock { $0.sent.prefix(64).allSatisfy { !$0.isFast } })
    for _ in 0..<200 {
      listener.wake()
      usleep(2000)
      readWhatIsThere(client, &arrived)
    }
    // Twenty pings a second at most, and their pongs, take a look each.
    #expect(server.state.withLock { $0.sent.suffix(200).count { $0.isFast } } >= 100)
    readRest(server, client, &arrived)
    listener.stop()
  }

  @Test func whatTheSocketDidNotTakeFollowsAndNothingStandsBetween() throws {
    let server = Broadcaster(sendBufferBytes: 2048)
    let (listener, client) = try start(server, receiveBufferBytes: 2048)
    var arrived: [[UInt8]] = []
    var wasFilledByIt = false
    // A machine that is busy may be late with a ping first: then it is tried again.
    eventually("the fast path filled the socket") {
      arrived += sendUntilFast(server, listener, client)
      let before = server.state.withLock { $0.sent.count }
      // Nothing is read now.
      eventually("the socket is full") {
        listener.wake()
        usleep(500)
        return server.state.withLock { $0.sent.dropFirst(before).last?.status == .backpressure }
      }
      let last = server.state.withLock { $0.sent.last { $0.status == .sent } }
      wasFilledByIt = last?.isFast == true
      readRest(server, client, &arrived)
      return wasFilledByIt
    }
    listener.stop()
  }

  @Test func nothingTakesItAfterTheClose() throws {
    let server = Broadcaster()
    let (listener, client) = try start(server)
    _ = sendUntilFast(server, listener, client)
    server.state.withLock { $0.closesNext = true }
    listener.wake()
    eventually("it was tried") { server.state.withLock { $0.sent.last?.status == .closed } }
    #expect(server.state.withLock { $0.sent.last?.isFast == false })
    client.hangUp()
    listener.stop()
  }

  /// What the fast path may send without a look is what the gauge would send without one.
  @Test func limitsAreThoseOfTheGauge() {
    var limits = QuietLimits(
      pingOrPongDue: 1_000_000_000, pingDueIfBusy: 300_000_000, lastPing: 100_000_000,
      provenRate: 60_000)
    #expect(limits.allow(2048, at: 999_999_999), "few bytes")
    #expect(!limits.allow(2048, at: 1_000_000_000), "a ping is due, or a pong")
    #expect(limits.allow(6000, at: 200_000_000), "60 000 a second for a tenth of one")
    #expect(!limits.allow(6001, at: 200_000_000), "faster than the peer was seen to read")
    limits.provenRate = .max
    #expect(limits.allow(6001, at: 299_999_999))
    #expect(!limits.allow(6001, at: 300_000_000), "many bytes, and a ping is due")
  }
}
