/// What the host can have done, by the last part of its path, and the parameters that it takes.
enum HostDeed: String, CaseIterable {
  case kick, ban, unban, scene, clear, freeze, unfreeze, lock, unlock, gravity, limits, rename
  case hide, notice

  var parameters: [String] {
    switch self {
    case .kick, .hide: ["person"]
    case .ban: ["person", "address", "minutes"]
    case .unban: ["address"]
    case .scene: ["name", "bodies"]
    case .clear, .freeze, .unfreeze, .lock, .unlock: []
    case .gravity: ["percent"]
    case .limits: ["bodies", "people", "commands"]
    case .rename: ["person", "name"]
    case .notice: ["text"]
    }
  }
}

/// What the host can be told, by the last part of its path.
enum HostPage: String, CaseIterable {
  case state, people, audit
}
