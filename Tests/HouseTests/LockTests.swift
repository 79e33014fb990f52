import Testing

/// ARCHITECTURE.md says that no lock is held while bytes are written: whoever waits for the lock
/// would wait for a socket or a disk.
@Suite struct LockTests {
  /// What writes bytes, or calls somebody who does.
  private static var writes: Regex<Substring> {
    /\b(?:send|write|writev|pwrite|fwrite|sendmsg|fsync|wake)\s*\(|lws_write/
  }

  /// A block that runs with a lock held, and the number of its first line.
  private struct Held {
    let line: Int
    let code: [Substring]
  }

  /// The blocks of `withLock`, by counting braces.
  private static func held(in code: [String]) -> [Held] {
    let text = code.joined(separator: "\n")
    var blocks: [Held] = []
    for match in text.matches(of: /withLock\s*\(?\s*\{/) {
      var depth = 1
      let rest = text[match.range.upperBound...].prefix { character in
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
        return depth > 0
      }
      let line = text[..<match.range.upperBound].count(where: { $0 == "\n" }) + 1
      blocks.append(
        Held(line: line, code: rest.split(separator: "\n", omittingEmptySubsequences: false)))
    }
    return blocks
  }

  private static func offences(in code: [String]) -> [Int] {
    held(in: code).flatMap { block in
      block.code.enumerated().filter {
        $0.element.firstMatch(of: writes.wordBoundaryKind(.simple)) != nil
      }.map { block.line + $0.offset }
    }
  }

  @Test(arguments: ["Server", "Transport"]) func nothingIsWrittenUnderALock(
    _ module: String
  ) throws {
    let files = try SourceTree().files(below: "Sources/\(module)", extensions: ["swift"])
    #expect(files.map { Self.held(in: $0.code).count }.reduce(0, +) > 10, "locks are found")
    for file in files {
      for line in Self.offences(in: file.code) {
        Issue.record("\(file.path):\(line) writes while a lock is held: \(file.lines[line - 1])")
      }
    }
  }

  @Test func theRuleCatchesWhatItNames() {
    let code = [
      "let a = state.withLock {", "  if $0.isOpen {", "    file.write(bytes)", "  }", "}",
      "state.withLock { $0.service?.wake() }",
      "let b = state.withLock({ $0.count })", "connection.send(frame)",
      "let next = state.withLock { state in", "  state.sent += 1", "  return state.next", "}",
      "next?.wake()",
    ]
    #expect(Self.offences(in: code) == [3, 6])
  }
}
