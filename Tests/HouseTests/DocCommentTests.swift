import Foundation
import Testing

/// Whoever uses a library reads its declarations: each public one says what it is.
@Suite struct DocCommentTests {
  @Test(arguments: [
    ("Determinism", 10), ("Physics", 100), ("Dynamics", 100), ("StickerPitClient", 60),
    ("StickerPitSocket", 5),
  ])
  func everyPublicDeclarationHasADocComment(_ module: String, _ atLeast: Int) throws {
    var declarations = 0
    for file in try SourceTree().files(below: "Sources/\(module)", extensions: ["swift"]) {
      for (number, line) in file.code.enumerated() where Self.declares(line) {
        declarations += 1
        #expect(
          Self.isDocumented(number, in: file.lines),
          "\(file.path):\(number + 1): no doc comment: \(file.lines[number])")
      }
    }
    #expect(declarations >= atLeast)
  }

  /// A tag behind a sentence or behind another tag is overlooked.
  @Test func eachTagOfThePagesCommentsBeginsItsLine() throws {
    var tags = 0
    for file in try SourceTree().files(below: "web", extensions: ["js"]) {
      for (number, line) in file.lines.enumerated() {
        for tag in ["@param ", "@returns "] {
          let parts = line.components(separatedBy: tag)
          guard parts.count > 1 else { continue }
          tags += 1
          let isFirst = ["*", "/**"].contains(parts[0].trimmingCharacters(in: .whitespaces))
          #expect(isFirst && parts.count == 2, "\(file.path):\(number + 1): \(line)")
        }
      }
    }
    #expect(tags > 500)
  }

  private static func declares(_ line: String) -> Bool {
    let words = line.split(whereSeparator: { " (".contains($0) })
    let kinds: Set<Substring> = [
      "func", "var", "let", "struct", "enum", "class", "protocol", "init", "init?", "subscript",
      "typealias",
    ]
    return words.contains("public") && words.contains(where: kinds.contains)
  }

  /// Attributes may stand between a comment and what it is about, long ones on lines of their own.
  private static func isDocumented(_ number: Int, in lines: [String]) -> Bool {
    var open = 0
    for above in lines[..<number].reversed() {
      let text = above.drop(while: { $0 == " " })
      if text.hasPrefix("///") { return true }
      for character in text { open += character == ")" ? 1 : character == "(" ? -1 : 0 }
      if open <= 0 && !text.hasPrefix("@") { return false }
    }
    return false
  }
}
