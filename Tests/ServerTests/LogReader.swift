import Simulation
import Testing
import Transport
import Wire

/// Keeps what a follower is sent.
final class LogReader: ClientDelegate {
  private let hello: Hello
  private(set) var connection: (any Connection)?
  private(set) var messages: [[UInt8]] = []

  /// How the server ended the connection; nil as long as it didn't.
  private(set) var closed: CloseCode?

  init(rate: FrameRate = .hz60) { hello = Hello(stream: .replica, rate: rate) }

  init(hello: Hello) { self.hello = hello }

  var recordMessages: [[UInt8]] { messages.filter { RecordCoder.accepts($0[0]) } }

  var snapshots: Int { messages.count { $0[0] == ServerMessageType.snapshot.rawValue } }

  /// Ticks that it was told behind its last snapshot.
  private(set) var recordTicks = 0

  /// The world of its last snapshot after the records behind it; nil without one.
  func replica() throws -> Replica? {
    guard
      let start = messages.lastIndex(where: { $0[0] == ServerMessageType.snapshot.rawValue })
    else { return nil }
    var replica = try Replica(snapshot: Array(messages[start].dropFirst()))
    recordTicks = 0
    for message in messages[(start + 1)...] where RecordCoder.accepts(message[0]) {
      recordTicks += try replica.receive(message)
    }
    return replica
  }

  func say(_ message: ClientMessage) {
    var bytes: [UInt8] = []
    message.encode(into: &bytes)
    _ = connection?.send(OutgoingFrame(copying: bytes))
  }

  func askForReplica() { say(.stream(kind: .replica, rate: .hz60, profile: .strict)) }

  func askForState() { say(.stream(kind: .state, rate: .hz60, profile: .strict)) }

  func clientOpened(_ connection: any Connection) {
    self.connection = connection
    say(.hello(hello))
  }

  func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
    messages.append(Array(bytes))
  }

  func clientFailed(_ id: UInt64, error: TransportError) {
    Issue.record("\(error)")
  }

  func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) {
    self.connection = nil
    closed = code
  }
}
