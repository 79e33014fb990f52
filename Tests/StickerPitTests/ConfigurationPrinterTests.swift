import Testing

@testable import stickerpit

/// What is printed can be read again, and says where it came from.
@Suite struct ConfigurationPrinterTests {
  @Test func readingWhatWasPrintedGivesTheSame() throws {
    var flags = try Given.flags(
      ["port": "9", "host": "a \"b\" \\ \n é 😀", "tls-cert": "/c", "tls-key": "//k"],
      limits: ["connections=9000", "traffic.idle-seconds=3"])
    try flags.add("keyword", ["so warm=cactus", "生日=cake"])
    for resolved in [try Given.resolved(), try Given.resolved(flags: flags)] {
      let text = ConfigurationPrinter(configuration: resolved).file
      let again = try Given.resolved(file: text)
      #expect(again.values == resolved.values)
      #expect(ConfigurationPrinter(configuration: again).file == text)
    }
  }

  /// Every value is printed, also those of a world that has been changed throughout.
  @Test func everyValueIsPrinted() throws {
    var flags = GivenFlags()
    // A certificate of the server's own excludes the one that is named, a shared world a journal,
    // and another scene than the pit another shape.
    let settings = Setting.all.filter {
      !["tls-self-signed", "data", "shape"].contains($0.key)
    }
    for setting in settings {
      let text = PrecedenceTests.example(of: setting)
      let content = setting.isList ? [text] : nil
      if let content {
        try flags.add(setting.key, content)
      } else {
        try flags.add(setting.key, .string(text), as: setting.flag)
      }
    }
    let resolved = try Given.resolved(flags: flags)
    #expect(settings.allSatisfy { resolved.source(of: $0.key) != .standard })
    let again = try Given.resolved(file: ConfigurationPrinter(configuration: resolved).file)
    #expect(again.values == resolved.values)
    for setting in settings {
      #expect(setting.value(in: again.values) != setting.value(in: ServeConfiguration()))
    }
  }

  @Test func theSourceOfEachKeyIsListed() throws {
    let resolved = try Given.resolved(
      flags: try Given.flags(limits: ["connections-per-address=9000"]),
      environment: ["STICKERPIT_PORT": "1"], file: #"{"web": "x"}"#)
    let lines = ConfigurationPrinter(configuration: resolved).sources.split(separator: "\n")
    let rows = lines.map { $0.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } } }
    #expect(rows.map { String($0[0]) } == Setting.all.map(\.key))
    let sources = Dictionary(uniqueKeysWithValues: rows.map { (String($0[0]), String($0[1])) })
    #expect(sources["port"] == "STICKERPIT_PORT")
    #expect(sources["web"] == "config.json")
    #expect(sources["host"] == "default")
    #expect(sources["limits.connections-per-address"] == "--limit connections-per-address")
    #expect(
      sources["limits.connections"] == "default, to fit limits.connections-per-address")
  }
}
