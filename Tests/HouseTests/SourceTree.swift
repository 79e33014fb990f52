import Foundation

/// The repository's own files, read as text, for the tests that keep the house in order.
struct SourceTree {
  struct File {
    /// Path from the repository's root.
    let path: String
    let lines: [String]

    /// The lines with comments and string literals blanked, so that prose is never taken for code.
    let code: [String]
  }

  let root: URL

  init() {
    root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// A whole file.
  func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Every file below a folder whose name ends in one of the extensions, in path order.
  func files(below folder: String, extensions: Set<String>) throws -> [File] {
    let start = root.appendingPathComponent(folder)
    guard let walk = FileManager.default.enumerator(atPath: start.path) else { return [] }
    var found: [File] = []
    for case let relative as String in walk {
      let parts = relative.split(separator: "/")
      guard !parts.contains(where: { $0.hasPrefix(".") || $0 == "node_modules" }),
        extensions.contains((relative as NSString).pathExtension)
      else { continue }
      let text = try String(contentsOf: start.appendingPathComponent(relative), encoding: .utf8)
      let lines = text.components(separatedBy: "\n")
      found.append(File(path: "\(folder)/\(relative)", lines: lines, code: Self.blanked(lines)))
    }
    return found.sorted { $0.path < $1.path }
  }

  /// The modules a Swift file imports, whatever stands before `import`.
  static func imports(of file: File) -> [String] {
    file.code.compactMap { line in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
        words[..<at].allSatisfy({ $0.hasPrefix("@") || $0 == "public" || $0 == "internal" })
      else { return nil }
      // `import struct Foundation.URL` names the kind first.
      let name = at + 2 < words.count ? words[at + 2] : words[at + 1]
      return String(name.split(separator: ".")[0])
    }
  }

  private static func blanked(_ lines: [String]) -> [String] {
    var inBlockComment = false
    var inMultilineString = false
    return lines.map { line in
      if line.contains("\"\"\"") {
        inMultilineString.toggle()
        return ""
      }
      if inMultilineString { return "" }
      return blanked(line, inBlockComment: &inBlockComment)
    }
  }

  private static func blanked(_ line: String, inBlockComment: inout Bool) -> String {
    var out = ""
    var inString = false
    var previous: Character = " "
    for character in line {
      if inBlockComment {
        if previous == "*" && character == "/" { inBlockComment = false }
      } else if inString {
        if character == "\"" && previous != "\\" { inString = false }
      } else if character == "\"" {
        inString = true
      } else if previous == "/" && character == "/" {
        out.removeLast()
        return out
      } else if previous == "/" && character == "*" {
        out.removeLast()
        inBlockComment = true
      } else {
        out.append(character)
      }
      previous = character
    }
    return out
  }
}
