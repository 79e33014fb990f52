import Logging
import Simulation
import StickerPitClient
import Testing
import Transport
import Wire

@testable import Server
@testable import StickerPitSocket

/// The client on real sockets against the real server.
@Suite struct SocketLinkTests {
  /// Runs a server on any free port of the loopback, and ends it in order.
  private func serve(_ body: (PitService) async throws -> Void) async throws {
    let service = try PitService(
      configuration: ServerConfiguration(
        host: "127.0.0.1", port: 0, pit: try PitConfiguration(scene: .pit, bodies: 12, seed: 5)),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let running = Task { try await service.run() }
    do { try await body(service) } catch { Issue.record("\(error)") }
    running.cancel()
    try await running.value
  }

  /// Shows pictures until something is so. Gives up after a time that no working machine needs:
  /// the other tests, which run at the same time, leave these tasks without a thread for minutes
  /// when the machine is busy otherwise.
  private func show(
    _ client: PitClient, until isSo: (PitPicture) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let deadline = PitClock.milliseconds() + 600_000
    while !isSo(client.picture()) {
      guard PitClock.milliseconds() < deadline else {
        Issue.record(
          "it did not come: \(client.state), \(String(describing: client.lastError))",
          sourceLocation: sourceLocation)
        return
      }
      try await Task.sleep(for: .milliseconds(4))
    }
  }

  @Test(arguments: [StreamKind.state, .replica])
  func playsOnARealSocket(_ stream: StreamKind) async throws {
    try await serve { service in
      let url = "ws://127.0.0.1:\(service.port)/ws"
      let client = try PitClient(
        socket: url, PitClient.Wishes(stream: stream, keepsToStream: true))
      client.connect()
      try await show(client) { $0.stickers.count == 12 }
      #expect(client.state == .online && client.picture().world?.width == 720)
      #expect(client.drop(kind: 4, at: PitVector(300, 50)))
      try await show(client) { $0.stickers.count == 13 }
      let dropped = try #require(client.picture().stickers.min { $0.age < $1.age })
      #expect(dropped.kind == 4)
      #expect(client.grab(dropped.id, at: dropped.center))
      // The hand opens by itself if the machine stands still for half a minute: then once more, but
      // not so often that the server ends the connection.
      var grabbed = PitClock.milliseconds()
      try await show(client) { picture in
        client.move(dropped.id, to: PitVector(500, 200))
        guard let sticker = picture.sticker(dropped.id) else { return false }
        if sticker.holder == nil, PitClock.milliseconds() - grabbed > 1000 {
          grabbed = PitClock.milliseconds()
          client.grab(dropped.id, at: sticker.center)
        }
        return PitVector(sticker.center.x - 500, sticker.center.y - 200).length < 5
      }
      client.tilt = PitVector(1, 0)
      try await show(client) { _ in client.gravity.x > 0.9 }
      if stream == .replica { try await show(client) { _ in client.hashesMatched > 1 } }
      let person = try #require(client.person)
      client.disconnect()
      #expect(client.state == .idle)
      // Whoever comes back with the token is the same person.
      let again = try PitClient(socket: url, token: client.token)
      again.connect()
      try await show(again) { $0.stickers.count == 13 }
      #expect(again.person == person)
      again.disconnect()
    }
  }

  @Test func aServerThatIsGoneIsWaitedFor() async throws {
    var gone: PitClient?
    try await serve { service in
      let client = try PitClient(socket: "ws://127.0.0.1:\(service.port)/ws")
      client.connect()
      try await show(client) { $0.stickers.count == 12 }
      gone = client
    }
    let client = try #require(gone)
    try await show(client) { _ in client.state == .waiting(.restarting) }
    client.connect()
    try await show(client) { _ in
      if case .waiting(.linkFailed(let words)) = client.state {
        words.contains("nobody listens")
      } else {
        false
      }
    }
    client.disconnect()
  }

  @Test func whatIsNoAddressIsRefused() {
    for url in ["http://127.0.0.1/ws", "pit", "ws://"] {
      #expect(throws: TransportError.invalidURL(url)) { try PitClient(socket: url) }
    }
    let link = SocketLink("pit")
    #expect(link.take().map(\.kind) == [.failed(TransportError.invalidURL("pit").description)])
    link.send([1])
    link.close()
  }

  @Test func aLineThatTakesNothingFails() {
    let line = SocketLine()
    for _ in 0..<SocketLine.mostQueued { line.queue([1]) }
    #expect(line.inbox.take().isEmpty)
    line.queue([1])
    line.queue([1])
    #expect(line.inbox.take().map(\.kind) == [.failed("the server takes nothing")])
    #expect(!line.end())
  }
}
