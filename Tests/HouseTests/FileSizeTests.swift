import Testing

/// A file holds one noun: at most 500 lines of at most 100 columns.
@Suite struct FileSizeTests {
  static let longest = 500
  static let widest = 100
  static let folders = ["Sources", "Tests", "web", "Benchmarks", "deploy", "scripts"]

  @Test func noFilePassesTheLimit() throws {
    let extensions: Set = ["swift", "js", "mjs", "css", "html", "c", "h", "cpp", "py", "sh"]
    var seen = 0
    for folder in Self.folders {
      for file in try SourceTree().files(below: folder, extensions: extensions) {
        seen += 1
        #expect(
          file.lines.count - 1 <= Self.longest, "\(file.path) has \(file.lines.count - 1) lines")
        guard file.path.hasSuffix(".swift") else { continue }
        for (number, line) in file.lines.enumerated() where line.count > Self.widest {
          Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
        }
      }
    }
    #expect(seen > 50, "the walk found only \(seen) files")
  }
}
