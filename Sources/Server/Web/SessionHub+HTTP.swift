import Foundation
import Simulation
import Transport
import Wire

extension SessionHub {
  /// Answers what is not a file: how the server fares, the world and the keywords.
  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    lookAtClock()
    if let answer = answerHost(request) { return answer }
    if let page = MonitoringPage(rawValue: request.path), page != .metrics || metricsDesk.isPublic {
      return answerMonitoring(page, later)
    }
    switch request.path {
    case "/api/world": return tellWorld(request, later)
    case "/api/keywords": return .response(.json(keywordsJSON))
    case "/api/version": return .response(.json(Self.version))
    case "/api/venue": return .response(.json(venue.json(host: request.host)))
    case "/api/join.svg": return .response(venue.qr(host: request.host))
    case "/", "/index.html":
      let address = venue.address(host: request.host)
      return LinkPreview.answer(to: request, address: address).map { .response($0) } ?? .file
    default:
      let answer = venue.code.answer(to: request.path) ?? stickers?.answer(to: request.path)
      return answer.map { .response($0) } ?? .file
    }
  }

  /// Does what the host wants; nobody else has anything done by HTTP.
  func act(on request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    lookAtClock()
    return answerHost(request) ?? .file
  }

  /// What pages compare themselves with: the protocol, and the core that makes worlds of records.
  private static let version: String = {
    let digits = String(CoreVersion.goldens, radix: 16)
    let core = String(repeating: "0", count: 16 - digits.count) + digits
    return #"{"core":"\#(core)","protocol":\#(WireVersion.current),"#
      + #""server":"\#(ServerVersion.text)"}"# + "\n"
  }()

  /// Answers with what all threads told last, and this one tells now.
  private func answerMonitoring(_ page: MonitoringPage, _ later: HTTPLater) -> HTTPReply {
    // The health page has this thread tell only when it is written anew.
    if page != .health { tellOthers() }
    return page.answer(exchange, drain, metricsDesk, at: time.now, later) { health() }
  }

  /// The health page, written once a tick however many ask for it.
  private func health() -> [UInt8] {
    if let known = healthPage, known.tick == ticksPublished,
      time.now - known.at < Self.longestHealth
    {
      return known.body
    }
    tellOthers()
    let body = HealthReport(
      exchange, directory, journal: journal?.health, cluster: cluster?.health, now: time.now
    ).json()
    if ticksPublished > 0 { healthPage = (ticksPublished, time.now, body) }
    return body
  }

  /// Nanoseconds for which the health page counts while no tick runs: a world that stands still is
  /// to be told.
  private static let longestHealth: UInt64 = 500_000_000

  /// The world at the tick that the query names, or at the newest; made on another thread.
  private func tellWorld(_ request: HTTPRequest, _ later: HTTPLater) -> HTTPReply {
    var wanted = tick
    if !request.query.isEmpty {
      let digits = request.query.dropFirst(5)
      guard request.query.hasPrefix("tick="), digits.first != "+", let tick = UInt32(digits) else {
        return .response(refusal(400, "ask for /api/world or /api/world?tick=T"))
      }
      wanted = tick
    }
    guard let moment = exchange.worlds.moment(at: wanted) else {
      return .response(refusal(404, missing(wanted)))
    }
    let address = AddressPrefix(request.remoteAddress)
    guard worldTeller.tell(moment, to: address, at: time.now, later) else {
      traffic.refused.count(.worlds)
      return .response(
        refusal(429, "at most \(limits.worldBytesPerSecondPerAddress) bytes of worlds a second"))
    }
    return .later
  }

  /// Why there is no world of a tick.
  private func missing(_ wanted: UInt32) -> String {
    guard ticksPublished > 0 else { return "the first tick is still to come" }
    let kept = UInt32(min(ticksPublished, RecentWorlds.depth))
    return "tick \(wanted) is not kept: ticks \((tick &- kept).nextTick) to \(tick) are"
  }

  private func refusal(_ status: Int, _ text: String) -> HTTPResponse {
    .json("{\"error\":\"\(text)\"}\n", status: status)
  }
}
