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
    #expect(text.contains("  1, PROTOCOL_VERSION, 0,"))
  }

  // MARK: The repository's own version

  /// The changelog's first section is that of the version that the server names, and it has the
  /// number of the golden hashes: nobody changes those without a word to whoever depends on them.
  @Test func theChangelogNamesTheVersionAndItsBits() throws {
    let version = try Self.serverVersion()
    let changes = try SourceTree().text(of: "CHANGELOG.md").split(separator: "\n")
    let titles = changes.filter { $0.hasPrefix("## ") }
    let number = version.replacing("-dev", with: "")
    if version.hasSuffix("-dev") {
      #expect(titles.first == "## Unreleased (\(number))")
    } else {
      #expect(titles.first?.hasPrefix("## \(number) (") == true)
    }
    #expect(Set(titles).count == titles.count)

    let core = changes.first { $0.hasPrefix("Core: ") }?.dropFirst("Core: ".count)
    let words = "public static let goldens: UInt64 = 0x"
    let pinned = try SourceTree().text(of: "Sources/Simulation/CoreVersion.swift")
      .split(separator: "\n").first { $0.contains(words) }?
      .split(separator: "x").last?.filter { $0 != "_" }
    #expect(core != nil && core.map(String.init) == pinned, "see CONTRIBUTING.md, Versions")
  }

  /// The lines to copy ask for the newest version that has a tag, or for the branch while there is
  /// none, and name a product that is there.
  @Test func theReadmesLinesCanBeCopied() throws {
    let released = try SourceTree().text(of: "CHANGELOG.md").split(separator: "\n")
      .first { $0.hasPrefix("## ") && !$0.hasPrefix("## Unreleased") }
    let number = released?.dropFirst("## ".count).prefix { $0 != " " }
    let wanted = number.map { "from: \"\($0)\", traits: [])" } ?? "branch: \"main\", traits: [])"
    for path in ["README.md", "docs/IOS-APP.md"] {
      let line = try SourceTree().text(of: path).split(separator: "\n")
        .first { $0.contains(".package(url:") }
      #expect(line?.hasSuffix(wanted) == true, "\(path) should ask for \(wanted)")
    }
    let readme = try SourceTree().text(of: "README.md")
    #expect(readme.contains(".product(name: \"Dynamics\", package: \"stickerpit\")"))
    let manifest = try SourceTree().text(of: "Package.swift")
    #expect(manifest.contains("name: \"stickerpit\",\n  products: ["))
    #expect(manifest.contains(".library(name: \"Dynamics\", targets: [\"Dynamics\"])"))
  }

  /// A product of another package that is not behind the trait is fetched by everybody.
  @Test func everyForeignProductIsBehindTheTrait() throws {
    let lines = try SourceTree().text(of: "Package.swift").split(separator: "\n")
    let products = lines.filter { $0.contains(".product(name") }
    #expect(products.count == 1 && products[0].contains(".when(traits: [\"Server\"])"))
    #expect(lines.contains { $0.contains("serverProduct(\"GRDB\"") })
  }

  private static func serverVersion() throws -> String {
    let text = try SourceTree().text(of: "Sources/Server/Server.swift")
    let line = try #require(
      text.split(separator: "\n").first { $0.contains("public static let text = ") })
    return String(line.split(separator: "\"")[1])
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
