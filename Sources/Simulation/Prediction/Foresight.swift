import Physics
import Wire

/// What a client gives its predicted world in the ticks that the log has not reached, and whether
/// the log then said the same.
struct Foresight: Sendable {
  /// What a predicted tick was given.
  private struct Foretold {
    var tick: UInt32
    var gravity: QuantizedGravity
    var commands: [StampedCommand]
    var dropsCaches = false

    mutating func note(_ tick: UInt32, _ gravity: QuantizedGravity, _ inputs: TickInputs) {
      (self.tick, self.gravity, dropsCaches) = (tick, gravity, inputs.dropsCaches)
      commands.removeAll(keepingCapacity: true)
      commands.append(contentsOf: inputs.commands)
    }
  }

  var own: OwnInputs
  private var guess: GravityGuess
  /// Whose tilt counts, by the log.
  private var tiltRule: TiltRule
  /// The gravity to come in the predicted world, and in the one that is being made anew.
  private var future: GravityGuess.Future
  private var futureAnew: GravityGuess.Future
  /// By tick, modulo their number, which is more than are ever predicted.
  private var foretold: [Foretold] = []
  private var arrivals = OwnArrivals()
  /// What a predicted tick is given, and what became of it, of which the memory serves each tick.
  private var inputs = TickInputs()
  private var outcome = TickOutcome(tick: 0)
  /// The tick in which the world drops its caches, as the log said before.
  private var dropTick: UInt32?
  /// The last tick of the log that the predicted world has in it, but for small errors of gravity.
  private(set) var seenTick: UInt32
  /// The log's last tick when another world was begun; nil while none is being made.
  private var anewFrom: UInt32?

  /// Whether a command of this person came otherwise than foretold, or the world is another one.
  private(set) var isWrong = false
  /// Whether somebody else did something, which nobody could foretell, or the world was saved
  /// without notice, which rounds what contacts remember.
  private var isOutdated = false
  /// Ticks of the log since the predicted world is known to lack something.
  private var outdatedTicks = 0
  /// Ticks of the log since the last rollback.
  private var ticksSinceRollback = 0
  /// By how much the gravity of the ticks since the last rollback was wrong, in its units.
  private var drift: Float = 0
  /// Ticks since the gravity was wrong first.
  private var driftTicks = 0

  /// Ticks of which what was foretold is remembered: twice as many as are ever predicted.
  private static let remembered = 32
  /// What gravity may be wrong by, in ticks times g, before the prediction is made anew: a sticker
  /// in free fall is off by less than a quarter of a point after eight ticks.
  private static let mostDrift = 0.05 * QuantizedGravity.unit
  /// Ticks after which a smaller error is mended too.
  private static let mostDriftTicks = 12

  init(_ own: OwnInputs, _ replica: Replica) {
    self.own = own
    guess = GravityGuess(replica.pit.gravity, tilting: replica.tilting)
    tiltRule = replica.tiltRule
    future = guess.future()
    futureAnew = future
    seenTick = replica.pit.tick
    foretold = Array(
      repeating: Foretold(tick: replica.pit.tick, gravity: .down, commands: []),
      count: Self.remembered)
  }

  /// Goes on from another world of the same server.
  mutating func restart(_ replica: Replica) {
    guess = GravityGuess(replica.pit.gravity, tilting: replica.tilting)
    tiltRule = replica.tiltRule
    (isWrong, anewFrom, dropTick) = (true, nil, nil)
  }

  // MARK: Predicting

  /// Begins anew with the world after the last tick of the log. From now on that is what the log is
  /// compared with: it overwrites what was foretold before.
  /// - Parameter confirmed: the log's last tick.
  mutating func beginAnew(after confirmed: UInt32) {
    anewFrom = confirmed
    futureAnew = guess.future()
    arrivals.beginAnew()
    (isWrong, isOutdated) = (false, false)
    (drift, driftTicks, outdatedTicks, ticksSinceRollback) = (0, 0, 0, 0)
  }

  /// What was begun anew has caught up, and is the predicted world.
  /// - Parameter confirmed: the log's last tick.
  mutating func endAnew(after confirmed: UInt32) {
    assert(anewFrom != nil, "it was begun")
    seenTick = isRight ? confirmed : anewFrom!
    anewFrom = nil
    future = futureAnew
    arrivals.endAnew()
  }

  /// Runs a tick of the predicted world.
  /// - Parameter confirmed: the log's last tick.
  mutating func tick(_ pit: inout Pit, after confirmed: UInt32) {
    let gravity = future.next(guess, own: ownTilt(at: pit.tick.nextTick))
    tick(&pit, gravity, after: confirmed)
    arrivals.take(outcome, of: own.person, in: .shown)
  }

  /// Runs a tick of the world that is being made anew.
  mutating func tickAnew(_ pit: inout Pit, after confirmed: UInt32) {
    let gravity = futureAnew.next(guess, own: ownTilt(at: pit.tick.nextTick))
    tick(&pit, gravity, after: confirmed)
    arrivals.take(outcome, of: own.person, in: .anew)
  }

  private mutating func tick(
    _ pit: inout Pit, _ gravity: QuantizedGravity, after confirmed: UInt32
  ) {
    let tick = pit.tick.nextTick
    (inputs.gravity, inputs.hashesState) = (gravity, false)
    inputs.dropsCaches = tick == dropTick
    inputs.commands.removeAll(keepingCapacity: true)
    own.append(for: tick, after: confirmed, to: &inputs.commands) { [person = own.person] slot in
      pit.isHeld(slot, by: person)
    }
    pit.tick(inputs, into: &outcome)
    assert(outcome.record.tick == tick)
    assert(outcome.record.stateHash == nil, "nobody compares it")
    foretold[index(of: tick)].note(tick, pit.gravity, inputs)
  }

  // MARK: Comparing

  /// Takes what the log says of a tick.
  /// - Parameter predicted: the last tick that was predicted.
  /// - Returns: how many ticks later than meant own commands were carried out.
  mutating func confirm(_ outcome: TickOutcome, predicted: UInt32) -> Int {
    let record = outcome.record
    if let changed = record.tiltRule { tiltRule = changed }
    if let ticks = record.dropNotice { dropTick = record.tick &+ UInt32(ticks) }
    guess.confirm(record, own: ownTilt(at: record.tick))
    if predicted.ticks(since: record.tick) >= 0 {
      compare(record)
      if isRight, anewFrom == nil { seenTick = record.tick }
    }
    var late = 0
    for command in record.commands where command.person == own.person {
      let wait = own.settle(through: command.sequence, in: record.tick) ?? 0
      if wait > late { late = wait }
    }
    own.forget(at: record.tick)
    arrivals.take(outcome, of: own.person, in: .log)
    return late
  }

  private mutating func compare(_ record: TickRecord) {
    ticksSinceRollback += 1
    if isOff { outdatedTicks += 1 }
    let told = foretold[index(of: record.tick)]
    guard told.tick == record.tick, record.acts.isEmpty else {
      isWrong = true
      return
    }
    // People join and journals save. Who did not know it in time is off where something moves, by 4
    // pt at most, so it waits as what others do.
    if record.dropsCaches != told.dropsCaches { isOutdated = true }
    guard told.commands == record.commands else {
      isOutdated = true
      if !areOwn(told.commands, of: record) { isWrong = true }
      return
    }
    let x = Float(guess.confirmed.x) - Float(told.gravity.x)
    let y = Float(guess.confirmed.y) - Float(told.gravity.y)
    drift += (x * x + y * y).squareRoot()
    assert(drift >= 0)
    if drift > 0 { driftTicks += 1 }
  }

  /// Whether these are the commands of this person in a record: nobody else's are ever foretold.
  private func areOwn(_ commands: [StampedCommand], of record: TickRecord) -> Bool {
    var count = 0
    for command in record.commands where command.person == own.person {
      guard count < commands.count, commands[count] == command else { return false }
      count += 1
    }
    return count == commands.count
  }

  /// Whether the predicted world must be made anew.
  /// - Parameters:
  ///   - pause: ticks of the log from one time to the next, unless this person's own commands are
  ///     the reason.
  ///   - wait: ticks of the log that it may stay as it is, unless own commands are the reason.
  func needsRollback(pause: Int, wait: Int) -> Bool {
    if isWrong { return true }
    return isOff && ticksSinceRollback >= pause && outdatedTicks >= wait
  }

  /// Whether the world that the log is compared with, which is the one that is being made anew if
  /// one is, has all that the log says, but for small errors of gravity.
  private var isRight: Bool { !isWrong && !isOff }

  /// Whether what others did, or an error of gravity, is to be mended.
  private var isOff: Bool {
    isOutdated || drift > Self.mostDrift || driftTicks > Self.mostDriftTicks
  }

  /// The server left a command of this person out.
  /// - Parameter confirmed: the log's last tick.
  mutating func leaveOut(_ sequence: UInt32, after confirmed: UInt32) {
    own.leaveOut(sequence)
    let isForetold = foretold.contains { [person = own.person] told in
      told.tick.ticks(since: confirmed) > 0
        && told.commands.contains { $0.person == person && $0.sequence == sequence }
    }
    if isForetold { isWrong = true }
  }

  /// Own stickers that turned out to have another name than was predicted.
  mutating func takeRenamed() -> [OwnArrivals.Renamed] { arrivals.takeRenamed() }

  /// This person's part in gravity: none while the pit is somebody else's. Who is next is not known
  /// before the log says so.
  private func ownTilt(at tick: UInt32) -> (vector: Vector2, weight: Float) {
    switch tiltRule {
    case .everybody: own.tilt(at: tick)
    case .captain(let captain):
      captain?.person == own.person ? own.tilt(at: tick) : (.zero, 0)
    }
  }

  private func index(of tick: UInt32) -> Int { Int(tick % UInt32(Self.remembered)) }
}
