import Foundation
import Simulation
import Transport
import Wire

extension SessionHub {
  /// Answers what is not a file: the health page, the world and the keywords.
  func respond(to request: HTTPRequest, later: HTTPLater) -> HTTPReply {
    switch request.path {
    case "/healthz":
      let report = HealthReport(
        health: exchange.health, people: peopleCount, traffic: traffic)
      return .response(HTTPResponse(contentType: "application/json", body: report.json()))
    case "/api/world": return .response(world(request.query))
    case "/api/keywords": return .response(.json(keywordsJSON))
    default: return .file
    }
  }

  /// The world at the tick that the query names, or at the newest.
  private func world(_ query: String) -> HTTPResponse {
    lookAtClock()
    guard worldBucket.take(at: time.now) else {
      return refusal(429, "at most \(limits.worldsPerSecond) worlds a second")
    }
    var wanted = tick
    if !query.isEmpty {
      guard query.hasPrefix("tick="), let tick = UInt32(query.dropFirst(5)) else {
        return refusal(400, "ask for /api/world or /api/world?tick=T")
      }
      wanted = tick
    }
    guard let moment = exchange.worlds.moment(at: wanted) else {
      return refusal(404, missing(wanted))
    }
    return HTTPResponse(contentType: "application/json", body: WorldReport(moment).json)
  }

  /// Why there is no world of a tick.
  private func missing(_ wanted: UInt32) -> String {
    guard ticksPublished > 0 else { return "the first tick is still to come" }
    let kept = UInt32(min(ticksPublished, RecentWorlds.depth))
    return "tick \(wanted) is not kept: ticks \(tick &- kept &+ 1) to \(tick) are"
  }

  /// The phrases that mean something here, for a page that offers them. None where nothing rains.
  private var keywordsJSON: String {
    let phrases = world.scene == Scene.rain.rawValue ? keywords.phrases : []
    let json = try? JSONEncoder().encode(["keywords": phrases])
    return String(decoding: json ?? Data(), as: UTF8.self) + "\n"
  }

  private func refusal(_ status: Int, _ text: String) -> HTTPResponse {
    .json("{\"error\":\"\(text)\"}\n", status: status)
  }
}
