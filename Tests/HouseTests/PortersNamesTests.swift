import Foundation
import Testing

/// The unavailable declarations of UIKit's names lead somewhere: the compiler offers what they say
/// without looking whether it is there.
@Suite struct PortersNamesTests {
  private static let home = "Sources/Dynamics/API/UIKitNames.swift"

  @Test func everyNewNameIsDeclared() throws {
    let tree = SourceTree()
    let code = try ["Sources/Dynamics", "Sources/Physics"].flatMap {
      try tree.files(below: $0, extensions: ["swift"]).filter { $0.path != Self.home }
    }.flatMap(\.code)
    let names = try tree.text(of: Self.home).matches(of: /renamed:\s*"([^"]+)"/).map {
      String($0.output.1)
    }
    #expect(names.count > 50)
    for name in Set(names) {
      let base = name.prefix { $0 != "(" }
      let pattern =
        base == "init"
        ? "\\bpublic init\\(" : "\\b(?:struct|enum|func|var|let|typealias) \(base)\\b"
      let declaration = try Regex(pattern)
      #expect(
        code.contains { $0.firstMatch(of: declaration.wordBoundaryKind(.simple)) != nil }, "\(name)"
      )
    }
  }

  /// The article has a row for each of UIKit's types that the compiler knows.
  @Test func everyTypeIsInTheArticle() throws {
    let tree = SourceTree()
    let article = try tree.text(of: "Sources/Dynamics/Dynamics.docc/UIKitMembers.md")
    let types = try tree.text(of: Self.home).matches(of: /typealias (UI\w+) =/).map {
      String($0.output.1)
    }
    #expect(types.count > 10)
    for type in types { #expect(article.contains(type), "\(type)") }
  }
}
