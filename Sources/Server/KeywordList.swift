import Foundation
import Simulation

/// The words that bring stickers, in any language.
///
/// A phrase is found anywhere in what somebody says, whatever the case and width of its letters.
/// Where it begins or ends with a Latin letter it is found as whole words only: "so cold" is not
/// in "also cold".
public struct KeywordList: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    /// As somebody would type it.
    let written: String
    /// As it is looked for.
    let phrase: String
    let kind: UInt8

    init(_ written: String, _ kind: UInt8) {
      self.written = written
      phrase = KeywordList.folded(written)
      self.kind = kind
    }
  }

  private let entries: [Entry]

  /// The articles' phrases, and ours in English.
  public static let standard = KeywordList(entries: [
    Entry("happy birthday", Sticker.cake), Entry("so cold", Sticker.snow),
    Entry("生日快乐", Sticker.cake), Entry("天冷了", Sticker.snow),
  ])

  /// Stickers by the names that a list may use; the kinds are the places.
  public static let stickers = [
    "smile", "robot", "orange", "pizza", "donut", "ghost", "cat", "rainbow", "planet", "cactus",
    "daisy", "boba", "ball", "heart", "egg", "frog", nil, nil, "snow", "cake",
  ]

  /// Most phrases: each message is compared with all.
  public static let mostPhrases = 256
  /// Longest phrase in bytes of UTF-8: what fits a message.
  public static let longestPhrase = 64

  private init(entries: [Entry]) { self.entries = entries }

  /// A list of lines `phrase = sticker`, where the sticker is one of `stickers`. Empty lines and
  /// those that begin with # are left out. Throws `KeywordError` for anything else.
  public init(lines: [String]) throws(KeywordError) {
    var entries: [Entry] = []
    for (index, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty || text.hasPrefix("#") { continue }
      entries.append(try Self.entry(text, line: index + 1))
    }
    guard entries.count <= Self.mostPhrases else { throw .tooMany(entries.count) }
    self.entries = entries
  }

  private static func entry(_ text: String, line: Int) throws(KeywordError) -> Entry {
    guard let separator = text.lastIndex(of: "=") else { throw .noSticker(line: line) }
    let phrase = text[..<separator].trimmingCharacters(in: .whitespaces)
    let name = text[text.index(after: separator)...].trimmingCharacters(in: .whitespaces)
    guard !phrase.isEmpty else { throw .noPhrase(line: line) }
    guard phrase.utf8.count <= longestPhrase, folded(phrase).utf8.count <= longestPhrase else {
      throw .longPhrase(line: line)
    }
    guard let kind = stickers.firstIndex(of: name.lowercased()) else {
      throw .unknownSticker(name, line: line)
    }
    return Entry(phrase, UInt8(kind))
  }

  /// The phrases as somebody would type them, in the list's order.
  public var phrases: [String] { entries.map(\.written) }

  /// The kind of sticker that the words bring; of several phrases the first of the list decides.
  public func sticker(in words: String) -> UInt8? {
    let text = Self.folded(words)
    return entries.first { Self.holds(text, $0.phrase) }?.kind
  }

  /// One form for all ways to write the same: compatible characters, small letters, single spaces.
  private static func folded(_ text: String) -> String {
    text.precomposedStringWithCompatibilityMapping.lowercased()
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func holds(_ text: String, _ phrase: String) -> Bool {
    var rest = text[...]
    while let range = rest.range(of: phrase) {
      let before = range.lowerBound > text.startIndex ? text[..<range.lowerBound].last : nil
      let after = text[range.upperBound...].first
      if !joins(before, phrase.first), !joins(phrase.last, after) { return true }
      rest = rest[text.index(after: range.lowerBound)...]
    }
    return false
  }

  /// Whether two neighbours are letters of one Latin word.
  private static func joins(_ a: Character?, _ b: Character?) -> Bool {
    guard let a, let b else { return false }
    return isLatin(a) && isLatin(b)
  }

  private static func isLatin(_ character: Character) -> Bool {
    character.isLetter && character.unicodeScalars.first!.value < 0x250
  }
}

/// What is wrong with a list of keywords.
public enum KeywordError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A line without `=`.
  case noSticker(line: Int)
  /// Nothing before `=`.
  case noPhrase(line: Int)
  /// More than 64 bytes before `=`.
  case longPhrase(line: Int)
  /// No sticker has this name.
  case unknownSticker(String, line: Int)
  /// More than 256 phrases.
  case tooMany(Int)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .noSticker(let line): "keyword \(line): write it as 'phrase = sticker'"
    case .noPhrase(let line): "keyword \(line): there is no phrase before '='"
    case .longPhrase(let line):
      "keyword \(line): a phrase has at most \(KeywordList.longestPhrase) bytes"
    case .unknownSticker(let name, let line):
      "keyword \(line): there is no sticker '\(name)'; there are "
        + KeywordList.stickers.compactMap(\.self).joined(separator: ", ")
    case .tooMany(let count):
      "\(count) keywords are too many: at most \(KeywordList.mostPhrases)"
    }
  }
}
