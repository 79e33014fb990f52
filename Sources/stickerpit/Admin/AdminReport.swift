import Foundation

/// The server's answer to the host, for a person to read.
struct AdminReport {
  let text: String

  init(_ verb: AdminVerb, _ body: [UInt8]) throws {
    let data = Data(body)
    let decoder = JSONDecoder()
    do {
      switch verb {
      case .state: text = try decoder.decode(State.self, from: data).text
      case .people: text = try decoder.decode(People.self, from: data).text
      case .audit: text = try decoder.decode(Audit.self, from: data).text
      default: text = try Self.done(data)
      }
    } catch is DecodingError {
      throw Failure("the server's answer makes no sense: is it of another version?")
    }
  }

  private struct State: Decodable {
    struct Ban: Decodable {
      let address: String
      let seconds: Int
    }

    let scene: String
    let bodies, bodyCap, mostBodies: Int
    let frozen, locked: Bool
    let gravity: Int
    let notice: String
    let people, peopleLimit, commandsPerSecond: Int
    let bans: [Ban]

    var text: String {
      var lines = [
        "scene     \(scene)\(frozen ? ", frozen" : "")",
        "stickers  \(bodies), at most \(bodyCap)"
          + (bodyCap == mostBodies ? "" : " of \(mostBodies)"),
        "gravity   \(gravity) %",
        "people    \(people), at most \(peopleLimit)\(locked ? ", joining is locked" : "")",
        "commands  \(commandsPerSecond) a second and person",
      ]
      if !notice.isEmpty { lines.append("notice    \(notice)") }
      lines += bans.map { "banned    \($0.address), \(($0.seconds + 59) / 60) min more" }
      return lines.joined(separator: "\n")
    }
  }

  private struct People: Decodable {
    struct One: Decodable {
      let id: Int
      let name, address: String
      let seconds: Int
      let hidden: Bool
    }

    let count: Int
    let people: [One]

    var text: String {
      var lines = ["\(count) \(count == 1 ? "person" : "people")"]
      for one in people {
        lines.append(
          "\(Self.column("\(one.id)", 6))\(Self.column(one.name, 24))"
            + "\(Self.column(one.address, 24))\(one.seconds) s")
      }
      if count > people.count { lines.append("and \(count - people.count) more") }
      return lines.joined(separator: "\n")
    }

    private static func column(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
  }

  private struct Audit: Decodable {
    struct Act: Decodable {
      let time, address, act, details, outcome: String
    }

    let acts: [Act]

    var text: String {
      guard !acts.isEmpty else { return "nothing was done yet" }
      return acts.map { act in
        let what = act.details.isEmpty ? act.act : "\(act.act) \(act.details)"
        return "\(act.time)  \(act.address)  \(what): \(act.outcome)"
      }.joined(separator: "\n")
    }
  }

  /// As in `done: kick, person 5, name Amber Fox`.
  private static func done(_ data: Data) throws -> String {
    guard let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let done = fields["done"]
    else { throw Failure("the server's answer makes no sense: is it of another version?") }
    let others = fields.filter { $0.key != "done" }.sorted { $0.key < $1.key }
    return (["done: \(done)"] + others.map { "\($0.key) \($0.value)" }).joined(separator: ", ")
  }
}
