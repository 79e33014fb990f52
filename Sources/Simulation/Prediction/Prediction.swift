import Wire

/// A world that runs ahead of the log: the confirmed one, and a copy of it a few ticks later in
/// which this client's own commands have happened already.
///
///     var prediction = Prediction(replica, client: 7, after: welcome.commandsBefore)
///     prediction.act(.drop(kind: 3, x: 800, y: 160), for: tick)
///     try prediction.receive(records)
///     prediction.advance(to: tick)
///     prediction.pit.bodies(into: &bodies)
///
/// The log decides. When it says otherwise than was foretold, the copy is made anew from the
/// confirmed world and the ticks since are run again, which is called a rollback. Only the
/// confirmed world is hashed, and only its events count.
public struct Prediction: Sendable {
  /// The world after the last record of the log.
  public private(set) var replica: Replica
  /// The world ahead of it.
  public private(set) var pit: Pit
  /// What it did so far.
  public private(set) var statistics = PredictionStatistics()
  /// Ticks of the log from one rollback to the next that others cause, at least; 1 for as soon as
  /// they do. What this client does itself never waits.
  public var rollbackPause = 1
  private var foresight: Foresight

  /// - Parameters:
  ///   - replica: the world that the log goes on from.
  ///   - client: this client's number.
  ///   - commands: the number of its last command before this connection: `commandsBefore` of the
  ///     welcome.
  public init(_ replica: Replica, client: UInt16, after commands: UInt32) {
    self.replica = replica
    pit = Pit()
    pit.assign(replica.pit)
    foresight = Foresight(OwnInputs(client: client, commandsBefore: commands), replica)
  }

  /// Goes on from a snapshot; commands on their way stay.
  public mutating func restart(_ replica: Replica) {
    self.replica = replica
    foresight.restart(replica)
  }

  /// How many ticks the predicted world is ahead of the confirmed one.
  public var ticksAhead: Int { pit.tick.ticks(since: replica.pit.tick) }

  // MARK: This client

  /// Notes a command of this client, which it sends with the tick that it means.
  public mutating func act(_ command: Command, for tick: UInt32) {
    foresight.own.add(command, for: tick)
  }

  /// Counts a command of this client that can't be foretold: words, which the server understands.
  public mutating func actUnforeseen() {
    foresight.own.skip()
  }

  /// Notes a tilt of this client, in 1/16 384.
  public mutating func tilt(x: Int16, y: Int16, for tick: UInt32) {
    foresight.own.addTilt(x: x, y: y, for: tick)
  }

  /// The server left a command out, which it said in a receipt.
  /// - Parameter sequence: the command's number, as in the log.
  public mutating func leaveOut(_ sequence: UInt32) {
    foresight.leaveOut(sequence)
  }

  // MARK: The log

  /// Carries records out in the confirmed world; see `Replica.receive`.
  public mutating func receive(
    _ records: UnsafeRawBufferPointer, onTick: (TickOutcome) -> Void = { _ in }
  ) throws(ReplicaError) {
    let predicted = pit.tick
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
      if late > 0 { statistics.lateCommands &+= 1 }
      onTick(outcome)
    }
  }

  /// Runs the predicted world to a tick, from the confirmed one if that is ahead or if the log said
  /// otherwise than was foretold. It never goes back.
  ///
  /// - Parameters:
  ///   - tick: the last tick to predict, at most `mostTicks` after the log's.
  ///   - onTick: is told of the predicted world after each tick that was run, and after it was made
  ///     anew.
  /// - Returns: whether it was made anew.
  @discardableResult
  public mutating func advance(to tick: UInt32, onTick: (borrowing Pit) -> Void = { _ in }) -> Bool
  {
    let last = tick.ticks(since: pit.tick) > 0 ? tick : pit.tick
    assert(last.ticks(since: pit.tick) >= 0, "it never goes back")
    let rollsBack = needsRollback
    // Who has nothing newer than the log goes on from it: nothing that was shown is taken back.
    let repeats = rollsBack && !isBehind
    let shown = pit.tick
    if repeats { statistics.rollbacks &+= 1 }
    if rollsBack {
      pit.assign(replica.pit)
      foresight.begin()
      onTick(pit)
    }
    while last.ticks(since: pit.tick) > 0, ticksAhead < Self.mostTicks {
      let outcome = pit.tick(
        foresight.inputs(for: pit.tick.nextTick, after: replica.pit.tick))
      foresight.note(outcome, gravity: pit.gravity)
      statistics.predicted &+= 1
      if repeats, shown.ticks(since: pit.tick) >= 0 { statistics.replayed &+= 1 }
      onTick(pit)
    }
    assert(ticksAhead <= Self.mostTicks)
    assert(ticksAhead >= 0, "whoever is behind the log goes on from it")
    return rollsBack
  }

  private var isBehind: Bool { replica.pit.tick.ticks(since: pit.tick) > 0 }

  /// Whether `advance(to:)` will make the predicted world anew.
  var needsRollback: Bool { isBehind || foresight.needsRollback(pause: rollbackPause) }

  /// Most ticks that are ever predicted: what a device that can pay gets, see `PredictionBudget`.
  public static let mostTicks = 16

  /// Own stickers that turned out to have another name than was predicted.
  mutating func takeRenamed() -> [OwnArrivals.Renamed] { foresight.takeRenamed() }

  /// The largest lateness of own commands since the last call, in ticks.
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
  public var lateCommands: UInt32 = 0
  /// The largest of these delays since it was last asked for.
  var lateness = 0
}
