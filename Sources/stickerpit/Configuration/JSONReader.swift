import Configuration

/// Reads JSON that a person wrote: comments (`//` and `/* */`) and a comma after the last member
/// are allowed, a name twice in one object is not, and an error names its line. Foundation's reader
/// tells no place and takes the first of two equal names in silence.
struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// What is wrong with a text, and in which line, counted from 1.
  struct Problem: Error, Equatable {
    let line: Int
    let words: String
  }

  /// Far deeper than any key.
  static let deepest = 16

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value of a whole text.
  static func read(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Problem(line: 1, words: "the file is not UTF-8")
    }
    var reader = JSONReader(bytes)
    let value = try reader.value()
    try reader.skip()
    guard reader.next == nil else { throw reader.problem("there is more after the end") }
    return value
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func problem(_ words: String) -> Problem {
    let line = 1 + bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return Problem(line: line, words: words)
  }

  private mutating func take(_ letter: Character) -> Bool {
    guard let next, let wanted = letter.asciiValue, next == wanted else { return false }
    place += 1
    return true
  }

  /// Goes over blanks and comments.
  private mutating func skip() throws(Problem) {
    while let next {
      if [0x20, 0x09, 0x0A, 0x0D].contains(next) {
        place += 1
      } else if bytes[place...].starts(with: "//".utf8) {
        place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if bytes[place...].starts(with: "/*".utf8) {
        guard let end = bytes[(place + 2)...].firstRange(of: Array("*/".utf8)) else {
          throw problem("a comment has no end")
        }
        place = end.upperBound
      } else {
        return
      }
    }
  }

  private mutating func value() throws(Problem) -> JSONValue {
    try skip()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw problem("too many objects in each other") }
    if take("{") { return .object(try object()) }
    if take("[") { return .array(try array()) }
    if next == UInt8(ascii: "\"") { return .text(try text()) }
    return try word()
  }

  private mutating func object() throws(Problem) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    while true {
      try skip()
      if take("}") { return members }
      guard next == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
      let name = try text()
      guard members[name] == nil else { throw problem("'\(name)' is there twice") }
      try skip()
      guard take(":") else { throw problem("a colon is missing after '\(name)'") }
      members[name] = try value()
      try skip()
      if !take(","), next != UInt8(ascii: "}") {
        throw problem("a comma or } is missing after '\(name)'")
      }
    }
  }

  private mutating func array() throws(Problem) -> [JSONValue] {
    var items: [JSONValue] = []
    while true {
      try skip()
      if take("]") { return items }
      items.append(try value())
      try skip()
      if !take(","), next != UInt8(ascii: "]") {
        throw problem("a comma or ] is missing in a list")
      }
    }
  }

  /// true, false, null or a number.
  private mutating func word() throws(Problem) -> JSONValue {
    let rest = bytes[place...]
    let end =
      rest.firstIndex { !Self.isLetter($0) && !Self.isDigit($0) && !"+-.".utf8.contains($0) }
      ?? bytes.count
    let word = String(decoding: bytes[place..<end], as: UTF8.self)
    guard !word.isEmpty else {
      throw problem(next == nil ? "the file ends too early" : "a value is missing")
    }
    let value: JSONValue? =
      switch word {
      case "true": .toggle(true)
      case "false": .toggle(false)
      case "null": .null
      default: Self.number(word).map { .number($0) }
      }
    guard let value else {
      throw problem("'\(word)' is no value: texts stand in quotes")
    }
    place = end
    return value
  }

  /// A number as the settings' texts have it: 8e3 is 8000. nil for what is no number.
  private static func number(_ word: String) -> String? {
    guard let first = word.utf8.first, isDigit(first) || first == UInt8(ascii: "-") else {
      return nil
    }
    if UInt64(word) != nil { return word }
    guard !word.utf8.contains(UInt8(ascii: "x")), let value = Double(word), value.isFinite else {
      return nil
    }
    return Int64(exactly: value).map { "\($0)" } ?? word
  }

  private mutating func text() throws(Problem) -> String {
    var letters: [UInt8] = []
    place += 1
    while let letter = next, letter != UInt8(ascii: "\"") {
      guard letter >= 0x20 else { throw problem("a text has no closing quote") }
      if letter == UInt8(ascii: "\\") {
        place += 1
        letters += try escaped()
      } else {
        letters.append(letter)
        place += 1
      }
    }
    guard take("\"") else { throw problem("a text has no closing quote") }
    return String(decoding: letters, as: UTF8.self)
  }

  /// What an escape stands for, as UTF-8; the reader is behind the backslash.
  private mutating func escaped() throws(Problem) -> [UInt8] {
    let marks: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D,
      0x74: 0x09,
    ]
    if let next, let letter = marks[next] {
      place += 1
      return [letter]
    }
    guard take("u"), var code = unit() else { throw problem("an escape is broken") }
    // Two halves make one character of those beyond 16 bits.
    if (0xD800..<0xDC00).contains(code) {
      guard take("\\"), take("u"), let low = unit(), (0xDC00..<0xE000).contains(low) else {
        throw problem("an escape is broken")
      }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw problem("an escape is broken") }
    return Array(Character(scalar).utf8)
  }

  /// Four hexadecimal digits.
  private mutating func unit() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    let digits = bytes[place..<place + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    place += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private static func isDigit(_ letter: UInt8) -> Bool { (0x30...0x39).contains(letter) }

  private static func isLetter(_ letter: UInt8) -> Bool { (0x61...0x7A).contains(letter | 0x20) }
}

/// A value of a JSON file.
enum JSONValue: Equatable {
  case null
  case toggle(Bool)
  /// As it was written; in digits alone where it is a whole number.
  case number(String)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// What this says for a setting; nil for nothing. Throws where the setting is of another type:
  /// a port is a number here, not a text of digits.
  func content(for setting: Setting) throws(RefusedValue) -> ConfigContent? {
    switch (self, setting.place) {
    case (.null, _):
      return nil
    case (.array(let items), .list):
      return .stringArray(
        try items.map { (item) throws(RefusedValue) in
          guard case .text(let text) = item else {
            throw RefusedValue(setting, not: "a list with \(item.words)")
          }
          return text
        })
    case (.text(let text), .text), (.text(let text), .file), (.text(let text), .address),
      (.text(let text), .webAddress), (.text(let text), .form),
      (.text(let text), .scene), (.text(let text), .shape), (.text(let text), .tilt),
      (.text(let text), .logLevel),
      (.text(let text), .durability):
      return .string(text)
    case (.toggle(let toggle), .toggle):
      return .string("\(toggle)")
    case (.number(let number), _) where setting.range != nil:
      return .string(number)
    default:
      throw RefusedValue(setting, not: words)
    }
  }

  /// The value as an error names it.
  var words: String {
    switch self {
    case .null: "null"
    case .toggle(let toggle): "\(toggle)"
    case .number(let number): number
    case .text(let text): "'\(text)'"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
