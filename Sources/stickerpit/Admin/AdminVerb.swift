/// What an operator can ask a running server for.
enum AdminVerb: String, CaseIterable {
  case state, people, audit
  case kick, ban, unban, scene, clear, freeze, unfreeze, lock, unlock, gravity, limits, rename
  case hide, notice

  /// Whether it only asks.
  var isQuestion: Bool { [.state, .people, .audit].contains(self) }

  /// The parameters that are given by their places, in their order.
  var places: [String] {
    switch self {
    case .kick, .ban, .hide: ["person"]
    case .unban: ["address"]
    case .scene: ["name"]
    case .gravity: ["percent"]
    case .rename: ["person", "name"]
    case .notice: ["text"]
    case .state, .people, .audit, .clear, .freeze, .unfreeze, .lock, .unlock, .limits: []
    }
  }

  /// Places at the end that may stay empty.
  var freePlaces: Int { self == .ban || self == .notice ? 1 : 0 }

  /// The parameters that options give.
  var options: [String] {
    switch self {
    case .ban: ["address", "minutes"]
    case .scene: ["bodies"]
    case .limits: ["bodies", "people", "commands"]
    default: []
    }
  }

  /// Minutes of a ban when nobody says how many: the rest of an evening's round.
  static let usualMinutes = 10

  /// One line for each verb.
  static let usage = """
    state                              The world, its limits, and who is kept out.
    people                             Who is here: number, name, address.
    audit                              What was done in the host's name, the newest first.
    kick PERSON                        End somebody's connection; whoever comes back is new.
    ban PERSON [--minutes N]           Keep the person's address out, 1 to 1440 minutes (10).
    ban --address ADDRESS [--minutes N]
    unban ADDRESS                      Let an address in again.
    scene NAME [--bodies N]            Begin anew: pit, rain, gallery, drag or toss.
    clear                              Take all stickers out (pit and rain).
    freeze, unfreeze                   Stop the world, and let it go on.
    lock, unlock                       Let nobody new join, or everybody.
    gravity PERCENT                    0 to 300 % of the scene's.
    limits [--bodies N] [--people N] [--commands N]
                                       The most stickers, people, and commands a second of each.
    rename PERSON NAME                 Give somebody another name.
    hide PERSON                        Call somebody "Somebody".
    notice [TEXT]                      Tell everybody something; without a text nothing any more.
    """
}

/// A request to `/api/host/` that the command line asks for.
struct AdminRequest: Equatable {
  let method: String
  /// Encoded, with the query.
  let path: String

  /// - Parameters:
  ///   - words: what stands behind the verb.
  ///   - options: by their names, nil where not given.
  init(
    _ verb: AdminVerb, words: [String], options: [(name: String, value: String?)]
  ) throws(AdminUsage) {
    guard words.count <= verb.places.count else {
      throw AdminUsage("\(verb.rawValue) takes no '\(words[verb.places.count])'")
    }
    var parameters = Array(zip(verb.places, words))
    for (name, value) in options {
      guard let value else { continue }
      guard verb.options.contains(name) else {
        throw AdminUsage("\(verb.rawValue) takes no --\(name)")
      }
      parameters.append((name, value))
    }
    if words.count < verb.places.count - verb.freePlaces {
      throw AdminUsage("\(verb.rawValue) needs a \(verb.places[words.count].uppercased())")
    }
    if verb == .ban {
      let given = parameters.filter { ["person", "address"].contains($0.0) }.count
      guard given == 1 else { throw AdminUsage("ban needs a PERSON or --address") }
      if !parameters.contains(where: { $0.0 == "minutes" }) {
        parameters.append(("minutes", "\(AdminVerb.usualMinutes)"))
      }
    }
    if verb == .limits, parameters.isEmpty {
      throw AdminUsage("limits needs --bodies, --people or --commands")
    }
    method = verb.isQuestion ? "GET" : "POST"
    let query = parameters.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
    path = "/api/host/" + verb.rawValue + (query.isEmpty ? "" : "?" + query)
  }

  /// A value as a query has it: every byte escaped that RFC 3986 §2.3 does not call unreserved.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        return String(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }.joined()
  }
}

/// What is wrong with what somebody typed, in words that follow "stickerpit:".
struct AdminUsage: Error, Equatable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
