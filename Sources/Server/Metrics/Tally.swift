// What is counted by its cause, and the causes that there are. Why a session ends is `EndCause`.

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
