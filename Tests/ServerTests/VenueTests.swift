import Testing
import Transport
import Wire

@testable import Server

/// Whether the usual limits let a venue in whose phones all come from one address.
@Suite struct VenueTests {
  /// Phones that say hello and tilt; what they are sent they only look at to see what it is.
  private final class Phones: ClientDelegate {
    var connections: [any Connection] = []
    var welcomes = 0
    var snapshots = 0
    var records = 0
    var outcomes: [CommandOutcome: Int] = [:]
    var ended = 0
    private let hello: Hello

    init(_ hello: Hello) { self.hello = hello }

    func clientOpened(_ connection: any Connection) {
      connections.append(connection)
      say(.hello(hello), on: connection)
    }

    func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
      if bytes[0] == 0x81 { welcomes += 1 }
      if bytes[0] == 0x8A { snapshots += 1 }
      if RecordCoder.accepts(bytes[0]) { records += 1 }
      guard bytes[0] == 0x89, case .receipt(let receipt)? = try? ServerMessage.decode(bytes)
      else { return }
      for command in receipt.commands { outcomes[command.outcome, default: 0] += 1 }
    }

    func clientClosed(_ connection: any Connection, code: CloseCode, reason: String) { ended += 1 }
    func clientFailed(_ id: UInt64, error: TransportError) { ended += 1 }

    func say(_ message: ClientMessage, on connection: any Connection) {
      var bytes: [UInt8] = []
      message.encode(into: &bytes)
      _ = connection.send(OutgoingFrame(copying: bytes))
    }
  }

  @Test func threeHundredPhonesJoinWithinHalfAMinute() throws {
    let limits = Limits()
    #expect(limits.connectionsPerAddress >= 300)
    let pit = try VirtualServer(bodies: 1, maxBodies: 10, limits: limits, checksFrames: false)
    let phones = Phones(Hello(rate: .hz10))
    let pool = pit.network.clients(phones)
    for number in 0..<300 {
      pool.connect(from: "203.0.113.7")
      pit.advance(seconds: 0.1)
      for connection in phones.connections {
        phones.say(.tilt(x: Int16(number), y: 16_000), on: connection)
      }
    }
    pit.advance(seconds: 0.5)
    #expect(phones.welcomes == 300 && phones.ended == 0)
    let traffic = pit.hub.traffic
    #expect(traffic.refused.total + traffic.ended.total == 0, "\(traffic)")
  }

  /// As many as an address may have, with the stream that pages ask for; each tilts three times a
  /// second, as a page does whose tilt stays, and drops a sticker each second.
  @Test func fiveHundredFollowTheLogAndPlay() throws {
    let limits = Limits()
    #expect(limits.connectionsPerAddress >= 500)
    let pit = try VirtualServer(bodies: 20, maxBodies: 100, limits: limits, checksFrames: false)
    let phones = Phones(Hello(stream: .replica, rate: .hz20))
    let pool = pit.network.clients(phones)
    // They come within a minute, eight in each of these turns.
    for turn in 0..<63 {
      for _ in 0..<(turn < 62 ? 8 : 4) { pool.connect(from: "203.0.113.7") }
      play(phones, pit)
    }
    #expect(phones.welcomes == 500 && phones.snapshots == 500)
    let before = phones.records
    for _ in 0..<5 { play(phones, pit) }
    // Twenty messages a second each; those of the last moment may still be on their way.
    #expect(phones.records - before > 500 * 5 * 19)
    let traffic = pit.hub.traffic
    #expect(phones.ended == 0 && traffic.refused.total + traffic.ended.total == 0, "\(traffic)")
    #expect(phones.outcomes[.leftOut] == nil && !phones.outcomes.isEmpty, "\(phones.outcomes)")
  }

  /// A second in which everybody tilts three times and drops a sticker.
  private func play(_ phones: Phones, _ pit: VirtualServer) {
    for third in 0..<3 {
      for (number, connection) in phones.connections.enumerated() {
        phones.say(.tilt(x: Int16(number % 500 * 20), y: 12_000), on: connection)
        guard number % 3 == third else { continue }
        let kind = UInt8(number % 16)
        phones.say(.drop(kind: kind, x: Int16(200 + number % 400), y: 200), on: connection)
      }
      pit.advance(seconds: 1.0 / 3)
    }
  }
}
