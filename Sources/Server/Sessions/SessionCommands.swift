import Wire

/// The commands of one connection: which ticks they are meant for, and what became of them.
struct SessionCommands {
  /// The stamp of the last command before this connection's first.
  let stampBefore: UInt32
  /// The tick that its last input was meant for.
  private var lastAim: UInt32?
  /// What became of its commands since the last receipt.
  private var outcomes: [ReceivedCommand] = []

  /// - Parameter stamp: that of the person's last command before.
  init(after stamp: UInt32 = 0) {
    stampBefore = stamp
  }

  /// The tick that an input is taken to be meant for: what the client says, but neither far from
  /// now nor before what it meant earlier, so that nobody's commands overtake each other.
  mutating func aim(at tick: UInt32, now: UInt32) -> (tick: UInt32, isClamped: Bool) {
    let most = InputSchedule.mostTicksAhead
    let ahead = tick.ticks(since: now)
    let isClamped = ahead < -most || ahead > most
    var aim = isClamped ? now &+ (ahead > 0 ? UInt32(most) : 0) : tick
    if let lastAim, aim.ticks(since: lastAim) < 0, lastAim.ticks(since: now) > 0 { aim = lastAim }
    lastAim = aim
    return (aim, isClamped)
  }

  /// The tick for which an input counts that names none: that of the inputs before it, if they
  /// still wait, so that it does not overtake them.
  func aimOfPlainInput(now: UInt32) -> UInt32? {
    lastAim.flatMap { $0.ticks(since: now) > 1 ? $0 : nil }
  }

  /// Notes what became of a command, for the next receipt.
  /// - Returns: whether it is the first for that receipt.
  mutating func note(_ outcome: CommandOutcome, ofStamp stamp: UInt32) -> Bool {
    // Commands of the connection before have no number here.
    guard stamp.ticks(since: stampBefore) > 0 else { return false }
    outcomes.append(ReceivedCommand(number: stamp &- stampBefore, outcome: outcome))
    return outcomes.count == 1
  }

  /// Takes what became of them, as receipts of a tick: one as a rule.
  mutating func takeReceipts(tick: UInt32) -> [Receipt] {
    defer { outcomes.removeAll(keepingCapacity: true) }
    return stride(from: 0, to: outcomes.count, by: WireLimits.receipts).map { start in
      let end = min(start + WireLimits.receipts, outcomes.count)
      return Receipt(tick: tick, commands: Array(outcomes[start..<end]))
    }
  }
}
