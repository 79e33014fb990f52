import Transport
import Wire

/// What a network thread sent, refused and ended since the start.
struct Traffic: Sendable {
  /// Frames that a whole stream shares.
  var frames = 0
  var keyframes = 0
  /// Frames for clients that were not in step.
  var catchUps = 0
  /// Messages for those who follow the log.
  var records = 0
  var snapshots = 0
  var bytes = 0
  /// Frames and messages of the log that a client was due and did not get.
  var skipped = Tally<Skip>()
  /// Times that a client was lowered to a slower rate, and raised to a faster one.
  var slowed = 0
  var raised = 0
  /// Publications whose frames a late network thread did not send, because a newer one was there.
  var collapsed = 0
  /// What limits left out.
  var refused = Tally<LimitRefusal>()
  /// Connections that ended.
  var ended = Tally<EndCause>()
  /// What clients told of their predictions; nobody has checked it.
  var told = Tally<ClientFigure>()
  /// Keyframes that clients asked for because they could not take a frame.
  var keyframeRequests = 0
  /// Times that this process stood still for more than half a second.
  var standstills = 0

  /// What clients skipped of what they follow. Who waits for what it begins with has yet to begin
  /// and misses no frame; it is counted at each tick, so that one newcomer more would look like a
  /// crowd of slow ones.
  var missed: Int {
    var sum = skipped[.full]
    sum.count(skipped[.missing])
    return sum
  }

  /// What two network threads did together. A standstill is that of the process.
  static func + (one: Traffic, other: Traffic) -> Traffic {
    var sum = one
    for count in counts { sum[keyPath: count].count(other[keyPath: count]) }
    sum.skipped = one.skipped + other.skipped
    sum.refused = one.refused + other.refused
    sum.ended = one.ended + other.ended
    sum.told = one.told + other.told
    sum.standstills = max(one.standstills, other.standstills)
    return sum
  }

  /// All that are added up.
  static let counts: [WritableKeyPath<Traffic, Int> & Sendable] = [
    \.frames, \.keyframes, \.catchUps, \.records, \.snapshots, \.bytes, \.slowed, \.raised,
    \.collapsed, \.keyframeRequests,
  ]

  // MARK: Counting

  /// A frame was written to so many.
  mutating func wrote(_ kind: Session.Delivery.Kind, bytes count: Int, to sessions: Int = 1) {
    switch kind {
    case .own: frames.count(sessions)
    case .catchUp: catchUps.count(sessions)
    case .keyframe: keyframes.count(sessions)
    }
    bytes.count(count * sessions)
  }

  /// A message of the log was written to so many.
  mutating func wroteRecords(bytes count: Int, to sessions: Int = 1) {
    records.count(sessions)
    bytes.count(count * sessions)
  }

  /// A session's rate changed.
  mutating func changed(_ change: RateControl.Change) {
    switch change {
    case .slower: slowed.count()
    case .faster, .full: raised.count()
    }
  }

  /// A page that predicts told how that went.
  mutating func take(_ report: ClientReport) {
    told.count(.reports)
    told.count(.rollbacks, Int(report.rollbacks))
    told.count(.replayedTicks, Int(report.replayedTicks))
    told.count(.corrections, Int(report.corrections))
    told.count(.wrongWorlds, Int(report.wrongWorlds))
  }
}

/// Why a client did not get what it was due.
enum Skip: String, CaseIterable, Sendable {
  /// It reads slowly: its pipe is full, or what it read last is old.
  case full
  /// There was no frame that leads on from where it is; the next one is made for it.
  case missing
  /// What it begins with, a keyframe or a snapshot, had no room in the budget of the tick: a later
  /// tick has it. Counted at each tick at which it waits.
  case waiting
}

/// What limits left out.
enum LimitRefusal: String, CaseIterable, Sendable {
  /// Messages of an address that had no allowance left.
  case tilts, commands, moves, words, clocks
  /// Hellos that were answered with 1013 for the same reason.
  case hellos
  /// Hellos whose token somebody used too often, or whose address did.
  case takeOvers = "take_overs"
  /// Hellos for which there was no number left.
  case forRoom = "for_room"
  /// Hellos of newcomers while there was more to send than time.
  case forLoad = "for_load"
  /// Hellos of newcomers while the host lets nobody new in.
  case locked
  /// Hellos from addresses that the host keeps out.
  case banned
  /// Commands beyond what the host lets a person give.
  case commandsForHost = "commands_for_host"
  /// Questions for worlds that were answered with 429.
  case worlds
  /// Snapshots that had to wait because their address had no allowance left.
  case snapshots
  /// Inputs whose ticks were too far ahead or behind to be meant: they got the nearest that may be.
  case ticksClamped = "ticks_clamped"
  /// Events and receipts that were forgotten because a client had no room for them for too long.
  case mailForgotten = "mail_forgotten"

  init(_ purpose: AddressBudgets.Purpose) {
    switch purpose {
    case .tilt: self = .tilts
    case .command: self = .commands
    case .move: self = .moves
    case .words: self = .words
    case .clock: self = .clocks
    }
  }
}

/// What clients tell of their predictions.
enum ClientFigure: String, CaseIterable, Sendable {
  case reports, rollbacks
  case replayedTicks = "replayed_ticks"
  case corrections
  case wrongWorlds = "wrong_worlds"
}

/// What a network thread tells the others of itself.
struct ThreadReport: Sendable {
  /// What it sent and refused since the start.
  var traffic = Traffic()
  /// Publications that it found waiting when it last looked: 1 when it keeps up.
  var backlog = 0
  /// Whether it has had more to send than it can.
  var isOverloaded = false
  /// How many clients it has, by kind of stream and then by rate, in the order of `rates`.
  var clients = ["state": noClients, "replica": noClients]

  /// The rates that there are, the fastest first.
  static let rates = FrameRate.allCases.sorted { $0.index < $1.index }.map(\.rawValue)
  private static let noClients = FrameRate.allCases.map { _ in 0 }

  /// Counts everybody anew.
  mutating func count(_ sessions: [Session]) {
    clients = ["state": Self.noClients, "replica": Self.noClients]
    for session in sessions where session.person != nil {
      if let follower = session.follower {
        clients["replica"]![follower.turn.rate.index] += 1
      } else {
        clients["state"]![session.stream.rate.index] += 1
      }
    }
  }
}

/// Counts of each case of an enumeration. The cases' raw values are what monitoring calls them.
struct Tally<Case>: Sendable
where Case: CaseIterable & Hashable & RawRepresentable & Sendable, Case.RawValue == String {
  private var counts: [Case: Int] = [:]

  /// How often a case was counted.
  subscript(_ one: Case) -> Int { counts[one] ?? 0 }

  /// Counts a case once more, or several times.
  mutating func count(_ one: Case, _ more: Int = 1) { counts[one, default: 0].count(more) }

  /// What was counted of all cases together.
  var total: Int {
    counts.values.reduce(into: 0) { $0.count($1) }
  }

  /// All cases by name, in their order, also those that were never counted.
  var all: [(name: String, count: Int)] { Case.allCases.map { ($0.rawValue, self[$0]) } }

  /// The same for a JSON object.
  var byName: [String: Int] { Dictionary(uniqueKeysWithValues: all) }

  static func + (one: Tally, other: Tally) -> Tally {
    var sum = one
    for (key, count) in other.counts { sum.count(key, count) }
    return sum
  }
}

extension Int {
  /// Counts on, and stays at the largest number when there is none above it.
  mutating func count(_ more: Int = 1) {
    assert(more >= 0)
    let (sum, isTooLarge) = addingReportingOverflow(more)
    self = isTooLarge ? .max : sum
  }
}
