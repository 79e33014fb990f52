import ArgumentParser
import Configuration
import Server
import Testing
import Transport

@testable import stickerpit

/// The table of keys has everything once, under names that say what they set.
@Suite struct SettingTests {
  @Test func namesAreUnique() {
    #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
    #expect(Set(UnknownName.variables).count == UnknownName.variables.count)
    for section in Setting.sections { #expect(Setting.named(section) == nil) }
  }

  /// swift-configuration looks a key up under the very variable that errors and documents name.
  @Test(arguments: Setting.all.map(\.key))
  func theVariableIsTheOneThatIsRead(_ key: String) throws {
    let setting = try #require(Setting.named(key))
    let snapshot = EnvironmentVariablesProvider(environmentVariables: [:])
      .prefixKeys(with: "stickerpit").snapshot()
    let result = try snapshot.value(forKey: Setting.path(of: key), type: .string)
    #expect(result.encodedKey == setting.variable)
  }

  @Test func everyLimitHasAKeyThatSetsIt() throws {
    let names = Self.names(in: Limits())
    #expect(Set(Setting.limits.map { Self.camel($0.limitName ?? "") }) == Set(names.keys))
    for setting in Setting.limits {
      let value = try #require(setting.range).lowerBound
      var configuration = ServeConfiguration()
      try setting.set("\(value)", in: &configuration)
      let name = Self.camel(try #require(setting.limitName))
      #expect(Self.names(in: configuration.limits)[name] == Int(value))
    }
  }

  @Test func everyLimitOnTrafficHasAKeyThatSetsItOrIsLeftOut() throws {
    // What was measured, and how requests are dealt out to the turns of the network thread.
    let left: Set = [
      "connectionMicroseconds", "requestMicroseconds", "answerMicrosecondsPerTurn",
      "answerBytesPerTurn",
    ]
    let names = Self.names(in: TrafficLimits())
    let keys = Setting.traffic.map { Self.camel($0.limitName?.dropFirst("traffic.".count) ?? "") }
    #expect(Set(keys) == Set(names.keys).subtracting(left))
    for (setting, name) in zip(Setting.traffic, keys) {
      let value = try #require(setting.range).lowerBound
      var configuration = ServeConfiguration()
      try setting.set("\(value)", in: &configuration)
      #expect(Self.names(in: configuration.traffic)[name] == Int(value))
    }
  }

  @Test func everyDefaultIsAllowed() throws {
    for setting in Setting.all {
      guard let range = setting.range,
        case .number(let number) = setting.value(in: ServeConfiguration())
      else { continue }
      #expect(range.contains(number), "\(setting.key)")
    }
  }

  /// What the operator decides has a flag, and its help is the table's text.
  @Test func everyGeneralKeyHasAFlag() {
    let help = Serve.helpMessage(columns: 10_000)
    for setting in Setting.general {
      #expect(help.contains(setting.flag + " ") || help.contains(setting.flag + "/"))
      #expect(help.contains(setting.meaning), "\(setting.key)")
    }
    for name in ["--max-per-address", "--limit", "--config", "--print-config"] {
      #expect(help.contains(name))
    }
  }

  @Test func theNearestNameIsTheOneWithFewestChanges() {
    #expect(NearestName.changes(Array("port".utf8), Array("prot".utf8)) == 1)
    #expect(NearestName.changes(Array("".utf8), Array("abc".utf8)) == 3)
    #expect(NearestName.changes(Array("kitten".utf8), Array("sitting".utf8)) == 3)
    #expect(NearestName.among(["host", "port"], to: "PORTS") == "port")
    #expect(NearestName.among([], to: "x") == nil)
  }

  private static func names(in limits: Any) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: Mirror(reflecting: limits).children.compactMap { child in
        child.label.flatMap { label in (child.value as? Int).map { (label, $0) } }
      })
  }

  /// `ping-seconds` as Swift writes it.
  private static func camel(_ name: some StringProtocol) -> String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized }
  }
}
