import Wire

/// A world that runs ahead of the log: the confirmed one, and a copy of it a few ticks later in
/// which this person's own commands have happened already.
///
///     var prediction = Prediction(replica, person: 7, after: welcome.commandsBefore)
///     prediction.act(.drop(kind: 3, x: 800, y: 160), for: tick)
///     try prediction.receive(records)
///     prediction.advance(to: tick)
///     prediction.pit.bodies(into: &bodies)
///
/// The log decides. When it says otherwise than was foretold, another copy is made of the confirmed
/// world, the ticks since are run again in it, and it takes the first one's place, which is called
/// a rollback. One that would cost a picture too much time is spread over a few: until the other
/// copy has caught up, the first goes on. Only the confirmed world is hashed, and only its events
/// count.
public struct Prediction: Sendable {
  /// The world after the last record of the log.
  public private(set) var replica: Replica
  /// The world ahead of it.
  public private(set) var pit: Pit
  /// What it did so far.
  public private(set) var statistics = PredictionStatistics()
  /// Ticks of the log from one rollback to the next that others cause, at least; 1 for as soon as
  /// they do. One that this person's own commands cause never waits for that.
  public var rollbackPause = 1
  /// What one call of `advance(to:)` may do of a rollback, in ticks that are solved in one part;
  /// see `work(of:)`. A rollback is done after `mostSlices` calls at the latest.
  public var rollbackWork = Float.infinity
  private var foresight: Foresight
  /// The copy that is being made anew, and in how many calls so far.
  private var remade = Pit()
  private var slices: Int?
  /// The last predicted tick that was solved in more than two parts, since a rollback began.
  private var lastDearTick: UInt32?

  /// - Parameters:
  ///   - replica: the world that the log goes on from.
  ///   - person: this client's person, by number.
  ///   - commands: the number of its last command before this connection: `commandsBefore` of the
  ///     welcome.
  public init(_ replica: Replica, person: UInt16, after commands: UInt32) {
    self.replica = replica
    pit = Pit()
    pit.assign(replica.pit)
    foresight = Foresight(OwnInputs(person: person, commandsBefore: commands), replica)
  }

  /// Goes on from a snapshot; commands on their way stay.
  public mutating func restart(_ replica: Replica) {
    self.replica = replica
    (slices, lastDearTick) = (nil, nil)
    foresight.restart(replica)
  }

  /// How many ticks the predicted world is ahead of the confirmed one.
  public var ticksAhead: Int { pit.tick.ticks(since: replica.pit.tick) }

  // MARK: This person

  /// Notes a command of this person, which is sent with the tick that it means.
  public mutating func act(_ command: Command, for tick: UInt32) {
    foresight.own.add(command, for: tick)
  }

  /// Counts a command of this person that can't be foretold: words, which the server understands.
  public mutating func actUnforeseen() {
    foresight.own.skip()
  }

  /// Notes a tilt of this person, in 1/16 384.
  public mutating func tilt(x: Int16, y: Int16, for tick: UInt32) {
    foresight.own.addTilt(x: x, y: y, for: tick)
  }

  /// The server left a command out, which it said in a receipt.
  /// - Parameter sequence: the command's number, as in the log.
  public mutating func leaveOut(_ sequence: UInt32) {
    foresight.leaveOut(sequence, after: replica.pit.tick)
  }

  /// The server took a tilt in another tick than it was meant for.
  public mutating func note(_ late: LateTilt) {
    foresight.own.note(late)
    let ticks = late.taken.ticks(since: late.meant)
    statistics.lateness = ticks > statistics.lateness ? ticks : statistics.lateness
  }

  // MARK: The log

  /// Carries records out in the confirmed world; see `Replica.receive`.
  public mutating func receive(
    _ records: UnsafeRawBufferPointer, onTick: (TickOutcome) -> Void = { _ in }
  ) throws(ReplicaError) {
    let predicted = pit.tick
    let before = statistics.confirmed
    defer {
      // Of several ticks at once, the last stands for all.
      statistics.work += Float(statistics.confirmed &- before) * Self.work(of: replica.pit)
    }
    try Self.receive(
      records, &replica, &foresight, &statistics, predicted: predicted, onTick: onTick)
  }

  private static func receive(
    _ records: UnsafeRawBufferPointer, _ replica: inout Replica, _ foresight: inout Foresight,
    _ statistics: inout PredictionStatistics, predicted: UInt32,
    onTick: (TickOutcome) -> Void
  ) throws(ReplicaError) {
    try replica.receive(records) { outcome in
      let late = foresight.confirm(outcome, predicted: predicted)
      statistics.confirmed &+= 1
      statistics.lateness = late > statistics.lateness ? late : statistics.lateness
      if late > 0 { statistics.lateTicks &+= 1 }
      onTick(outcome)
    }
  }

  /// Notes the effects of the log's ticks from here on.
  mutating func noteEffects() { replica.noteEffects(true) }

  /// See `PredictedPlayback.takeEffects`.
  mutating func takeEffects(into effects: inout [TickEffect]) {
    let unseen = TickEffects.Unseen(person: foresight.own.person, after: foresight.seenTick)
    replica.takeEffects(into: &effects, unseen: unseen)
  }

  /// Runs the predicted world to a tick, and makes it anew from the confirmed one if that is ahead
  /// or if the log said otherwise than was foretold. It never goes back.
  ///
  /// - Parameters:
  ///   - tick: the last tick to predict, at most `mostTicks` after the log's.
  ///   - onTick: is told of the copy that is being made anew, where it goes on and after each tick;
  ///     then, in order, of the ticks after the one that was shown.
  /// - Returns: whether another copy took the place of the predicted world.
  @discardableResult
  public mutating func advance(to tick: UInt32, onTick: (borrowing Pit) -> Void = { _ in }) -> Bool
  {
    let last = tick.ticks(since: pit.tick) > 0 ? tick : pit.tick
    assert(last.ticks(since: pit.tick) >= 0, "it never goes back")
    if needsRollback { beginRollback() }
    let isNew = slices != nil && catchUp(before: last, onTick)
    while last.ticks(since: pit.tick) > 0, ticksAhead < Self.mostTicks {
      foresight.tick(&pit, after: replica.pit.tick)
      notePredicted(pit)
      onTick(pit)
    }
    assert(ticksAhead <= Self.mostTicks)
    assert(ticksAhead >= 0, "whoever is behind the log goes on from it")
    return isNew
  }

  private mutating func beginRollback() {
    // Who has nothing newer than the log goes on from it: nothing that was shown is taken back.
    if !isBehind, slices == nil { statistics.rollbacks &+= 1 }
    remade.assign(replica.pit)
    lastDearTick = nil
    foresight.beginAnew(after: replica.pit.tick)
    // One that begins again has no more calls left than before.
    slices = slices ?? 0
  }

  /// Runs the copy that is being made anew as far as may be done at once, and as far as it must so
  /// that the calls that are left do about the same. If no tick follows the one that is shown, it
  /// does not stop a single tick before that: whoever draws the last two gets them of one world.
  /// - Parameter last: the tick up to which the predicted world is run next.
  /// - Returns: whether it has caught up, and is the predicted world now.
  private mutating func catchUp(
    before last: UInt32, _ onTick: (borrowing Pit) -> Void
  ) -> Bool {
    slices = slices! + 1
    assert(slices! <= Self.mostSlices && remade.tick.ticks(since: replica.pit.tick) >= 0)
    let growth = last.ticks(since: pit.tick)
    let must = share(of: pit.tick.ticks(since: remade.tick), growingBy: growth > 0 ? growth : 1)
    var (done, work): (Int, Float) = (0, 0)
    onTick(remade)
    while case let left = pit.tick.ticks(since: remade.tick), left > 0,
      remade.tick.ticks(since: replica.pit.tick) < Self.mostTicks
    {
      let isAffordable = work + Self.work(of: remade) <= rollbackWork
      guard done < must || isAffordable || (growth == 0 && left == 1) else { return false }
      foresight.tickAnew(&remade, after: replica.pit.tick)
      done += 1
      work += Self.work(of: remade)
      notePredicted(remade)
      statistics.replayed &+= 1
      onTick(remade)
    }
    swap(&pit, &remade)
    foresight.endAnew(after: replica.pit.tick)
    slices = nil
    return true
  }

  /// How many ticks this call must run so that the last one has no more to do than this one: all
  /// that are left, and those that come until then, in as many parts as there are calls.
  private func share(of left: Int, growingBy growth: Int) -> Int {
    let calls = Self.mostSlices - slices! + 1
    assert(calls > 0 && growth > 0)
    return (left + (calls - 1) * growth + calls - 1) / calls
  }

  private mutating func notePredicted(_ pit: borrowing Pit) {
    statistics.predicted &+= 1
    statistics.work += Self.work(of: pit)
    if Self.work(of: pit) > Self.mostPlainWork { lastDearTick = pit.tick }
  }

  /// What the last tick took, in ticks that are solved in one part. Of 7200 ticks of 1000 stickers
  /// those in two parts took 1.24 times as long as those in one; in WebAssembly those in six parts
  /// took 3 to 4 times as long.
  private static func work(of pit: borrowing Pit) -> Float {
    pit.partsSolved > 2 ? dearWork : pit.partsSolved == 2 ? mostPlainWork : 1
  }

  private static let mostPlainWork: Float = 1.25
  private static let dearWork: Float = 4

  /// Calls of `advance(to:)` after which a rollback that was begun is done whatever it takes: a
  /// ninth of a second at 60 pictures a second. With eight ticks ahead no call then has to run more
  /// than two, besides what it can afford; with six calls it was three, which were most of the
  /// longest pictures where something is fast and ticks are solved in six parts.
  static let mostSlices = 7

  /// How many ticks of the log are not in the predicted world yet, but for small errors of gravity.
  var ticksUnseen: Int { replica.pit.tick.ticks(since: foresight.seenTick) }

  /// Whether this person's hand holds something in the predicted world.
  var isHolding: Bool { pit.playground.holds(foresight.own.person) }

  private var isBehind: Bool { replica.pit.tick.ticks(since: pit.tick) > 0 }

  /// Whether `advance(to:)` begins a rollback. One that is under way is brought to its end first,
  /// unless the log has caught up with it, so that it is cheaper to begin with the log again, or an
  /// own command came otherwise than the copy was given it.
  var needsRollback: Bool {
    guard slices == nil else {
      return replica.pit.tick.ticks(since: remade.tick) >= 0 || foresight.isWrong
    }
    return isBehind || foresight.needsRollback(pause: rollbackPause, wait: wait)
  }

  /// For how many ticks of the log what others did waits: for some while a call could not afford
  /// two of the ticks that would be run again, and would have to run them all the same. The
  /// confirmed tick, two of those and a new one were the longest pictures of all, 9 to 12 ms where
  /// those without a rollback took 5. Such ticks come in runs of 5 to 15, behind throws that make
  /// many others fast.
  private var wait: Int {
    let isForetold = lastDearTick.map { $0.ticks(since: replica.pit.tick) > 0 } ?? false
    let isDear = isForetold || Self.work(of: replica.pit) > Self.mostPlainWork
    return isDear && rollbackWork < 2 * Self.dearWork ? Self.mostWait : 0
  }

  /// A quarter of a second, which is as long as most of those runs.
  static let mostWait = 15

  /// Whether a rollback was begun and goes on in the next `advance(to:)`.
  var isUnderWay: Bool { slices != nil }

  /// Whether a rollback begins or goes on at the next `advance(to:)`.
  var isRollingBack: Bool { isUnderWay || needsRollback }

  /// Most ticks that are ever predicted: what a device that can pay gets, see `PredictionBudget`.
  public static let mostTicks = 16

  /// Own stickers that turned out to have another name than was predicted.
  mutating func takeRenamed() -> [OwnArrivals.Renamed] { foresight.takeRenamed() }

  /// What the ticks since the last call took, in ticks that are solved in one part.
  mutating func takeWork() -> Float {
    defer { statistics.work = 0 }
    return statistics.work
  }

  /// The largest lateness of own inputs since the last call, in ticks.
  mutating func takeLateness() -> Int {
    defer { statistics.lateness = 0 }
    return statistics.lateness
  }
}

/// What a prediction counts.
public struct PredictionStatistics: Equatable, Sendable {
  public init() {}

  /// Ticks of the log.
  public var confirmed: UInt32 = 0
  /// Ticks of the predicted world.
  public var predicted: UInt32 = 0
  /// Times that the predicted world was made anew because the log said otherwise.
  public var rollbacks: UInt32 = 0
  /// Ticks of the predicted world that were run again for that.
  public var replayed: UInt32 = 0
  /// Ticks in which own commands were carried out later than they were meant for.
  public var lateTicks: UInt32 = 0
  /// What all ticks took, in ticks that are solved in one part, since it was last asked for.
  var work: Float = 0
  /// The largest of these delays since it was last asked for.
  var lateness = 0
}
