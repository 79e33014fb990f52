import TickLog

/// How a server that shares its world fares, for operators.
struct ClusterHealth: Sendable {
  /// What it does: `leader`, `standby` or `edge`; `joining` before it can serve.
  var role = "joining"
  /// Whether NATS can be reached.
  var isConnected = false
  /// The leader's term and the last tick, as far as they are known here.
  var epoch: UInt32 = 0
  var position: UInt64 = 0
  /// Ticks that wait for the log, and how often the world stood still because too many did.
  var waitingTicks = 0
  var standstills = 0
  /// Messages of inputs that were sent again.
  var repeated = 0
  var counts = ClusterCounts()
}

/// What happened to a member since its start.
struct ClusterCounts: Sendable {
  /// Connections to NATS that were lost.
  var disconnects = 0
  /// Messages of the log that had to be asked for.
  var asked = 0
  /// Messages that could not be read.
  var malformed = 0
  /// Worlds that this member took anew because it could not go on with its own.
  var rejoins = 0
  /// Hashes of the log that were not this member's.
  var mismatches = 0
  /// Other members that are here.
  var members = 0
  /// Whether the world was made here and the log has nothing of it yet.
  var isNewWorld = false
}

extension ClusterMember {
  /// How it fares.
  var health: ClusterHealth {
    var health = ClusterHealth()
    (health.isConnected, health.counts) = (isConnected, counts)
    health.repeated = forwarder.repeated
    (health.epoch, health.position) = (reader?.cursor.epoch ?? 0, reader?.cursor.position ?? 0)
    switch phase {
    case .leading(let leading):
      health.role = "leader"
      (health.epoch, health.position) = (leading.shown.epoch, leading.shown.position)
      (health.waitingTicks, health.standstills) = leading.desk.ticks.waiting
    case .following: health.role = settings.role == .edge ? "edge" : "standby"
    case .claiming, .askingWorld, .catchingUp, .fencing, .over: break
    }
    return health
  }

  /// Whether nothing waits for the log.
  var hasNothingLeft: Bool {
    guard case .leading(let leading) = phase else { return true }
    return leading.desk.ticks.waiting.ticks == 0
  }
}
