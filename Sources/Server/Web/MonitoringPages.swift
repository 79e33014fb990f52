import Synchronization
import Transport

/// What operators and their monitoring ask for: the same on the page's port (``SessionHub``) and on
/// one for them alone (``AdminPages``).
enum MonitoringPage: String {
  case health = "/healthz"
  case readiness = "/readyz"
  case metrics = "/metrics"

  /// Answers who asks for it.
  /// - Parameters:
  ///   - now: monotonic nanoseconds.
  ///   - health: writes the body of `/healthz`.
  func answer(
    _ exchange: Exchange, _ drain: Drain, _ metricsDesk: MetricsDesk, at now: UInt64,
    _ later: HTTPLater, health: () -> [UInt8]
  ) -> HTTPReply {
    switch self {
    case .health: .response(.init(contentType: "application/json", body: health()))
    case .readiness: .response(.readiness(exchange, drain, at: now))
    case .metrics: metricsDesk.answer(at: now, later)
    }
  }
}

/// The pages for monitoring on a port and a thread of its own: there a scrape takes no time of a
/// network thread, and is not to be had from outside.
final class AdminPages: ListenerDelegate, Sendable {
  private let server: PitServer
  private let clock: @Sendable () -> UInt64

  init(_ server: PitServer, clock: @escaping @Sendable () -> UInt64) {
    self.server = server
    self.clock = clock
  }

  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    guard let page = MonitoringPage(rawValue: request.path) else { return .file }
    let now = clock()
    return page.answer(server.exchange, server.drain, server.metricsDesk, at: now, later) {
      server.health(now)
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

/// Answers those who ask for `/metrics`, on whatever thread they ask.
///
/// The page is written on a thread of its own, once a second at most: that may take a millisecond,
/// and no network thread waits for it. Who asks meanwhile waits for that page. Each of them is a
/// visitor who waits for one answer, so the visitors' limit bounds how many wait.
final class MetricsDesk: Sendable {
  /// Nanoseconds for which a page serves.
  private static let lifetime: UInt64 = 1_000_000_000

  /// Whether the metrics are told to everybody who can reach the page.
  let isPublic: Bool
  private let run: Worker.Run
  private let write: @Sendable () -> [UInt8]
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The last page, and until when it serves, in monotonic nanoseconds.
    var page: [UInt8] = []
    var until: UInt64 = 0
    var waiting: [HTTPLater] = []
  }

  /// - Parameters:
  ///   - isPublic: whether the page's port tells them.
  ///   - run: runs something on another thread.
  ///   - write: writes a page there.
  init(isPublic: Bool, run: @escaping Worker.Run, write: @escaping @Sendable () -> [UInt8]) {
    self.isPublic = isPublic
    self.run = run
    self.write = write
  }

  /// - Parameter now: monotonic nanoseconds.
  func answer(at now: UInt64, _ later: HTTPLater) -> HTTPReply {
    let (page, isFirst) = state.withLock { state -> ([UInt8]?, Bool) in
      if now < state.until { return (state.page, false) }
      state.waiting.append(later)
      return (nil, state.waiting.count == 1)
    }
    if let page { return .response(.metrics(page)) }
    if isFirst { run { [self] in complete(until: now + Self.lifetime) } }
    return .later
  }

  private func complete(until: UInt64) {
    let page = write()
    let waiting = state.withLock { state in
      (state.page, state.until) = (page, until)
      defer { state.waiting = [] }
      return state.waiting
    }
    assert(!waiting.isEmpty)
    for later in waiting { later.complete(.metrics(page)) }
  }
}
