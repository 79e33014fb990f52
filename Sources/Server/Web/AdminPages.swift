import Transport

/// What operators and their monitoring ask for, on a port and a thread of its own: there a scrape
/// takes no time of a network thread, and is not to be had from outside.
final class AdminPages: ListenerDelegate, Sendable {
  private let server: PitServer
  private let clock: @Sendable () -> UInt64

  init(_ server: PitServer, clock: @escaping @Sendable () -> UInt64) {
    self.server = server
    self.clock = clock
  }

  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    switch request.path {
    case "/metrics": server.metricsDesk.answer(at: clock(), later)
    case "/healthz": .response(.init(contentType: "application/json", body: server.health(clock())))
    case "/readyz": .response(.readiness(server.exchange, server.drain, at: clock()))
    default: .file
    }
  }

  // Nobody plays here.

  func connectionOpened(_ connection: any Connection) {
    connection.close(.policy, reason: "this port is for monitoring")
  }

  func connection(_ connection: any Connection, received bytes: UnsafeRawBufferPointer) {}
  func connectionClosed(_ connection: any Connection) {}
}

extension HTTPResponse {
  /// A page of Prometheus' text format.
  static func metrics(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(contentType: "text/plain; version=0.0.4; charset=utf-8", body: body)
  }

  /// Whether clients may be sent here.
  static func readiness(_ exchange: Exchange, _ drain: Drain, at now: UInt64) -> HTTPResponse {
    guard drain.window == nil else { return .text("the server ends\n", status: 503) }
    guard exchange.health.isReady(at: now) else {
      return .text("no tick ran for a second\n", status: 503)
    }
    guard !exchange.lanes.contains(where: \.report.isOverloaded) else {
      return .text("more to send than there is time for\n", status: 503)
    }
    return .text("ready\n")
  }
}
