import Wire

/// Somebody who follows the log instead of the state stream.
struct Follower {
  /// When it is led on.
  var turn: FollowerTurn
  /// The tick after which it has the world; nil for nothing yet.
  var position: UInt32?
  /// Whether it needs the world whole: it has none, or a wrong one.
  var wantsSnapshot: Bool

  init(turn: FollowerTurn, position: UInt32?) {
    self.turn = turn
    self.position = position
    wantsSnapshot = position == nil
  }

  /// Nothing is tried before this time, in monotonic nanoseconds.
  private(set) var nextTry: UInt64 = 0
  /// Whether its pipe was full at the last try.
  private var isBlocked = false
  /// Whether its pipe was full then, and has taken no other message since.
  private(set) var takesNothing = false

  /// Its pipe was full, for the second time in a row perhaps: what it lacks is put together anew
  /// each time, so it is not tried at every tick.
  mutating func blocked(at now: UInt64) {
    if isBlocked { nextTry = now + Session.retry }
    isBlocked = true
    takesNothing = true
  }

  /// Its pipe took a message that is not of the log: a snapshot or a record has room, too, and if
  /// none is tried now, it is not for want of that.
  mutating func tookMessage() { takesNothing = false }

  /// It has the world after a tick.
  mutating func followed(to tick: UInt32) {
    position = tick
    isBlocked = false
    takesNothing = false
  }
}

/// The ticks at which a follower is led on. Those of a slower rate take turns: each tick has its
/// share of them, because ten thousand messages at every third tick, and none between, would make
/// the last of them old and the next tick late. A record is in everybody's next message whichever
/// tick that is of, so turns cost nothing; frames of the state stream take none, because each turn
/// would need frames of its own.
struct FollowerTurn: Equatable {
  let rate: FrameRate
  /// The remainder of its ticks, divided by the rate's interval.
  let phase: UInt32

  /// Its place in arrays with one entry a turn.
  var index: Int { Self.first[rate.index] + Int(phase) }

  /// All of them, by index.
  static let all = FrameRate.allCases.flatMap { rate in
    (0..<rate.interval).map { FollowerTurn(rate: rate, phase: $0) }
  }

  /// The index of each rate's first turn.
  private static let first = FrameRate.allCases.map { rate in
    all.firstIndex { $0.rate == rate }!
  }

  /// The turn of a person. Ids are given one after the other, so that all turns have as many.
  static func of(_ person: UInt16, at rate: FrameRate) -> FollowerTurn {
    FollowerTurn(rate: rate, phase: UInt32(person) % rate.interval)
  }

  /// Where the ticks' numbers begin anew, one interval of three or six ticks is another.
  func isDue(at tick: UInt32) -> Bool { tick % rate.interval == phase }
}
