import Testing

/// ARCHITECTURE.md names functions; they must be where it says.
@Suite struct ArchitectureTests {
  @Test func theHotPathsFunctionsExist() throws {
    let tree = SourceTree()
    let rows = try tree.text(of: "ARCHITECTURE.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "`") }
    #expect(rows.count > 15)
    for row in rows {
      let (path, function) = (String(row[1]), String(row[3]))
      let text = try tree.text(of: path)
      #expect(text.contains(function + "("), "\(path) has no \(function)")
    }
  }
}
