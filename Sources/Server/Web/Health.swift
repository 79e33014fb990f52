import Foundation

/// How the tick thread fares, for operators.
public struct TickHealth: Sendable {
  /// The last tick that ran.
  public var tick: UInt32 = 0
  /// Whether one did.
  public var hasTicked = false
  /// How many did.
  public var ticked = 0
  /// When ticks were lost last, or one began more than a tick late; monotonic nanoseconds.
  public var lastTrouble: UInt64?
  /// Monotonic nanoseconds at which the first tick was due.
  public var started: UInt64 = 0
  /// Monotonic nanoseconds at which the last tick was due.
  public var deadline: UInt64 = 0
  /// Ticks given up because the machine stood still.
  public var lost: UInt64 = 0
  /// How late ticks began, in microseconds: half of them, 99 of 100, and the worst.
  public var lateMedian: UInt64 = 0
  public var late99: UInt64 = 0
  public var lateMaximum: UInt64 = 0
  /// How long ticks took, in microseconds.
  public var tookMedian: UInt64 = 0
  public var took99: UInt64 = 0
  public var tookMaximum: UInt64 = 0
  /// Bodies in the world.
  public var bodies = 0
  /// What the streams' encoders did.
  public var encoded = EncodedFrames()
  /// Inputs dropped because the queue was full.
  public var droppedInputs = 0
  /// Commands left out because too many waited for their tick.
  public var droppedCommands = 0
  /// Moves left out because the client held nothing that they could move.
  public var idleMoves = 0
  /// Inputs that were in time for the tick that they were meant for, and those that were not.
  public var timelyInputs = 0
  public var lateInputs = 0
  /// Hands that were opened because they held on for too long.
  public var openedHands = 0
}

extension TickHealth {
  /// Nanoseconds without a tick after which the server is no longer ready.
  private static let longestPause: UInt64 = 1_000_000_000
  /// Nanoseconds for which trouble is remembered.
  private static let memory: UInt64 = 10_000_000_000

  /// Whether ticks run.
  /// - Parameter now: monotonic nanoseconds.
  func isReady(at now: UInt64) -> Bool {
    hasTicked && now - min(deadline, now) < Self.longestPause
  }

  /// Whether the server does not keep its time, or did not just now.
  /// - Parameter now: monotonic nanoseconds.
  func isDegraded(at now: UInt64) -> Bool {
    guard isReady(at: now) else { return hasTicked }
    return lastTrouble.map { now - min($0, now) < Self.memory } ?? false
  }
}

/// How many frames were encoded since the start. Only time and the streams that are wanted make
/// them more, and who is not in step; not how many clients there are.
public struct EncodedFrames: Equatable, Encodable, Sendable {
  /// For everybody in step: one a stream and its frame, whether it was sent or held back.
  public var own = 0
  /// For everybody who joined, or came back, at a tick.
  public var keyframes = 0
  /// For everybody at a tick and at one place that is not in step.
  public var catchUps = 0
  /// Times that a stream began anew because its encoder could not go on: each is a fault that its
  /// clients survived.
  public var restarted = 0
}

/// What a network thread sent and refused since the start.
struct Traffic: Sendable {
  var frames = 0
  var keyframes = 0
  /// Frames for clients that were not in step.
  var catchUps = 0
  var skipped = 0
  /// Times that a client was lowered to a slower rate.
  var slowed = 0
  /// Messages for those who follow the log.
  var records = 0
  var snapshots = 0
  var bytes = 0
  /// Inputs whose ticks were too far ahead or behind to be meant: they got the nearest that may be.
  var clampedTicks = 0
  /// Left out because their address had no allowance left.
  var refusedCommands = 0
  var refusedMoves = 0
  var refusedWords = 0
  var refusedClocks = 0
  var refusedTilts = 0
  /// Hellos that were answered with 1013 for the same reason.
  var refusedHellos = 0
  /// Hellos whose token somebody used too often, or whose address did.
  var refusedTakeOvers = 0
  /// Hellos for which there was no number left.
  var refusedForRoom = 0
  /// Questions for worlds that were answered with 429.
  var refusedWorlds = 0
  /// Snapshots that had to wait because their address had no allowance left.
  var refusedSnapshots = 0
  /// Sessions closed with 1008, because they broke a limit, and with 1002, because a message was
  /// malformed.
  var closedForLimits = 0
  var closedForErrors = 0
  /// Sessions closed because no frame could be written to them, or because they said no hello.
  var closedForStalling = 0
  var closedForSilence = 0
  /// Keyframes that clients asked for because they could not take a frame.
  var keyframeRequests = 0
  /// Events and receipts that were forgotten because a client had no room for them for too long.
  var forgottenMail = 0
  /// Times that this process stood still for more than half a second.
  var standstills = 0

  /// All counts.
  static let counts: [WritableKeyPath<Traffic, Int> & Sendable] = [
    \.frames, \.keyframes, \.catchUps, \.skipped, \.slowed, \.records, \.snapshots, \.bytes,
    \.clampedTicks, \.refusedCommands, \.refusedMoves, \.refusedWords, \.refusedClocks,
    \.refusedTilts, \.refusedHellos, \.refusedTakeOvers, \.refusedForRoom, \.refusedWorlds,
    \.refusedSnapshots, \.closedForLimits, \.closedForErrors, \.closedForStalling,
    \.closedForSilence, \.keyframeRequests, \.forgottenMail,
  ]

  /// What two network threads did together. A standstill is that of the process.
  static func + (one: Traffic, other: Traffic) -> Traffic {
    var sum = one
    for count in counts { sum[keyPath: count].count(other[keyPath: count]) }
    sum.standstills = max(one.standstills, other.standstills)
    return sum
  }

  /// What limits left out, by name.
  var refusals: [(String, Int)] {
    [
      ("tilts", refusedTilts), ("commands", refusedCommands), ("moves", refusedMoves),
      ("words", refusedWords), ("clocks", refusedClocks), ("hellos", refusedHellos),
      ("take_overs", refusedTakeOvers), ("for_room", refusedForRoom), ("worlds", refusedWorlds),
      ("snapshots", refusedSnapshots), ("ticks_clamped", clampedTicks),
      ("mail_forgotten", forgottenMail),
    ]
  }

  /// Sessions that the server ended, by reason.
  var closes: [(String, Int)] {
    [
      ("limits", closedForLimits), ("errors", closedForErrors), ("stalling", closedForStalling),
      ("silence", closedForSilence),
    ]
  }

  mutating func wrote(_ kind: Session.Delivery.Kind, bytes count: Int) {
    switch kind {
    case .own: frames.count()
    case .catchUp: catchUps.count()
    case .keyframe: keyframes.count()
    }
    bytes.count(count)
  }

  /// A message of an address that had no allowance left.
  mutating func refused(_ purpose: AddressBudgets.Purpose) {
    switch purpose {
    case .tilt: refusedTilts.count()
    case .command: refusedCommands.count()
    case .move: refusedMoves.count()
    case .words: refusedWords.count()
    case .clock: refusedClocks.count()
    }
  }
}

extension Int {
  /// Counts on, and stays at the largest number when there is none above it.
  mutating func count(_ more: Int = 1) {
    let (sum, isTooLarge) = addingReportingOverflow(more)
    self = isTooLarge ? .max : sum
  }
}

/// The body of `/healthz`.
struct HealthReport: Encodable {
  struct Microseconds: Encodable {
    let p50, p99, max: UInt64
  }

  /// What limits refused, by name.
  struct Refused: Encodable {
    let tilts, commands, moves, words, clocks, hellos, takeOvers, forRoom, worlds, snapshots: Int
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
