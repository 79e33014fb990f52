import Server
import Testing

@testable import stickerpit

/// Flags over environment over file over defaults.
@Suite struct PrecedenceTests {
  private let file = #"{"port": 1, "seed": 1, "web": "a", "limits": {"ping-seconds": 3}}"#
  private let environment = ["STICKERPIT_PORT": "2", "STICKERPIT_SEED": "2", "PATH": "/bin"]

  @Test func withoutSourcesEverythingHasItsDefault() throws {
    let resolved = try Given.resolved()
    #expect(resolved.values == ServeConfiguration())
    #expect(Setting.all.allSatisfy { resolved.source(of: $0.key) == .standard })
  }

  @Test func aHigherSourceOutdoesALowerOne() throws {
    let resolved = try Given.resolved(
      flags: try Given.flags(["port": "3"], limits: ["traffic.visitors=9"]),
      environment: environment, file: file)
    #expect(resolved.values.port == 3)
    #expect(resolved.source(of: "port") == .flag("--port"))
    #expect(resolved.values.seed == 2)
    #expect(resolved.source(of: "seed") == .environment)
    #expect(resolved.values.web == "a")
    #expect(resolved.source(of: "web") == .file(path: "config.json"))
    #expect(resolved.values.limits.pingSeconds == 3)
    #expect(resolved.values.traffic.visitors == 9)
    #expect(resolved.source(of: "limits.traffic.visitors") == .flag("--limit traffic.visitors"))
    #expect(resolved.source(of: "host") == .standard)
  }

  /// Each key from each source alone, with a value that is not its default.
  @Test(arguments: Setting.all.map(\.key))
  func everySourceGivesEveryKey(_ key: String) throws {
    let setting = try #require(Setting.named(key))
    let text = Self.example(of: setting)
    let expected = Self.value(text, of: setting)
    #expect(setting.value(in: ServeConfiguration()) != expected, "the example is the default")

    var flags = GivenFlags()
    if let name = setting.limitName {
      try flags.add(limit: "\(name)=\(text)")
    } else if setting.isList {
      try flags.add(key, [text])
    } else {
      try flags.add(key, text)
    }
    let nothing = GivenFlags()
    let json = "{\"\(key)\": \(Self.json(text, setting))}"
    let file = (path: "config.json", content: try Given.file(json))
    for (gathered, source) in [
      (try ResolvedConfiguration.gather(flags: flags), .flag(setting.flag)),
      (
        try ResolvedConfiguration.gather(flags: nothing, environment: [setting.variable: text]),
        .environment
      ),
      (
        try ResolvedConfiguration.gather(flags: nothing, file: file),
        ConfigurationSource.file(path: "config.json")
      ),
    ] {
      #expect(setting.value(in: gathered.values) == expected)
      #expect(gathered.source(of: key) == source)
      for other in Setting.all where other.key != key {
        #expect(other.value(in: gathered.values) == other.value(in: ServeConfiguration()))
      }
    }
  }

  @Test func aListOutdoesALowerOneAsAWhole() throws {
    var flags = GivenFlags()
    try flags.add("origin", ["https://c", "https://d"])
    let sources = ["STICKERPIT_ORIGIN": "https://a, https://b"]
    #expect(
      try Given.resolved(environment: sources).values.origins == ["https://a", "https://b"])
    #expect(
      try Given.resolved(flags: flags, environment: sources).values.origins
        == ["https://c", "https://d"])
  }

  @Test func aNullInTheFileSaysNothing() throws {
    let resolved = try Given.resolved(file: #"{"port": null, "bodies": null}"#)
    #expect(resolved.values == ServeConfiguration())
    #expect(resolved.source(of: "port") == .standard)
  }

  @Test func connectionsOfAllAndOfOneAddressFollowEachOther() throws {
    let many = try Given.resolved(flags: try Given.flags(limits: ["connections-per-address=9999"]))
    #expect(many.values.limits.connections == 9999)
    #expect(
      many.source(of: "limits.connections") == .following("limits.connections-per-address"))
    let few = try Given.resolved(environment: ["STICKERPIT_LIMITS_CONNECTIONS": "100"])
    #expect(few.values.limits.connectionsPerAddress == 100)
  }

  /// What all of an address's clients need together when they come back at once.
  @Test func whatACrowdNeedsToComeBackFollowsItsConnections() throws {
    let one = "limits.connections-per-address"
    let (usual, count) = (Limits(), 1200)
    let crowd = try Given.resolved(
      flags: try Given.flags(limits: ["connections-per-address=\(count)"]))
    let followers: [(key: String, limit: KeyPath<Limits, Int>)] = [
      ("limits.hello-burst-per-address", \.helloBurstPerAddress),
      ("limits.messages-per-second-per-address", \.messagesPerSecondPerAddress),
      ("limits.snapshot-burst-bytes-per-address", \.snapshotBurstBytesPerAddress),
    ]
    for (key, limit) in followers {
      let each = usual[keyPath: limit] / usual.connectionsPerAddress
      #expect(crowd.values.limits[keyPath: limit] == each * count, "\(key)")
      #expect(crowd.source(of: key) == .following(one), "\(key)")
    }
    let decided = try Given.resolved(
      flags: try Given.flags(limits: [
        "connections-per-address=\(count)", "snapshot-burst-bytes-per-address=2000000",
      ]))
    #expect(decided.values.limits.snapshotBurstBytesPerAddress == 2_000_000)
    // As far as each of them may go, however many there are.
    let most = try Given.resolved(
      flags: try Given.flags(limits: ["connections-per-address=\(Limits.mostConnections)"]))
    for (key, limit) in followers {
      let range = try #require(Limits.range(of: limit))
      #expect(range.contains(most.values.limits[keyPath: limit]), "\(key)")
    }
  }

  /// A value that the key may have and that is not its default.
  static func example(of setting: Setting) -> String {
    if let range = setting.range {
      let number = setting.value(in: ServeConfiguration())
      let standard = if case .number(let value) = number { value } else { UInt64(0) }
      return "\(standard < range.upperBound ? standard + 1 : standard - 1)"
    }
    return switch setting.place {
    case .scene: "gallery"
    case .shape: "16:9"
    case .tilt: "captain"
    case .logLevel: "debug"
    case .durability: "off"
    case .toggle: "true"
    case .address: "127.0.0.1:9090"
    case .webAddress: "https://pit.example"
    case .form(_, .natsServers): "nats://127.0.0.1:4222"
    case .form(_, .worldName): "hall"
    case .list(_, of: .keywords): "so warm=cactus"
    case .list(_, of: .proxies): "10.0.0.0/8"
    case .list(_, of: .origins): "https://pit.example"
    default: "pit.example"
    }
  }

  private static func value(_ text: String, of setting: Setting) -> SettingValue {
    if setting.isList { return .list([text]) }
    if let number = UInt64(text) { return .number(number) }
    return text == "true" ? .toggle(true) : .text(text)
  }

  private static func json(_ text: String, _ setting: Setting) -> String {
    if setting.isList { return "[\"\(text)\"]" }
    if case .toggle = setting.place { return text }
    return setting.range != nil ? text : "\"\(text)\""
  }
}
