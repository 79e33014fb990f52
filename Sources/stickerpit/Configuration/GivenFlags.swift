import Configuration

/// The settings that the command line gives, by their keys.
struct GivenFlags {
  private(set) var values: [String: ConfigContent] = [:]
  private var names: [String: String] = [:]

  /// A flag of its own; nil if it was not given.
  mutating func add(_ key: String, _ text: String?) throws(ConfigurationError) {
    guard let text else { return }
    try add(key, .string(text), as: "--\(key)")
  }

  /// A flag that can be repeated; empty if it was not given.
  mutating func add(_ key: String, _ texts: [String]) throws(ConfigurationError) {
    guard !texts.isEmpty else { return }
    try add(key, .stringArray(texts), as: "--\(key)")
  }

  /// The value of `--limit`, such as `connections=600`.
  mutating func add(limit text: String) throws(ConfigurationError) {
    guard let separator = text.firstIndex(of: "=") else {
      throw ConfigurationError("--limit must be NAME=VALUE, not '\(text)'", isBadUsage: true)
    }
    let name = String(text[..<separator])
    guard let setting = Setting.named(Setting.limitPrefix + name) else {
      throw ConfigurationError(UnknownName.limit(name), isBadUsage: true)
    }
    try add(setting.key, .string(String(text[text.index(after: separator)...])), as: setting.flag)
  }

  /// A flag that has another name than its key.
  mutating func add(
    _ key: String, _ value: ConfigContent, as name: String
  ) throws(ConfigurationError) {
    if let before = names[key] {
      let words = before == name ? "\(name) is given twice" : "\(before) and \(name) are the same"
      throw ConfigurationError("\(words): leave one of them out", isBadUsage: true)
    }
    values[key] = value
    names[key] = name
  }

  /// The flag as it was given.
  func name(of setting: Setting) -> String { names[setting.key] ?? setting.flag }

  /// As a source of swift-configuration.
  var provider: InMemoryProvider {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for (key, content) in self.values {
      values[Setting.path(of: key)] = ConfigValue(content, isSecret: false)
    }
    return InMemoryProvider(name: "flags", values: values)
  }
}

extension Setting {
  /// A key as swift-configuration's sources are asked for it.
  static func path(of key: String) -> AbsoluteConfigKey {
    AbsoluteConfigKey(key.split(separator: ".").map(String.init))
  }
}
