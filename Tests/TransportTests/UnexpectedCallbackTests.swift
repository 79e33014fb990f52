import Synchronization
import Testing

@testable import Transport

/// libwebsockets would call back with a request or a frame only if it had begun to read a protocol
/// on a raw socket, which its parsers are not fit for. A debug build stops there; a release build
/// closes the socket, which is what -1 asks libwebsockets for.
@Suite struct UnexpectedCallbackTests {
  /// `LWS_CALLBACK_HTTP`: libwebsockets has read a request.
  private static let request: UInt32 = 12
  /// `LWS_CALLBACK_RECEIVE`: libwebsockets has read a WebSocket's frame.
  private static let frame: UInt32 = 6

  private static func tellVisitor() -> Int32 {
    let listener = WebSocketListener(
      configuration: ListenerConfiguration(host: "127.0.0.1", port: 0), delegate: LiveServer())
    let visitor = Visitor(
      AcceptedSocket(descriptor: -1, address: NumericAddress("192.0.2.1"), at: 0),
      listener: listener,
      now: 0)
    return withExtendedLifetime(listener) {
      visitor.handle(
        .init(rawValue: request), socket: OpaquePointer(bitPattern: 1)!, input: nil, length: 0)
    }
  }

  #if DEBUG
    @Test func aDebugBuildStops() async {
      await #expect(processExitsWith: .failure) { _ = Self.tellVisitor() }
    }
  #else
    @Test func aVisitorIsClosed() {
      #expect(Self.tellVisitor() == -1)
    }

    /// Has each connection that says something called back with what it should never get.
    private final class Meddler: ListenerDelegate, Sendable {
      let answer = Mutex<Int32?>(nil)

      func connectionOpened(_ connection: any Connection) {}
      func connectionClosed(_ connection: any Connection) {}

      func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
        let peer = connection as? ListenerConnection
        let answer = peer?.handle(
          .init(rawValue: UnexpectedCallbackTests.frame), socket: peer!.socket!, input: nil,
          length: 0)
        self.answer.withLock { $0 = answer }
      }
    }

    @Test func aWebSocketIsClosed() throws {
      let meddler = Meddler()
      let listener = WebSocketListener(
        configuration: ListenerConfiguration(host: "127.0.0.1", port: 0), delegate: meddler)
      try listener.start()
      let client = RawClient(port: listener.port)
      #expect(client.shakeHands().status == 101)
      client.sendFrame(2, [1])
      eventually("it was called back") { meddler.answer.withLock { $0 != nil } }
      #expect(meddler.answer.withLock { $0 } == -1)
      listener.stop()
    }
  #endif
}
