import Foundation
import Testing

/// Whoever imports our libraries beside SwiftUI writes our types' names as they are. That none of
/// them is ambiguous the compiler checks in Tests/Consumer, where the module AppleNames stands for
/// Apple's frameworks; here is checked that no name is missing there.
@Suite struct PublicNamesTests {
  /// What apps import, with what it re-exports.
  private static let modules = ["Determinism", "Physics", "Dynamics", "StickerPitClient"]
  /// Where each of our names is written.
  private static let tried = "Tests/Consumer/Sources/Consumer/OurNames.swift"
  /// UIKit's names, which are meant to be the same and are unavailable.
  private static let unavailable = "Sources/Dynamics/API/UIKitNames.swift"

  @Test func everyPublicTypeIsTriedBesideApplesNames() throws {
    let types = try Self.publicTypes()
    #expect(types.count > 80)
    // What needs Apple's frameworks is not there on Linux: only the next test looks at its names.
    let plain = types.filter { $0.path != Self.unavailable && !$0.path.contains("/Apple/") }
    try Self.expectAliases("Our", of: Set(plain.map { $0.name }))
    let theirs = types.filter { $0.path == Self.unavailable }
    try Self.expectAliases("Their", of: Set(theirs.map { $0.name }))
  }

  @Test func noPublicTypeHasANameOfApples() throws {
    let pattern = /public enum (\w+) \{\}/
    var apples: Set<String> = []
    let files = try SourceTree().files(
      below: "Tests/Consumer/Sources/AppleNames", extensions: ["swift"])
    for line in files.flatMap(\.code) {
      if let match = line.wholeMatch(of: pattern) { apples.insert(String(match.output.1)) }
    }
    #expect(apples.count > 400)
    for type in try Self.publicTypes() {
      #expect(
        apples.contains(type.name) == (type.path == Self.unavailable),
        "\(type.path): is \(type.name) a name of Apple's?")
    }
  }

  @Test func nothingElseIsReexported() throws {
    let words = "@_exported import "
    for module in Self.modules {
      for file in try SourceTree().files(below: "Sources/\(module)", extensions: ["swift"]) {
        for line in file.code where line.hasPrefix(words) {
          #expect(Self.modules.contains(String(line.dropFirst(words.count))), "\(file.path)")
        }
      }
    }
  }

  /// The public types that stand in no other, and where.
  private static func publicTypes() throws -> [(name: String, path: String)] {
    let pattern = /public (?:[a-z]+ )*(?:struct|enum|class|protocol|actor|typealias) (\w+)/
    var found: [(name: String, path: String)] = []
    for module in modules {
      for file in try SourceTree().files(below: "Sources/\(module)", extensions: ["swift"]) {
        var depth = 0
        for line in file.code {
          if depth == 0, let match = line.firstMatch(of: pattern) {
            found.append((name: String(match.output.1), path: file.path))
          }
          for character in line { depth += character == "{" ? 1 : character == "}" ? -1 : 0 }
        }
        #expect(depth == 0, "\(file.path): its braces are not understood")
      }
    }
    return found
  }

  /// The aliases of a prefix, such as `typealias OurItem = Item`, are those of `names`.
  private static func expectAliases(_ prefix: String, of names: Set<String>) throws {
    let pattern = /typealias (Our|Their)(\w+) = (\w+)/
    var aliases: Set<String> = []
    let text = try SourceTree().text(of: tried)
    for match in text.matches(of: pattern) where match.output.1 == prefix {
      #expect(match.output.2 == match.output.3)
      aliases.insert(String(match.output.3))
    }
    #expect(names.subtracting(aliases).isEmpty, "public types that \(tried) leaves out")
    #expect(aliases.subtracting(names).isEmpty, "\(tried) has more than there is")
  }
}
