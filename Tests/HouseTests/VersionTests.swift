import Testing

/// The protocol's version stands in Swift, and beside it where something says hello that is not
/// written in Swift. A server refuses any other version, so a forgotten one breaks a tool that no
/// test runs.
@Suite struct VersionTests {
  /// Where else it stands, and what is written before it.
  static let copies = [
    (path: "Benchmarks/fanout/client.h", words: "#define PROTOCOL_VERSION "),
    (path: "Tests/Interop/pitclient/messages.py", words: "VERSION = "),
    (path: "Tests/Interop/test_protocol.py", words: "VERSION = "),
  ]

  @Test func everybodySpeaksTheSame() throws {
    let tree = SourceTree()
    let current = try Self.number(
      behind: "public static let current: UInt16 = ",
      in: tree.text(of: "Sources/Wire/Wire.swift"))
    #expect(current != nil)
    for copy in Self.copies {
      let number = try Self.number(behind: copy.words, in: tree.text(of: copy.path))
      #expect(number == current, "\(copy.path) names another version than WireVersion.current")
    }
  }

  /// A number that is written where a hello is made would be a copy that nobody looks at.
  @Test func helloesOfTheLoadNameTheConstant() throws {
    let text = try SourceTree().text(of: "Benchmarks/fanout/client.c")
    #expect(text.contains("hello[6] = {1, PROTOCOL_VERSION, 0,"))
  }

  /// The number that follows some words at the beginning of a line; nil if no line has them.
  private static func number(behind words: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let line = line.drop(while: { $0 == " " })
      guard line.hasPrefix(words) else { continue }
      return Int(line.dropFirst(words.count).prefix(while: \.isNumber))
    }
    return nil
  }
}
