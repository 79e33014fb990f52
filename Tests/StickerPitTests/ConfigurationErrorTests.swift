import Testing

@testable import stickerpit

/// Every refusal is a line that names key, source and what would do.
@Suite struct ConfigurationErrorTests {
  @Test(arguments: [
    ("port", "70000", "--port must be 0 to 65535, not 70000"),
    ("port", "abc", "--port must be 0 to 65535, not 'abc'"),
    ("port", "-1", "--port must be 0 to 65535, not -1"),
    ("port", "", "--port must be 0 to 65535, not ''"),
    ("seed", "18446744073709551616", "--seed must be 0 to 18446744073709551615, not "),
    ("scene", "beach", "--scene must be one of pit, rain, gallery, drag, toss, not 'beach'"),
    ("check-frames", "maybe", "--check-frames must be true or false, not 'maybe'"),
    ("host", "", "--host must be a text that is not empty, not ''"),
    ("tls-cert", "a.pem", "--tls-cert needs --tls-key"),
    ("bodies", "5000", "--bodies: 5000 bodies at the start are not possible: choose 0 to 4096"),
  ])
  func aFlagIsBadUsage(_ key: String, _ text: String, _ words: String) throws {
    let flags = try Given.flags([key: text])
    let error = try #require(Given.error { _ = try Given.resolved(flags: flags) })
    #expect(error.description.hasPrefix(words), "\(error)")
    #expect(error.isBadUsage)
  }

  @Test(arguments: [
    ("STICKERPIT_PORT", "abc", "STICKERPIT_PORT must be 0 to 65535, not 'abc'"),
    (
      "STICKERPIT_LIMITS_CONNECTIONS_PER_ADDRESS", "0",
      "STICKERPIT_LIMITS_CONNECTIONS_PER_ADDRESS must be 1 to 32000, not 0"
    ),
    ("STICKERPIT_ALLOWED_HOST", "a.b,https://x", "STICKERPIT_ALLOWED_HOST must be a list of"),
    (
      "STICKERPIT_ORIGIN", "https://pit.example, *",
      "STICKERPIT_ORIGIN must be a list of origins such as https://example.org or "
        + "http://10.0.0.7:8080, without a path, not '*'"
    ),
    ("STICKERPIT_KEYWORD", "fire=dragon", "STICKERPIT_KEYWORD: keyword 1: there is no sticker"),
    ("STICKERPIT_TLS_KEY", "k.pem", "STICKERPIT_TLS_KEY needs STICKERPIT_TLS_CERT"),
    (
      "STICKERPIT_PROT", "1",
      "STICKERPIT_PROT is no variable of this program; the nearest is STICKERPIT_PORT"
    ),
    (
      "STICKERPIT_LIMIT_CONNECTIONS", "1",
      "STICKERPIT_LIMIT_CONNECTIONS is no variable of this program; "
        + "the nearest is STICKERPIT_LIMITS_CONNECTIONS"
    ),
    (
      "STICKERPIT_CONFG", "x",
      "STICKERPIT_CONFG is no variable of this program; the nearest is STICKERPIT_CONFIG"
    ),
  ])
  func aVariableIsNoBadUsage(_ name: String, _ text: String, _ words: String) throws {
    let error = try #require(Given.error { _ = try Given.resolved(environment: [name: text]) })
    #expect(error.description.hasPrefix(words), "\(error)")
    #expect(!error.isBadUsage)
  }

  @Test(arguments: [
    (
      #"{"limits": {"connections-per-address": 0}}"#,
      "config.json: limits.connections-per-address must be 1 to 32000, not 0"
    ),
    (#"{"port": "80"}"#, "config.json: port must be 0 to 65535, not '80'"),
    (#"{"port": true}"#, "config.json: port must be 0 to 65535, not true"),
    (#"{"port": 1.5}"#, "config.json: port must be 0 to 65535, not 1.5"),
    (#"{"port": [1]}"#, "config.json: port must be 0 to 65535, not a list"),
    (#"{"port": {"a": 1}}"#, "config.json: port must be 0 to 65535, not an object"),
    (#"{"host": 5}"#, "config.json: host must be a text that is not empty, not 5"),
    (#"{"check-frames": 1}"#, "config.json: check-frames must be true or false, not 1"),
    (#"{"keyword": "x"}"#, "config.json: keyword must be a list of texts, not 'x'"),
    (#"{"keyword": ["x", 1]}"#, "config.json: keyword must be a list of texts, not a list with 1"),
    (
      #"{"origin": ["https://pit.example", "https://pit.example/"]}"#,
      "config.json: origin must be a list of origins such as https://example.org or "
        + "http://10.0.0.7:8080, without a path, not 'https://pit.example/'"
    ),
    (#"{"prot": 1}"#, "config.json: there is no key 'prot'; the nearest is port"),
    (
      #"{"limits": {"conections": 1}}"#,
      "config.json: there is no key 'limits.conections'; the nearest is limits.connections"
    ),
    (
      #"{"limits": {"trafic": {"visitors": 1}}}"#,
      "config.json: there is no key 'limits.trafic'; the nearest is limits.traffic"
    ),
    (#"{"limits": 1}"#, "config.json: limits must be an object, not 1"),
    (
      #"{"limits": {"connections": 5}, "limits.connections": 6}"#,
      "config.json: limits.connections is there twice, nested and with dots"
    ),
    (#"[]"#, "config.json: the file must be a JSON object, as in {\"port\": 8080}"),
    ("{\n\"port\" 1}", "config.json, line 2: a colon is missing after 'port'"),
    (#"{"tls-cert": "a"}"#, "config.json: tls-cert needs tls-key: they go together"),
    (
      #"{"limits": {"ping-seconds": 20}}"#,
      "config.json: limits.ping-seconds: silence-seconds must be more than ping-seconds, 20, not 15"
    ),
    (
      #"{"limits": {"connections": 5, "connections-per-address": 6}}"#,
      "config.json: limits.connections-per-address must be at most limits.connections, 5, not 6"
    ),
  ])
  func aFileIsNoBadUsage(_ text: String, _ words: String) throws {
    let error = try #require(Given.error { _ = try Given.resolved(file: text) })
    #expect(error.description == words)
    #expect(!error.isBadUsage)
  }

  @Test func limitsAreGivenOnceAndByTheirNames() throws {
    let twice = Given.error { _ = try Given.flags(limits: ["visitors", "connections=1"]) }
    #expect(twice?.description == "--limit must be NAME=VALUE, not 'visitors'")
    let unknown = Given.error { _ = try Given.flags(limits: ["traffic.visitor=1"]) }
    #expect(
      unknown?.description
        == "--limit: there is no limit 'traffic.visitor'; the nearest is traffic.visitors")
    let again = Given.error { _ = try Given.flags(limits: ["connections=1", "connections=2"]) }
    #expect(again?.description.contains("is given twice") == true)
    var flags = try Given.flags(limits: ["connections-per-address=1"])
    let both = Given.error {
      try flags.add("limits.connections-per-address", .string("1"), as: "--max-per-address")
    }
    #expect(both?.description.contains("--max-per-address are the same") == true)
    #expect([twice, unknown, again, both].allSatisfy { $0?.isBadUsage == true })
  }

  /// A mistake in a file shows up even while a flag outdoes it.
  @Test func whatIsOutdoneIsCheckedToo() throws {
    let flags = try Given.flags(["port": "1"])
    let file = Given.error { _ = try Given.resolved(flags: flags, file: #"{"port": 70000}"#) }
    #expect(file?.description == "config.json: port must be 0 to 65535, not 70000")
  }

  /// What somebody has just typed is told before what lay there already.
  @Test func aFlagsMistakeIsToldFirst() throws {
    let flags = try Given.flags(["port": "x"])
    let error = Given.error {
      _ = try Given.resolved(
        flags: flags, environment: ["STICKERPIT_PORT": "y"], file: #"{"port": -1}"#)
    }
    #expect(error?.description == "--port must be 0 to 65535, not 'x'")
  }

  /// Several sources have part in this; the command line is one of them.
  @Test func whatGoesWrongTogetherIsBadUsageIfAFlagHasPartInIt() throws {
    let flags = try Given.flags(["max-bodies": "10"])
    let error = Given.error { _ = try Given.resolved(flags: flags, file: #"{"bodies": 11}"#) }
    #expect(error?.description.hasPrefix("config.json: bodies: 11 bodies") == true)
    #expect(error?.isBadUsage == true)
  }

  /// With the file the error names who named it: the flag, which goes first, or the variable.
  @Test(
    arguments: [(nil, "STICKERPIT_CONFIG"), ("/nowhere/x.json", "--config")] as [(String?, String)])
  func aFileThatIsNotThereIsNamed(_ file: String?, _ source: String) async {
    let environment = ["STICKERPIT_CONFIG": file == nil ? "/nowhere/x.json" : "/nowhere/y.json"]
    let error = await #expect(throws: ConfigurationError.self) {
      try await ResolvedConfiguration.load(
        flags: GivenFlags(), file: file, environment: environment)
    }
    let words = "/nowhere/x.json can't be read: name a file of JSON with \(source)"
    #expect(error?.description == words)
  }
}
