import Foundation

/// Text in one form for all ways to write the same: compatible characters, small letters, single
/// spaces, as UTF-8.
struct FoldedText: Sendable, Equatable {
  let bytes: [UInt8]
  /// What begins at each byte, and at the end.
  fileprivate let kinds: [Kind]

  /// What matters of a character for where phrases begin and end.
  fileprivate enum Kind: UInt8 {
    /// The inside of a character.
    case inside
    /// A letter of a Latin word.
    case latin
    /// An accent or the like, which belongs to the character before.
    case mark
    case other
  }

  init(_ text: String) {
    var bytes: [UInt8] = []
    var kinds: [Kind] = []
    for scalar in Self.folded(text).unicodeScalars {
      kinds.append(Self.kind(of: scalar))
      for byte in UTF8.encode(scalar)! {
        bytes.append(byte)
        if kinds.count < bytes.count { kinds.append(.inside) }
      }
    }
    kinds.append(.other)
    self.bytes = bytes
    self.kinds = kinds
  }

  private static func folded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    return (isPlain ? text : text.precomposedStringWithCompatibilityMapping).lowercased()
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    if scalar.value < 0x250 { return scalar.properties.isAlphabetic ? .latin : .other }
    return scalar.properties.generalCategory == .nonspacingMark ? .mark : .other
  }

  /// Whether the text's first or last character is a Latin letter.
  fileprivate var beginsLatin: Bool { kinds[0] == .latin }
  fileprivate var endsLatin: Bool { isLatin(before: bytes.count) }

  /// Whether the character that ends at `place` is a Latin letter.
  fileprivate func isLatin(before place: Int) -> Bool {
    var place = place - 1
    while place >= 0, kinds[place] == .inside || kinds[place] == .mark { place -= 1 }
    return place >= 0 && kinds[place] == .latin
  }
}

/// Finds which of many phrases stand in a text, comparing each byte with few of them: the phrases
/// are sorted, so those that begin as the text does lie side by side, and each further byte leaves
/// a part of them.
struct PhraseIndex: Sendable, Equatable {
  private struct Phrase: Sendable, Equatable {
    let text: FoldedText
    /// Its place in the list.
    let place: Int
  }

  /// What a search found.
  struct Finding: Equatable {
    /// The first of the list's phrases that stand in the text.
    var place: Int?
    /// Bytes that were compared.
    var comparisons = 0
  }

  /// In ascending order of bytes; what begins with another phrase comes after it.
  private let phrases: [Phrase]
  /// Where the phrases that begin with a byte start, and for 256 the end.
  private let starts: [Int]

  init(_ list: [String]) {
    phrases = list.enumerated().map { Phrase(text: FoldedText($1), place: $0) }
      .filter { !$0.text.bytes.isEmpty }
      .sorted { $0.text.bytes.lexicographicallyPrecedes($1.text.bytes) }
    starts = (0...256).map { [phrases] byte in
      phrases.firstIndex { Int($0.text.bytes[0]) >= byte } ?? phrases.count
    }
  }

  /// Looks for the phrases. Where one begins or ends with a Latin letter it is found as whole words
  /// only.
  func search(_ text: FoldedText) -> Finding {
    var finding = Finding()
    for start in text.bytes.indices where text.kinds[start] != .inside {
      search(text, from: start, &finding)
    }
    return finding
  }

  private func search(_ text: FoldedText, from start: Int, _ finding: inout Finding) {
    var low = starts[Int(text.bytes[start])]
    var high = starts[Int(text.bytes[start]) + 1]
    finding.comparisons += 1
    var depth = 1
    while low < high {
      if phrases[low].text.bytes.count == depth {
        note(phrases[low], in: text, from: start, &finding)
        low += 1
        continue
      }
      guard start + depth < text.bytes.count else { return }
      narrow(&low, &high, to: text.bytes[start + depth], at: depth, &finding.comparisons)
      depth += 1
    }
  }

  /// Leaves those of the phrases that have a byte at a depth.
  private func narrow(
    _ low: inout Int, _ high: inout Int, to byte: UInt8, at depth: Int, _ comparisons: inout Int
  ) {
    comparisons += 2
    // As a rule they all have the same one.
    if phrases[low].text.bytes[depth] == byte, phrases[high - 1].text.bytes[depth] == byte {
      return
    }
    low = firstPhrase(from: low, to: high, at: depth, notBelow: Int(byte), &comparisons)
    high = firstPhrase(from: low, to: high, at: depth, notBelow: Int(byte) + 1, &comparisons)
  }

  private func firstPhrase(
    from low: Int, to high: Int, at depth: Int, notBelow byte: Int, _ comparisons: inout Int
  ) -> Int {
    var (low, high) = (low, high)
    while low < high {
      comparisons += 1
      let middle = (low + high) / 2
      if Int(phrases[middle].text.bytes[depth]) < byte { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func note(
    _ phrase: Phrase, in text: FoldedText, from start: Int, _ finding: inout Finding
  ) {
    if let best = finding.place, best < phrase.place { return }
    let end = start + phrase.text.bytes.count
    let splitsBefore = phrase.text.beginsLatin && text.isLatin(before: start)
    let splitsAfter = phrase.text.endsLatin && text.kinds[end] == .latin
    guard !splitsBefore, !splitsAfter, text.kinds[end] != .mark else { return }
    finding.place = phrase.place
  }
}
