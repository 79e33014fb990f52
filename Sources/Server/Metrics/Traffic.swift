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
