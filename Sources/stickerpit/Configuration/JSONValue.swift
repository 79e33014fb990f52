import Configuration

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
  func content(for setting: Setting) throws(Refusal) -> ConfigContent? {
    switch (self, setting.place) {
    case (.null, _):
      return nil
    case (.array(let items), .list):
      return .stringArray(
        try items.map { (item) throws(Refusal) in
          guard case .text(let text) = item else {
            throw Refusal(setting, not: "a list with \(item.words)")
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
      throw Refusal(setting, not: words)
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
