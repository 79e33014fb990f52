/// A value of a JSON file whose errors are to say where they are.
enum ManifestValue: Decodable, Equatable {
  case object([String: ManifestValue])
  case list([ManifestValue])
  case text(String)
  case number(Double)
  case other

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      var values: [String: ManifestValue] = [:]
      for key in object.allKeys {
        values[key.stringValue] = try object.decode(ManifestValue.self, forKey: key)
      }
      self = .object(values)
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var values: [ManifestValue] = []
      while !list.isAtEnd { values.append(try list.decode(ManifestValue.self)) }
      self = .list(values)
      return
    }
    let single = try decoder.singleValueContainer()
    if let text = try? single.decode(String.self) {
      self = .text(text)
    } else if (try? single.decode(Bool.self)) == nil, let number = try? single.decode(Double.self) {
      self = .number(number)
    } else {
      self = .other
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// What it is, in words that follow "not".
  var kind: String {
    switch self {
    case .object: "an object"
    case .list: "a list"
    case .text(let text): text.isEmpty ? "an empty text" : "'\(text.prefix(40))'"
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15
        ? "\(Int(number))" : "\(number)"
    case .other: "true, false or null"
    }
  }
}

/// Why a set of stickers can't be used, in one line: which file, which key in it, and what it may
/// be.
public struct StickerSetError: Error, Equatable, CustomStringConvertible {
  public let description: String

  /// - Parameters:
  ///   - file: the path of the file.
  ///   - key: where in it, such as `stickers[3].size`; empty for the file as a whole.
  ///   - problem: in words that follow it.
  init(_ file: String, _ key: String = "", _ problem: String) {
    description = key.isEmpty ? "\(file) \(problem)" : "\(file): \(key) \(problem)"
  }
}
