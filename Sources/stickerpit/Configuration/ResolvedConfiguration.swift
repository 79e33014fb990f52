import Configuration
import Server
import Simulation

/// The configuration with which the server starts, and where each of its values comes from.
struct ResolvedConfiguration {
  private(set) var values = ServeConfiguration()
  /// By keys; what is missing has its default.
  private var sources: [String: ConfigurationSource] = [:]

  func source(of key: String) -> ConfigurationSource { sources[key] ?? .standard }

  /// Flags over environment over file over defaults, each value and all together checked.
  static func resolve(
    flags: GivenFlags, environment: [String: String] = [:],
    file: (path: String, content: any ConfigSnapshot)? = nil
  ) throws(ConfigurationError) -> ResolvedConfiguration {
    var resolved = try gather(flags: flags, environment: environment, file: file)
    resolved.follow()
    try resolved.check()
    return resolved
  }

  /// What the sources say, each value checked by itself. What one says is checked even if another
  /// outdoes it: a mistake in a file should not wait for the day on which a flag is left out.
  ///
  /// Each source is asked by itself rather than all of them by a `ConfigReader`, whose getters tell
  /// neither which source a value came from nor which one held a value that can't be used.
  static func gather(
    flags: GivenFlags, environment: [String: String] = [:],
    file: (path: String, content: any ConfigSnapshot)? = nil
  ) throws(ConfigurationError) -> ResolvedConfiguration {
    // Bad usage is told first: it is what somebody has just typed.
    var ignored = ResolvedConfiguration()
    try ignored.take(flags)
    var resolved = ResolvedConfiguration()
    if let file {
      try resolved.take(file.content) { _ in .file(path: file.path) }
    }
    try resolved.take(environment)
    try resolved.take(flags)
    return resolved
  }

  /// Reads the file as well: the one that the flag names, or else the environment.
  static func load(
    flags: GivenFlags, file: String?, environment: [String: String]
  ) async throws(ConfigurationError) -> ResolvedConfiguration {
    let variable = UnknownName.fileVariable
    guard let path = file ?? environment[variable] else {
      return try resolve(flags: flags, environment: environment)
    }
    let content = try await ConfigurationFile.read(
      path, namedBy: file == nil ? variable : "--config")
    return try resolve(flags: flags, environment: environment, file: (path, content))
  }

  private mutating func take(_ flags: GivenFlags) throws(ConfigurationError) {
    try take(flags.provider.snapshot()) { .flag(flags.name(of: $0)) }
  }

  private mutating func take(_ environment: [String: String]) throws(ConfigurationError) {
    let ours = environment.filter { $0.key.hasPrefix(Setting.variablePrefix) }
    let known = Set(UnknownName.variables)
    for name in ours.keys.sorted() where !known.contains(name) {
      throw ConfigurationError(UnknownName.variable(name))
    }
    let provider = EnvironmentVariablesProvider(environmentVariables: ours)
      .prefixKeys(with: "stickerpit")
    try take(provider.snapshot()) { _ in .environment }
  }

  /// Takes over everything that a source says.
  private mutating func take(
    _ snapshot: any ConfigSnapshot, from source: (Setting) -> ConfigurationSource
  ) throws(ConfigurationError) {
    for setting in Setting.all {
      let key = Setting.path(of: setting.key)
      let type: ConfigType = setting.isList ? .stringArray : .string
      let source = source(setting)
      guard let content = (try? snapshot.value(forKey: key, type: type))?.value?.content else {
        continue
      }
      do throws(RefusedValue) {
        switch content {
        case .string(let text): try setting.set(text, in: &values)
        case .stringArray(let texts): try setting.set(texts, in: &values)
        default: preconditionFailure("a source answered with another type than asked for")
        }
      } catch {
        throw ConfigurationError(error, of: setting, from: source)
      }
      sources[setting.key] = source
    }
  }

  /// An address can have no more connections than there are. Who gives one of the two numbers only
  /// need not know the other.
  private mutating func follow() {
    let (all, one) = ("limits.connections", "limits.connections-per-address")
    defer { followCrowd(one) }
    guard values.limits.connectionsPerAddress > values.limits.connections else { return }
    if sources[all] == nil {
      values.limits.connections = values.limits.connectionsPerAddress
      sources[all] = .following(one)
    } else if sources[one] == nil {
      values.limits.connectionsPerAddress = values.limits.connections
      sources[one] = .following(all)
    }
  }
}

extension ResolvedConfiguration {
  /// An address that may have more connections than usual may say as many hellos and messages more,
  /// and have as many snapshots more, unless somebody decided otherwise: else a hall behind one
  /// router could not come back at once.
  private mutating func followCrowd(_ one: String) {
    let usual = Limits()
    let (count, usualCount) = (values.limits.connectionsPerAddress, usual.connectionsPerAddress)
    guard count > usualCount else { return }
    let followers: [(key: String, limit: WritableKeyPath<Limits, Int>)] = [
      ("limits.hello-burst-per-address", \.helloBurstPerAddress),
      ("limits.messages-per-second-per-address", \.messagesPerSecondPerAddress),
      ("limits.snapshot-burst-bytes-per-address", \.snapshotBurstBytesPerAddress),
    ]
    for (key, limit) in followers where sources[key] == nil {
      let most = Limits.range(of: limit)?.upperBound ?? .max
      values.limits[keyPath: limit] = min(usual[keyPath: limit] / usualCount * count, most)
      sources[key] = .following(one)
    }
  }

  /// What several keys must be together.
  private func check() throws(ConfigurationError) {
    if (values.tlsCertificate == nil) != (values.tlsKey == nil) {
      let given = values.tlsCertificate == nil ? "tls-key" : "tls-cert"
      let other = values.tlsCertificate == nil ? "tls-cert" : "tls-key"
      throw refuse([given], " needs \(nameBeside(given, of: other)): they go together")
    }
    if values.makesCertificate, values.tlsCertificate != nil {
      throw refuse(
        ["tls-self-signed", "tls-cert"],
        " makes a certificate, and \(nameBeside("tls-self-signed", of: "tls-cert")) names one: "
          + "leave one of them out")
    }
    try checkCluster()
    let limits = values.limits
    if limits.connectionsPerAddress > limits.connections {
      throw refuse(
        ["limits.connections-per-address", "limits.connections"],
        " must be at most limits.connections, \(limits.connections), "
          + "not \(limits.connectionsPerAddress)")
    }
    if limits.silenceSeconds <= limits.pingSeconds {
      throw refuse(
        ["limits.silence-seconds", "limits.ping-seconds"],
        ": silence-seconds must be more than ping-seconds, \(limits.pingSeconds), "
          + "not \(limits.silenceSeconds)")
    }
    do throws(PitError) { _ = try values.pit() } catch {
      let isShape = if case .shapeOfAnotherScene = error { true } else { false }
      throw refuse(
        isShape ? ["shape", "scene"] : ["bodies", "max-bodies", "scene"], ": \(error.explanation)")
    }
  }

  /// What keys of servers that share a world must be together.
  private func checkCluster() throws(ConfigurationError) {
    if (values.nats == nil) != (values.world == nil) {
      let given = values.nats == nil ? "world" : "nats"
      let other = values.nats == nil ? "nats" : "world"
      throw refuse([given], " needs \(nameBeside(given, of: other)): they go together")
    }
    if values.isStandby, values.nats == nil {
      throw refuse(["standby"], " needs \(nameBeside("standby", of: "nats"))")
    }
    if values.nats != nil, values.data != nil {
      throw refuse(
        ["nats", "data"],
        " and \(nameBeside("nats", of: "data")) don't go together: servers that share a world keep "
          + "it in NATS")
    }
  }

  /// What an edge can't be told: its world is the leader's.
  func checkEdge() throws(ConfigurationError) {
    guard values.nats != nil else {
      throw ConfigurationError("an edge needs --nats and --world", isBadUsage: true)
    }
    let leaders = [
      "scene", "bodies", "max-bodies", "seed", "shape", "tilt", "data", "standby",
    ]
    if let key = leaders.first(where: { source(of: $0).isFlag }) {
      throw refuse([key], " is the leader's to decide: leave it out")
    }
  }

  /// The error is the first key's that somebody gave, and bad usage if a flag has part in it.
  private func refuse(_ keys: [String], _ words: String) -> ConfigurationError {
    let given = keys.filter { source(of: $0) != .standard }
    let key = given.first ?? keys[0]
    let name = Setting.named(key).map(source(of: key).name) ?? key
    return ConfigurationError(
      name + words, isBadUsage: given.contains { source(of: $0).isFlag })
  }

  /// What a key that nobody gave would be called where another one was given.
  private func nameBeside(_ given: String, of key: String) -> String {
    guard let setting = Setting.named(key) else { return key }
    return switch source(of: given) {
    case .flag: setting.flag
    case .environment: setting.variable
    case .standard, .following, .file: key
    }
  }
}

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

  init(_ refusal: RefusedValue, of setting: Setting, from source: ConfigurationSource) {
    self.init(source.name(of: setting) + refusal.words, isBadUsage: source.isFlag)
  }
}
