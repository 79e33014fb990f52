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
    let kind: UInt8

    init(_ written: String, _ kind: UInt8) {
      self.written = written
      self.kind = kind
    }
  }

  private let entries: [Entry]
  private let index: PhraseIndex

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

  private init(entries: [Entry]) {
    self.entries = entries
    index = PhraseIndex(entries.map(\.written))
  }

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
    self.init(entries: entries)
  }

  private static func entry(_ text: String, line: Int) throws(KeywordError) -> Entry {
    guard let separator = text.lastIndex(of: "=") else { throw .noSticker(line: line) }
    let phrase = text[..<separator].trimmingCharacters(in: .whitespaces)
    let name = text[text.index(after: separator)...].trimmingCharacters(in: .whitespaces)
    guard !phrase.isEmpty else { throw .noPhrase(line: line) }
    guard phrase.utf8.count <= longestPhrase, FoldedText(phrase).bytes.count <= longestPhrase
    else {
      throw .longPhrase(line: line)
    }
    guard let kind = stickers.firstIndex(of: name.lowercased()) else {
      throw .unknownSticker(name, line: line)
    }
    return Entry(phrase, UInt8(kind))
  }

  /// The phrases as somebody would type them, in the list's order.
  public var phrases: [String] { entries.map(\.written) }

  /// The kinds of stickers that the phrases bring, in the list's order.
  public var kinds: [UInt8] { entries.map(\.kind) }

  /// The kind of sticker that the words bring; of several phrases the first of the list decides.
  public func sticker(in words: String) -> UInt8? {
    search(words).place.map { entries[$0].kind }
  }

  /// What looking for the phrases found, and how many bytes it compared.
  func search(_ words: String) -> PhraseIndex.Finding { index.search(FoldedText(words)) }
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
