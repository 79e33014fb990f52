import Foundation

/// The body of `/healthz`.
struct HealthReport: Encodable {
  struct Microseconds: Encodable {
    let p50, p99, max: UInt64
  }

  /// What limits refused, by name.
  struct Refused: Encodable {
    let tilts, commands, moves, words, clocks, hellos, takeOvers, forRoom, forLoad: Int
    let worlds, snapshots: Int
    let idleMoves: Int
  }

  /// Inputs that named a tick: how many came in time for it, how many did not, and how many named
  /// one that no honest client means.
  struct Aimed: Encodable {
    let timely, late, clamped: Int
  }

  /// Sessions that the server ended, by reason.
  struct Closed: Encodable {
    let limits, errors, stalling, silence: Int
  }

  /// "ok", or "degraded" while the server does not keep its time.
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
  let frames, keyframes, catchUps, records, snapshots, skipped, bytes: Int
  /// Frames that were made, while `frames` and those beside it count how often they were sent.
  let encoded: EncodedFrames
  let droppedInputs, droppedCommands, refusedCommands: Int
  let openedHands, forgottenMail, keyframeRequests: Int
  let aimed: Aimed
  let refused: Refused
  let closed: Closed

  /// By what the threads told last.
  init(_ exchange: Exchange, people: Int, now: UInt64) {
    let traffic = exchange.lanes.dropFirst().reduce(exchange.lanes[0].report.traffic) {
      $0 + $1.report.traffic
    }
    self.init(health: exchange.health, people: people, traffic: traffic, now: now)
  }

  /// - Parameter now: monotonic nanoseconds.
  init(health: TickHealth, people: Int, traffic: Traffic, now: UInt64) {
    status = health.isDegraded(at: now) ? "degraded" : "ok"
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
    skipped = traffic.skipped
    bytes = traffic.bytes
    encoded = health.encoded
    aimed = Aimed(
      timely: health.timelyInputs, late: health.lateInputs, clamped: traffic.clampedTicks)
    droppedInputs = health.droppedInputs
    droppedCommands = health.droppedCommands
    refusedCommands = traffic.refusedCommands
    openedHands = health.openedHands
    forgottenMail = traffic.forgottenMail
    keyframeRequests = traffic.keyframeRequests
    refused = Refused(
      tilts: traffic.refusedTilts, commands: traffic.refusedCommands, moves: traffic.refusedMoves,
      words: traffic.refusedWords, clocks: traffic.refusedClocks, hellos: traffic.refusedHellos,
      takeOvers: traffic.refusedTakeOvers, forRoom: traffic.refusedForRoom,
      forLoad: traffic.refusedForLoad,
      worlds: traffic.refusedWorlds, snapshots: traffic.refusedSnapshots,
      idleMoves: health.idleMoves)
    closed = Closed(
      limits: traffic.closedForLimits, errors: traffic.closedForErrors,
      stalling: traffic.closedForStalling, silence: traffic.closedForSilence)
  }

  func json() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys]
    // Every member is a number or a plain text: encoding them can't fail.
    return try! Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}
