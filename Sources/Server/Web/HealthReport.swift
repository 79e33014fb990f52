import Foundation

/// The body of `/healthz`.
struct HealthReport: Encodable {
  struct Microseconds: Encodable {
    let p50, p99, max: UInt64
  }

  /// Inputs that named a tick: how many came in time for it, how many did not, and how many named
  /// one that no honest client means.
  struct Aimed: Encodable {
    let timely, late, clamped: Int
  }

  /// The last tick that is written down, and how many are not yet: a crash would lose those.
  struct Journal: Encodable {
    let tick: UInt64
    let waiting: Int
    let failing: Bool
  }

  /// What this server does of those that share the world.
  struct Cluster: Encodable {
    let role: String
    /// The leader's term.
    let epoch: UInt32
    /// Servers that share the world, and people in all of them.
    let members, people: Int
    /// Ticks that wait for the log.
    let waiting: Int
    /// Whether NATS can be reached.
    let connected: Bool
  }

  /// "ok"; "degraded" while ticks are late, a network thread has more to send than time, or the
  /// journal can't be written, or not in time, or NATS can't be reached.
  let status: String
  let tick: UInt32
  /// Seconds from the first tick's deadline to the last one's.
  let elapsed: Double
  let ticksLost: UInt64
  let standstills: Int
  let late: Microseconds
  let took: Microseconds
  let bodies: Int
  let people: Int
  let frames, keyframes, catchUps, records, snapshots: Int
  /// What clients missed of the streams that they follow; see `Traffic.missed`.
  let skipped: Int
  let bytes: Int
  /// Frames that were made, while `frames` and those beside it count how often they were sent.
  let encoded: EncodedFrames
  let droppedInputs, droppedCommands, refusedCommands: Int
  let openedHands, forgottenMail, keyframeRequests: Int
  let aimed: Aimed
  /// What limits refused, by name.
  let refused: [String: Int]
  /// How connections ended, by cause.
  let closed: [String: Int]
  /// nil where none is kept.
  let journal: Journal?
  /// nil for a server on its own.
  let cluster: Cluster?

  /// By what the threads told last.
  /// - Parameter now: monotonic nanoseconds.
  init(
    _ exchange: Exchange, _ directory: Directory, journal: JournalHealth?, cluster: ClusterHealth?,
    now: UInt64
  ) {
    let cluster = cluster.map {
      Cluster(
        role: $0.role, epoch: $0.epoch, members: $0.counts.members + 1,
        people: directory.list().count, waiting: $0.waitingTicks, connected: $0.isConnected)
    }
    self.init(
      health: exchange.health, people: directory.count, threads: exchange.lanes.map(\.report),
      journal: journal, cluster: cluster, now: now)
  }

  /// - Parameter now: monotonic nanoseconds.
  init(
    health: TickHealth, people: Int, threads: [ThreadReport], journal: JournalHealth? = nil,
    cluster: Cluster? = nil, now: UInt64
  ) {
    let traffic = threads.dropFirst().reduce(threads[0].traffic) { $0 + $1.traffic }
    let isDegraded =
      health.isDegraded(at: now) || threads.contains(where: \.isOverloaded)
      || journal.map { $0.isFailing || $0.isSlow } ?? false || cluster?.connected == false
    status = isDegraded ? "degraded" : "ok"
    tick = health.tick
    elapsed = Double(health.deadline - min(health.started, health.deadline)) / 1e9
    ticksLost = health.lost
    standstills = traffic.standstills
    late = Microseconds(p50: health.lateMedian, p99: health.late99, max: health.lateMaximum)
    took = Microseconds(p50: health.tookMedian, p99: health.took99, max: health.tookMaximum)
    bodies = health.bodies
    self.people = people
    frames = traffic.frames
    keyframes = traffic.keyframes
    catchUps = traffic.catchUps
    records = traffic.records
    snapshots = traffic.snapshots
    skipped = traffic.missed
    bytes = traffic.bytes
    encoded = health.encoded
    aimed = Aimed(
      timely: health.timelyInputs, late: health.lateInputs, clamped: traffic.refused[.ticksClamped])
    droppedInputs = health.droppedInputs
    droppedCommands = health.droppedCommands
    refusedCommands = traffic.refused[.commands]
    openedHands = health.openedHands
    forgottenMail = traffic.refused[.mailForgotten]
    keyframeRequests = traffic.keyframeRequests
    refused = traffic.refused.byName.merging(["idle_moves": health.idleMoves]) { one, _ in one }
    closed = traffic.ended.byName
    self.cluster = cluster
    self.journal = journal.map {
      Journal(tick: $0.position, waiting: $0.waitingTicks, failing: $0.isFailing)
    }
  }

  func json() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys]
    // Every member is a number or a plain text: encoding them can't fail.
    return try! Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}
