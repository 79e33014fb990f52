import Synchronization
import Testing

@testable import Transport

/// Nobody is remembered for longer than needed: neither by the desk's queue, nor by what a visitor
/// holds who has left.
@Suite struct LeftVisitorTests {
  private struct Weak {
    weak var visitor: Visitor?
  }

  /// There is always somebody who waits, so the queue is never empty; those who had their turn are
  /// let go all the same.
  @Test func aQueueThatIsNeverEmptyForgetsWhoWasServed() {
    var configuration = ListenerConfiguration(host: "127.0.0.1", port: 0)
    // A turn of the loop is over after the first visitors, however fast the machine is.
    configuration.traffic.answerMicrosecondsPerTurn = 1
    let listener = WebSocketListener(configuration: configuration, delegate: LiveServer())
    let share = PortShare(configuration.traffic)
    let desk = HTTPDesk(configuration.traffic, share, hosts: TrustedHosts(allowed: []))
    var known: [Weak] = []
    var served = 0
    for now in 0..<UInt64(2000) {
      while known.count(where: { $0.visitor?.isQueued == true }) < 200 {
        let visitor = Visitor(
          AcceptedSocket(descriptor: -1, address: NumericAddress("192.0.2.1"), at: 0),
          listener: listener,
          now: now)
        desk.queue(visitor)
        known.append(Weak(visitor: visitor))
      }
      // Seconds apart, so that the budget for all requests is full each time.
      _ = desk.serve(at: now * 10_000_000_000)
      let waiting = known.count { $0.visitor?.isQueued == true }
      served += 200 - waiting
      known.removeAll { $0.visitor == nil }
      #expect(waiting > 0 && known.count == waiting)
    }
    #expect(served >= 2000)
    withExtendedLifetime((desk, listener)) {}
  }

  /// A visitor on a loop of the test's own, which decides when the desk serves.
  private final class Lobby: ServiceLoopOwner, @unchecked Sendable {
    let listener: WebSocketListener
    // Used on the loop's thread, and by the test before and after it.
    var visitor: Visitor?
    let serves = Atomic<Bool>(false)
    let isQueued = Atomic<Bool>(false)
    let weight = Atomic<Int>(0)

    init(_ server: LiveServer) {
      listener = WebSocketListener(
        configuration: ListenerConfiguration(host: "127.0.0.1", port: 0), delegate: server)
      visitor = Visitor(
        AcceptedSocket(descriptor: -1, address: NumericAddress("192.0.2.1"), at: 0),
        listener: listener,
        now: 0)
    }

    func serviceTurned() -> Bool {
      let isBusy = serves.load(ordering: .acquiring) && listener.serviceTurned()
      isQueued.store(visitor!.isQueued, ordering: .releasing)
      weight.store(Self.weight(visitor!), ordering: .releasing)
      return isBusy
    }

    func servicePrepares(tls context: OpaquePointer) {}
    func serviceWoken() { listener.serviceWoken() }
    func serviceTicked() {}
    func serviceStoodStill(_ nanoseconds: UInt64) {}
    func serviceStops() {}
    var serviceIsEmpty: Bool { true }

    /// Bytes of text and of arrays in everything that a value holds, but its listener.
    static func weight(_ value: Any) -> Int {
      switch value {
      case let bytes as [UInt8]: bytes.count
      case let text as String: text.utf8.count
      case is WebSocketListener: 0
      default: Mirror(reflecting: value).children.reduce(0) { $0 + weight($1.value) }
      }
    }
  }

  private enum Stage: CaseIterable {
    /// The request waits for its turn.
    case asked
    /// The answer is made elsewhere.
    case promised
    /// The answer waits to be written.
    case answered
  }

  /// Whoever is in the queue, or has something made elsewhere, may be kept alive for a while after
  /// leaving, but weighs no more than a visitor who never said anything.
  @Test(arguments: Stage.allCases)
  private func whoLeftHoldsNothing(_ stage: Stage) throws {
    let token = ServiceLog.add { _ in }
    defer { ServiceLog.remove(token) }
    let server = LiveServer()
    let lobby = Lobby(server)
    let fresh = Lobby.weight(lobby.visitor!)
    let loop = try ServiceLoop(
      owner: lobby, subprotocol: "stickerpit.v1", receiveBufferBytes: 4096
    ) { _ in }
    let client = try SocketPair()
    #expect(loop.adoptSocket(client.takeOther(), peer: lobby.visitor!))
    try loop.start()
    lobby.serves.store(stage != .asked, ordering: .releasing)
    let behind = String(repeating: "x", count: 1000)
    client.send("GET /later HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /\(behind)")
    if stage != .asked {
      eventually("it was asked") { server.state.withLock { $0.laters.count == 1 } }
      lobby.serves.store(false, ordering: .releasing)
    }
    if stage == .answered {
      let later = server.state.withLock { $0.laters.removeFirst() }
      later.complete(.text(String(repeating: "y", count: 100_000)))
      loop.wake()
    }
    let expected = stage == .answered ? 100_000 : 1000
    eventually("it is known") {
      lobby.weight.load(ordering: .acquiring) > expected
        && lobby.isQueued.load(ordering: .acquiring) == (stage != .promised)
    }
    loop.stop()
    #expect(Lobby.weight(lobby.visitor!) == fresh)
    // The desk finds out at the visitor's turn that nobody is there any more.
    _ = lobby.listener.serviceTurned()
    weak let visitor = lobby.visitor
    lobby.visitor = nil
    #expect(visitor == nil)
    // A client that is let go hangs up.
    withExtendedLifetime((client, lobby)) {}
  }
}
