import Foundation
import Testing

/// Listings of the documentation stand word for word in code that is compiled and run, so that none
/// of them can go stale.
@Suite struct ListingTests {
  /// Where listings of a module's documentation may stand.
  static let homes = [
    "Physics": ["Tests/PhysicsTests/Examples"],
    "Dynamics": ["Tests/Consumer/Sources", "Tests/DynamicsTests/Examples"],
    "Simulation": ["Sources/Simulation", "Tests/SimulationTests"],
  ]

  @Test(arguments: ["Physics", "Dynamics", "Simulation"])
  func listingsAreCompiledSomewhere(_ module: String) throws {
    let tree = SourceTree()
    let articles = try tree.files(below: "Sources/\(module)", extensions: ["md", "swift"])
    let code = try (Self.homes[module] ?? []).flatMap {
      try tree.files(below: $0, extensions: ["swift"]).map { Self.essence($0.lines) }
    }
    var listings = 0
    for article in articles {
      for listing in Self.listings(in: article) where listing.first != "// UIKit" {
        listings += 1
        let lines = Self.essence(listing)
        #expect(
          !lines.isEmpty && code.contains { Self.contains($0, lines) },
          "\(article.path): not found in \(Self.homes[module] ?? []):\n\(listing)")
      }
    }
    #expect(listings > 5)
  }

  /// The article's app has the length that its title promises, and what of it needs no framework of
  /// Apple's is compiled: the block without SwiftUI.
  @Test func theAppIsShortAndItsPlainPartIsCompiled() throws {
    let tree = SourceTree()
    let articles = try tree.files(below: "docs", extensions: ["md"])
    let article = try #require(articles.first { $0.path == "docs/IOS-APP.md" })
    let listings = Self.listings(in: article)
    #expect(listings.map(\.count).reduce(0, +) <= 60)
    let plain = listings.filter { !$0.contains("import SwiftUI") }
    #expect(plain.count == 1 && listings.count == 2)
    let code = try tree.files(below: "Tests/StickerPitClientTests/Examples", extensions: ["swift"])
      .map { Self.essence($0.lines) }
    for listing in plain {
      #expect(code.contains { Self.contains($0, Self.essence(listing)) }, "\(listing)")
    }
  }

  /// The fenced blocks of Swift in an article, or in the doc comments of a source file.
  private static func listings(in file: SourceTree.File) -> [[String]] {
    let isArticle = file.path.hasSuffix(".md")
    var found: [[String]] = []
    var current: [String]?
    for line in file.lines {
      var text = line.trimmingCharacters(in: .whitespaces)
      if !isArticle {
        guard text.hasPrefix("///") else { continue }
        text = text.dropFirst(3).trimmingCharacters(in: .whitespaces)
      }
      if text == "```swift" {
        current = []
      } else if text == "```" {
        if let listing = current { found.append(listing) }
        current = nil
      } else {
        current?.append(text)
      }
    }
    return found
  }

  /// Lines without their indentation, empty lines, comments and imports.
  private static func essence(_ lines: [String]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
  }

  private static func contains(_ code: [String], _ lines: [String]) -> Bool {
    guard lines.count <= code.count else { return false }
    return (0...code.count - lines.count).contains { start in
      code[start..<start + lines.count].elementsEqual(lines)
    }
  }
}
