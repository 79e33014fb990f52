import Foundation
import Testing

@testable import stickerpit

/// CONFIGURATION.md shows the table of keys as the program has it. After a change,
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter ConfigurationTable` writes it anew.
@Suite struct ConfigurationTableTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("CONFIGURATION.md")

  @Test(.serialized, arguments: ["general", "limits", "traffic"])
  func theDocumentHasTheTable(_ name: String) throws {
    let table =
      switch name {
      case "general": ConfigurationTable.general
      case "limits": ConfigurationTable.limits
      default: ConfigurationTable.traffic
      }
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let (begin, end) = ("<!-- \(name) -->\n", "\n<!-- end -->")
    let start = try #require(text.range(of: begin), "the mark of \(name) is missing")
    let rest = text[start.upperBound...]
    let stop = try #require(rest.range(of: end))
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      let whole = text[..<start.upperBound] + table + text[stop.lowerBound...]
      try String(whole).write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(rest[..<stop.lowerBound] == table)
    }
  }
}
