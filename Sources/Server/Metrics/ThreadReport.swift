import Transport
import Wire

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
        clients["replica"]![follower.rate.index] += 1
      } else {
        clients["state"]![session.stream.rate.index] += 1
      }
    }
  }
}

/// What a network thread sent and refused since the start.
struct Traffic: Sendable {
  var frames = 0
  var keyframes = 0
  /// Frames for clients that were not in step.
  var catchUps = 0
  var skipped = 0
  /// Times that a client was lowered to a slower rate, and raised to a faster one.
  var slowed = 0
  var raised = 0
  /// Publications whose frames a late network thread did not send, because a newer one was there.
  var collapsed = 0
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
  /// Hellos of newcomers while there was more to send than time.
  var refusedForLoad = 0
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
  /// Connections that ended without a word of the server's: those that broke RFC 6455 or sent too
  /// much, those that their clients closed, and those that were lost.
  var brokenOff = 0
  var closedByClient = 0
  var lost = 0
  /// What clients told of their predictions; nobody has checked it.
  var reports = 0
  var reportedRollbacks = 0
  var reportedReplays = 0
  var reportedCorrections = 0
  var reportedDivergences = 0
  /// Keyframes that clients asked for because they could not take a frame.
  var keyframeRequests = 0
  /// Events and receipts that were forgotten because a client had no room for them for too long.
  var forgottenMail = 0
  /// Times that this process stood still for more than half a second.
  var standstills = 0

  /// All counts.
  static let counts: [WritableKeyPath<Traffic, Int> & Sendable] = [
    \.frames, \.keyframes, \.catchUps, \.skipped, \.slowed, \.raised,
    \.collapsed, \.records, \.snapshots, \.bytes,
    \.clampedTicks, \.refusedCommands, \.refusedMoves, \.refusedWords, \.refusedClocks,
    \.refusedTilts, \.refusedHellos, \.refusedTakeOvers, \.refusedForRoom, \.refusedForLoad,
    \.refusedWorlds,
    \.refusedSnapshots, \.closedForLimits, \.closedForErrors, \.closedForStalling,
    \.closedForSilence, \.brokenOff, \.closedByClient, \.lost,
    \.reports, \.reportedRollbacks, \.reportedReplays, \.reportedCorrections,
    \.reportedDivergences, \.keyframeRequests, \.forgottenMail,
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
      ("take_overs", refusedTakeOvers), ("for_room", refusedForRoom),
      ("for_load", refusedForLoad), ("worlds", refusedWorlds),
      ("snapshots", refusedSnapshots), ("ticks_clamped", clampedTicks),
      ("mail_forgotten", forgottenMail),
    ]
  }

  /// How connections ended, by reason.
  var closes: [(String, Int)] {
    [
      ("limits", closedForLimits), ("errors", closedForErrors), ("stalling", closedForStalling),
      ("silence", closedForSilence), ("websocket", brokenOff), ("client", closedByClient),
      ("lost", lost),
    ]
  }

  /// What clients told, by name.
  var told: [(String, Int)] {
    [
      ("reports", reports), ("rollbacks", reportedRollbacks),
      ("replayed_ticks", reportedReplays), ("corrections", reportedCorrections),
      ("wrong_worlds", reportedDivergences),
    ]
  }

  mutating func take(_ report: ClientReport) {
    reports.count()
    reportedRollbacks.count(Int(report.rollbacks))
    reportedReplays.count(Int(report.replayedTicks))
    reportedCorrections.count(Int(report.corrections))
    reportedDivergences.count(Int(report.wrongWorlds))
  }

  /// A connection ended, and the session did not end it.
  mutating func ended(_ end: ConnectionEnd) {
    if end.isOwn {
      brokenOff.count()
    } else if end.code == .abnormal {
      lost.count()
    } else {
      closedByClient.count()
    }
  }

  /// A frame was written to so many.
  mutating func wrote(_ kind: Session.Delivery.Kind, bytes count: Int, to sessions: Int = 1) {
    switch kind {
    case .own: frames.count(sessions)
    case .catchUp: catchUps.count(sessions)
    case .keyframe: keyframes.count(sessions)
    }
    bytes.count(count * sessions)
  }

  /// A session's rate changed, or did not.
  mutating func changed(_ change: RateControl.Change) {
    switch change {
    case .slower: slowed.count()
    case .faster, .full: raised.count()
    }
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
