/// A series' labels as Prometheus writes them, in order of names.
struct Labels: Equatable, Comparable, Sendable {
  private let pairs: [String]

  /// - Parameter dimensions: names and values; a name that Prometheus would not take stops the
  ///   program.
  init(_ dimensions: [(String, String)]) {
    pairs = dimensions.sorted { $0.0 < $1.0 }.map { name, value in
      precondition(Self.isName(name) && !name.contains(":"), "\(name) is no name of a label")
      return "\(name)=\"\(Self.escaped(value))\""
    }
  }

  /// The labels in braces, and one more; empty for none.
  func text(and more: String? = nil) -> String {
    let all = pairs + (more.map { [$0] } ?? [])
    return all.isEmpty ? "" : "{" + all.joined(separator: ",") + "}"
  }

  static func < (one: Labels, other: Labels) -> Bool {
    one.pairs.lexicographicallyPrecedes(other.pairs)
  }

  /// Whether Prometheus takes a name: letters, digits, `_` and `:`, no digit first.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return name.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
        || $0 == 58
    }
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
