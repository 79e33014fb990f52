import Transport

/// What the host can have done, by the last part of its path, and the parameters that it takes.
enum HostDeed: String, CaseIterable {
  case kick, ban, unban, scene, clear, freeze, unfreeze, lock, unlock, gravity, limits, rename
  case hide, notice

  var parameters: [String] {
    switch self {
    case .kick, .hide: ["person"]
    case .ban: ["person", "address", "minutes"]
    case .unban: ["address"]
    case .scene: ["name", "bodies"]
    case .clear, .freeze, .unfreeze, .lock, .unlock: []
    case .gravity: ["percent"]
    case .limits: ["bodies", "people", "commands"]
    case .rename: ["person", "name"]
    case .notice: ["text"]
    }
  }
}

/// What the host can be told, by the last part of its path.
enum HostPage: String, CaseIterable {
  case state, people, audit
}

/// The parameters of a request of the host: the query, percent-encoded, `+` for a blank.
struct HostParameters {
  private let values: [(name: String, value: String)]

  /// Parameters that a request may have: more than any has.
  private static let most = 16

  /// Reads a query, which may have those names and no others, each once.
  init(_ query: String, allowing names: [String]) throws(HostRefusal) {
    var values: [(name: String, value: String)] = []
    for part in query.split(separator: "&", omittingEmptySubsequences: true) {
      guard values.count < Self.most else { throw HostRefusal(400, "too many parameters") }
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(halves[0]), let value = Self.decoded(halves.dropFirst().first)
      else { throw HostRefusal(400, "the query is not encoded properly") }
      guard names.contains(name) else {
        let known = names.isEmpty ? "there are none" : "there are " + names.joined(separator: ", ")
        throw HostRefusal(400, "no parameter is called \(HostAudit.shown(name)): \(known)")
      }
      guard !values.contains(where: { $0.name == name }) else {
        throw HostRefusal(400, "\(name) is there twice")
      }
      values.append((name, value))
    }
    self.values = values
  }

  /// As the audit shows them.
  var details: String {
    HostAudit.shown(values.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
  }

  /// A parameter's text; nil if it is not there.
  subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  /// A parameter that must be there.
  func text(_ name: String) throws(HostRefusal) -> String {
    guard let text = self[name] else { throw HostRefusal(400, "\(name) is missing") }
    return text
  }

  /// A whole number; nil if it is not there.
  func number(_ name: String, _ range: ClosedRange<Int>) throws(HostRefusal) -> Int? {
    guard let text = self[name] else { return nil }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
      range.contains(number)
    else {
      throw HostRefusal(
        400,
        "\(name) must be \(range.lowerBound) to \(range.upperBound), not '\(HostAudit.shown(text))'"
      )
    }
    return number
  }

  /// A whole number that must be there.
  func neededNumber(_ name: String, _ range: ClosedRange<Int>) throws(HostRefusal) -> Int {
    guard let number = try number(name, range) else { throw HostRefusal(400, "\(name) is missing") }
    return number
  }

  /// A text that others read.
  /// - Parameter bytes: of UTF-8.
  static func check(
    _ text: String, called name: String, bytes range: ClosedRange<Int>
  ) throws(HostRefusal) {
    guard range.contains(text.utf8.count) else {
      throw HostRefusal(
        400,
        "\(name) must have \(range.lowerBound) to \(range.upperBound) bytes of UTF-8, "
          + "not \(text.utf8.count)")
    }
    guard !text.unicodeScalars.contains(where: HostText.isBad) else {
      throw HostRefusal(400, "\(name) must have no control characters")
    }
    guard text.isEmpty || !HostText.isBlank(text) else {
      throw HostRefusal(400, "\(name) must have something to read")
    }
  }

  /// A text with its escapes resolved; nil for what is no UTF-8, or badly escaped.
  static func decoded(_ text: Substring?) -> String? {
    guard let text else { return "" }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy(isHexDigit),
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        rest.removeFirst(2)
        bytes.append(value)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }
}

/// Why a request of the host is refused: the status and the text of the answer.
struct HostRefusal: Error, Equatable {
  let status: Int
  let text: String
  /// Further header lines, such as when to try again.
  var headers: [HTTPResponse.Header] = []

  init(_ status: Int, _ text: String, _ headers: [HTTPResponse.Header] = []) {
    self.status = status
    self.text = text
    self.headers = headers
  }

  static func method(_ allowed: String) -> HostRefusal {
    HostRefusal(405, "only \(allowed)", [.init("Allow", allowed)])
  }

  static let tooMany = HostRefusal(
    503, "too many acts wait: try again", [.init("Retry-After", "1")])

  var response: HTTPResponse {
    var response = HTTPResponse.json(#"{"error":\#(HostText.json(text))}"# + "\n", status: status)
    response.headers = headers
    return response
  }
}

/// What others read because the host wrote it.
enum HostText {
  /// Whether a character has no place in a name or an announcement: controls, what ends a line, and
  /// what turns the direction of all that follows, also of texts beside it.
  static func isBad(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
  }

  /// Whether somebody could read something of it.
  static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.generalCategory == .format
    }
  }

  /// A text as JSON has it, with its quotes.
  static func json(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
