/// What a running server does about a configuration that was read again.
struct ConfigurationChange: Equatable {
  /// With what the server goes on: what it runs with, and what of the new one it can take over.
  private(set) var values: ServeConfiguration
  /// What changed, as in `limits.hello-seconds: 5 → 10`.
  private(set) var applied: [String] = []
  /// What would change, after a restart.
  private(set) var postponed: [String] = []
  /// What is to be known besides: what of it holds for new connections only, and what is not read.
  private(set) var remarks: [String] = []

  init(from running: ServeConfiguration, to wanted: ServeConfiguration) {
    values = running
    var forNewConnections: [String] = []
    for setting in Setting.all {
      let (old, new) = (setting.value(in: running), setting.value(in: wanted))
      guard old != new else { continue }
      guard setting.changesWhileRunning,
        (running.tls == nil) == (wanted.tls == nil) || !setting.isTLS
      else {
        postponed.append("\(setting.key): needs a restart")
        continue
      }
      setting.copy(from: wanted, to: &values)
      // The room for connections was made at the start; an address can have all of it.
      values.limits.connectionsPerAddress = min(
        values.limits.connectionsPerAddress, running.limits.connections)
      let taken = setting.value(in: values)
      if taken != old {
        applied.append("\(setting.key): \(old.words) → \(taken.words)")
        if setting.isOfEachConnection { forNewConnections.append(setting.key) }
      }
      if taken != new {
        postponed.append(
          "\(setting.key): \(new.words) needs a restart, "
            + "until then limits.connections is \(taken.words)")
      }
    }
    if !forNewConnections.isEmpty {
      remarks.append("for new connections only: \(forNewConnections.joined(separator: ", "))")
    }
    let atStart = [
      ("token-key-file", values.tokenKeyFile), ("stickers", values.stickers),
      ("nats-ca", values.natsAuthority),
    ]
    let unread = atStart.compactMap { key, path in path == nil ? nil : key }
    if !unread.isEmpty {
      remarks.append("not read again before a restart: \(unread.joined(separator: ", "))")
    }
    // libnats reads them for each connection that it makes.
    if values.natsCredentials != nil {
      remarks.append("not read again before the next connection to NATS: nats-credentials")
    }
  }
}

extension Setting {
  /// Whether a running server goes on by another value; see CONFIGURATION.md.
  var changesWhileRunning: Bool {
    switch place {
    case .list, .logLevel: true
    case .file: ["keyword-file", "admin-token-file", "tls-cert", "tls-key"].contains(key)
    case .limit: Self.liveLimits.contains(key)
    case .traffic:
      !["limits.traffic.visitors", "limits.traffic.remembered-addresses"].contains(key)
    case .text, .address, .webAddress, .form, .number, .optionalNumber, .seed, .scene,
      .shape, .tilt, .durability, .toggle:
      false
    }
  }

  /// Whether each connection has it from its beginning on, and keeps it.
  var isOfEachConnection: Bool { Self.limitsOfEachConnection.contains(key) }

  private static let limitsOfEachConnection = Set(
    [
      "tilts-per-second", "commands-per-second", "moves-per-second", "words-per-second",
      "clocks-per-second", "streams-per-second", "stream-burst", "traffic.bytes-per-second",
      "traffic.bytes-burst", "traffic.frames-per-second", "traffic.frames-burst",
      "traffic.controls-per-second", "traffic.controls-burst",
    ].map { limitPrefix + $0 })

  var isTLS: Bool { key == "tls-cert" || key == "tls-key" }

  /// Limits that network threads read when they need them. The others size something that was made
  /// at the start, or belong to the tick thread, whose world must not depend on when it was told.
  private static let liveLimits = Set(
    [
      "connections-per-address", "tilts-per-second", "commands-per-second",
      "commands-per-second-per-address", "moves-per-second", "moves-per-second-per-address",
      "words-per-second", "words-per-second-per-address", "clocks-per-second",
      "clocks-per-second-per-address", "streams-per-second", "stream-burst",
      "messages-per-second-per-address", "hellos-per-second-per-address",
      "hello-burst-per-address", "take-overs-per-second-per-address",
      "take-over-burst-per-address", "snapshot-bytes-per-tick",
      "snapshot-bytes-per-second-per-address", "snapshot-burst-bytes-per-address",
      "hello-seconds", "ping-seconds", "silence-seconds", "resume-seconds", "stalled-seconds",
    ].map { limitPrefix + $0 })

  /// Takes the value over.
  func copy(from other: ServeConfiguration, to values: inout ServeConfiguration) {
    switch place {
    case .text(let path): values[keyPath: path] = other[keyPath: path]
    case .file(let path), .address(let path), .webAddress(let path), .form(let path, _):
      values[keyPath: path] = other[keyPath: path]
    case .list(let path, _): values[keyPath: path] = other[keyPath: path]
    case .number(let path, _): values[keyPath: path] = other[keyPath: path]
    case .optionalNumber(let path, _): values[keyPath: path] = other[keyPath: path]
    case .seed(let path): values[keyPath: path] = other[keyPath: path]
    case .scene(let path): values[keyPath: path] = other[keyPath: path]
    case .shape(let path): values[keyPath: path] = other[keyPath: path]
    case .tilt(let path): values[keyPath: path] = other[keyPath: path]
    case .toggle(let path): values[keyPath: path] = other[keyPath: path]
    case .durability(let path): values[keyPath: path] = other[keyPath: path]
    case .logLevel(let path): values[keyPath: path] = other[keyPath: path]
    case .limit(let path): values.limits[keyPath: path] = other.limits[keyPath: path]
    case .traffic(let path): values.traffic[keyPath: path] = other.traffic[keyPath: path]
    }
  }
}

extension SettingValue {
  /// As a line of the log shows it.
  var words: String {
    switch self {
    case .none: "none"
    case .text(let text): text
    case .number(let number): "\(number)"
    case .toggle(let toggle): "\(toggle)"
    case .list(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }
  }
}
