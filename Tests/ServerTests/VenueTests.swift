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
    var ended = 0

    func clientOpened(_ connection: any Connection) {
      connections.append(connection)
      say(.hello(Hello(rate: .hz10)), on: connection)
    }

    func client(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {
      if bytes[0] == 0x81 { welcomes += 1 }
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
    let phones = Phones()
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
}
