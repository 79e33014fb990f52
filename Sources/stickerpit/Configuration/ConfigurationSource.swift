/// Where a value comes from.
enum ConfigurationSource: Equatable, Sendable {
  case standard
  case file(path: String)
  case environment
  /// With the flag's name as it was given.
  case flag(String)
  /// Nobody gave it, and its default would not fit to what was given for another key.
  case following(String)

  /// What an error calls a setting that came from here.
  func name(of setting: Setting) -> String {
    switch self {
    case .standard, .following: setting.key
    case .file(let path): "\(path): \(setting.key)"
    case .environment: setting.variable
    case .flag(let name): name
    }
  }

  /// What a list of sources calls it.
  func label(of setting: Setting) -> String {
    switch self {
    case .standard: "default"
    case .file(let path): path
    case .environment: setting.variable
    case .flag(let name): name
    case .following(let key): "default, to fit \(key)"
    }
  }

  var isFlag: Bool {
    if case .flag = self { return true }
    return false
  }
}

/// What is wrong with the configuration, in one line that names key and source.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  let description: String
  /// Whether the command line is at fault, which has an exit code of its own.
  let isBadUsage: Bool

  init(_ description: String, isBadUsage: Bool = false) {
    self.description = description
    self.isBadUsage = isBadUsage
  }

  init(_ refusal: Refusal, of setting: Setting, from source: ConfigurationSource) {
    self.init(source.name(of: setting) + refusal.words, isBadUsage: source.isFlag)
  }
}
