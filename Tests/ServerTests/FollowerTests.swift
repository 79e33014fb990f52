import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// Those who follow the log.
@Suite struct FollowerTests {
  /// Keeps what a follower is sent.
  private final class Reader: ClientDelegate {
    var connection: (any Connection)?
    var messages: [[UInt8]] = []

    var snapshots: Int { messages.count { $0[0] == ServerMessageType.snapshot.rawValue } }

    func say(_ message: ClientMessage) {
      var bytes: [UInt8] = []
      message.encode(into: &bytes)
      _ = connection?.send(OutgoingFrame(copying: bytes))
    }

    func clientOpened(_ connection: any Connection) {
      self.connection = connection
      say(.hello(Hello(stream: .replica)))
    }

    func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
      messages.append(Array(bytes))
    }

    func clientFailed(_ id: UInt64, error: TransportError) {
      Issue.record("\(error)")
    }

    func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
      self.connection = nil
    }
  }

  private func join(_ pit: VirtualServer) -> Reader {
    let reader = Reader()
    pit.network.clients(reader).connect()
    pit.advance(seconds: 1)
    return reader
  }

  @Test func aFollowerGetsASnapshotAndEveryRecordOnce() throws {
    let pit = try VirtualServer()
    let reader = join(pit)
    let messages = reader.messages
    let start = try #require(
      messages.firstIndex { $0[0] == ServerMessageType.snapshot.rawValue })
    var replica = try Replica(snapshot: Array(messages[start].dropFirst()))
    let first = replica.pit.tick
    var ticks = 0
    for message in messages[(start + 1)...] where RecordCoder.accepts(message[0]) {
      ticks += try replica.receive(message)
    }
    #expect(ticks > 20 && replica.pit.tick == first + UInt32(ticks) && replica.pit.tick == pit.tick)
    #expect(messages.allSatisfy { !StreamDecoder.accepts($0[0]) }, "no frames")
  }

  @Test func snapshotsHaveAPace() throws {
    let pit = try VirtualServer()
    let reader = join(pit)
    #expect(reader.snapshots == 1)
    for _ in 0..<10 {
      reader.say(.stream(kind: .replica, rate: .hz60, profile: .strict))
      pit.advance(seconds: 1)
    }
    #expect((4...6).contains(reader.snapshots), "one in 2 s, in 10 s")
    let before = reader.messages.count
    pit.advance(seconds: 3)
    #expect(reader.messages.count > before + 50, "and it follows again")
  }

  @Test func nobodyElsesFramesChange() throws {
    let pit = try VirtualServer()
    _ = join(pit)
    let health = pit.server.exchange.health
    #expect(health.encoded.own == 0, "no state stream runs for those who follow")
  }
}
