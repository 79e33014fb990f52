import Wire

/// The client's side of the log: runs the world itself, ahead of the log by what the link needs,
/// and shows it between two predicted ticks.
///
///     try playback.begin(snapshot, after: commands, now: now) // the snapshot
///     try playback.receive(records, now: now) { … }          // as records come
///     playback.receive(echo, sent: sent, now: now)           // about once a second
///     let tick = playback.act(.drop(kind: 3, x: 800, y: 160)) // send the command with this tick
///     playback.run(to: now)                                  // as often as the screen wants
///     playback.spent(1.2, now: now)                          // what the calls so far took
///     playback.sample(now: now, into: &instances)            // the picture, which costs no ticks
///
/// Times are milliseconds of a steady local clock.
public final class PredictedPlayback {
  /// The server's time, from echoes.
  public private(set) var clock = ServerClock()
  /// What there was to draw besides the stickers at the last `sample`.
  public private(set) var scenery = PictureScenery()
  /// The worlds; nil before the snapshot.
  public private(set) var prediction: Prediction?
  /// How far ahead it runs.
  public private(set) var runAhead = RunAhead()
  /// How far ahead the device lets it run.
  public private(set) var budget = PredictionBudget()
  /// What was different first, by name, when the world was last found to be wrong and a snapshot
  /// came; nil before.
  public private(set) var difference: String?
  /// Both worlds of the last time that a snapshot was of the very tick at which the world that was
  /// found to be wrong stood; nil before.
  public private(set) var divergence: Divergence?
  /// Counts for a display of how it goes.
  public private(set) var statistics = FollowStatistics()

  /// How far from their places stickers are drawn, after rollbacks that moved them.
  private(set) var corrections = Corrections()

  private let person: UInt16
  private var frames = PredictedFrames()
  private var births = BirthTicks()
  private var shown = SteadyTick()
  private var time = LocalTime()
  /// The place that is shown, in ticks, and the moment for which it was found.
  private var place = 0.0
  private var ranTo: Double?
  /// Whether a world was begun since the time was last told.
  private var hasBegun = false
  /// Ticks that were run when the time for them was last told.
  private var paidTicks: UInt32 = 0

  /// - Parameter person: the number of this client's person.
  public init(person: UInt16) {
    self.person = person
  }

  // MARK: The log

  /// Begins with a snapshot, or goes on from one: what is shown then glides to its place. Throws as
  /// `Replica.init` does, and keeps its world then.
  /// - Parameters:
  ///   - snapshot: what the message holds behind its type.
  ///   - commands: the number of this person's last command so far.
  ///   - now: the local time in milliseconds.
  public func begin(
    _ snapshot: [UInt8], after commands: UInt32, now: Double
  ) throws(ReplicaError) {
    begin(try Replica(snapshot: snapshot), after: commands, now: now)
    statistics.snapshots &+= 1
  }

  /// Begins with a world that was kept from an earlier connection.
  public func begin(_ replica: Replica, after commands: UInt32, now: Double) {
    let now = time.plausible(now)
    if prediction == nil {
      prediction = Prediction(replica, person: person, after: commands)
      frames.take(replica.pit)
      noteBirths(isFirst: true)
    } else {
      let before = prediction!.replica
      if before.hasDiverged { compare(before.pit, with: replica.pit) }
      prediction!.restart(replica)
    }
    prediction!.noteEffects()
    statistics.isDiverged = false
    hasBegun = true
    clock.receive(frameAt: clock.place(of: replica.pit.tick), now: now)
  }

  /// Notes what is different in the world that was found to be wrong. The server leads it on to the
  /// very tick of the snapshot, so another tick means that records were lost: such worlds can't be
  /// compared.
  private func compare(_ wrong: Pit, with right: Pit) {
    guard wrong.tick == right.tick else {
      difference = "records are missing: at tick \(wrong.tick) instead of \(right.tick)"
      return
    }
    let found = Divergence(wrong, servers: right)
    difference = found.map { "\($0.difference), seen in tick \($0.tick)" }
    if let found { divergence = found }
  }

  /// Carries records out. Throws as `Replica.receive` does: after `diverged` the world goes on
  /// until a snapshot comes.
  /// - Parameters:
  ///   - records: whole records, those that follow on the last one.
  ///   - now: the local time in milliseconds.
  ///   - onEvent: is told what happened and in which tick, once, when it is certain.
  public func receive(
    _ records: UnsafeRawBufferPointer, now: Double, onEvent: (WireEvent, UInt32) -> Void
  ) throws(ReplicaError) {
    guard prediction != nil else { return }
    let now = time.plausible(now)
    let own = person
    statistics.messages &+= 1
    statistics.bytes &+= UInt32(truncatingIfNeeded: records.count)
    do throws(ReplicaError) {
      try prediction!.receive(records) { outcome in
        for event in outcome.events where event.onlyPerson == nil || event.onlyPerson == own {
          onEvent(event.told, outcome.record.tick)
        }
      }
    } catch {
      if case .diverged(let tick) = error { statistics.noteDivergence(in: tick, now: now) }
      throw error
    }
    clock.receive(frameAt: clock.place(of: prediction!.replica.pit.tick), now: now)
    runAhead.late(by: prediction!.takeLateness(), now: now)
  }

  /// Takes a clock echo in that was asked for at `sent`.
  public func receive(_ echo: ClockEcho, sent: Double, now: Double) {
    let now = time.plausible(now)
    let sent = sent >= 0 ? sent : now
    clock.receive(tick: echo.tick, microseconds: echo.microseconds, sent: sent, now: now)
    if now >= sent { runAhead.receive(roundTrip: now - sent) }
  }

  /// The server left a command out, as a receipt said.
  /// - Parameter sequence: the command's number in the log.
  public func leaveOut(_ sequence: UInt32) {
    prediction?.leaveOut(sequence)
  }

  /// The server took a tilt in another tick than it was meant for.
  public func receive(_ late: LateTilt, now: Double) {
    guard prediction != nil else { return }
    prediction!.note(late)
    runAhead.late(by: prediction!.takeLateness(), now: time.plausible(now))
  }

  /// Moves the effects of the log's latest ticks to `effects`, in place of what was there: each
  /// once, those of others when they are seen, and none that is older than two thirds of a second.
  public func takeEffects(into effects: inout [TickEffect]) {
    if prediction == nil { effects.removeAll() } else { prediction!.takeEffects(into: &effects) }
  }

  // MARK: This person

  /// Carries a command of this person out in the next predicted tick, or later if the link needs
  /// an input delay; in the confirmed world alone where nothing is predicted (`budget`).
  /// - Returns: the tick to send it with; nil when there is no world yet.
  public func act(_ command: Command) -> UInt32? {
    guard let aim else { return nil }
    prediction!.act(command, for: aim)
    return aim
  }

  /// Counts words that were said, which only the server understands.
  public func say() -> UInt32? {
    prediction?.actUnforeseen()
    return aim
  }

  /// Tilts the predicted world, in 1/16 384.
  /// - Returns: the tick to send it with; nil when there is no world yet.
  public func tilt(x: Int16, y: Int16) -> UInt32? {
    guard let aim else { return nil }
    prediction!.tilt(x: x, y: y, for: aim)
    return aim
  }

  /// The tick for which what is done now counts.
  private var aim: UInt32? {
    prediction.map { $0.pit.tick.nextTick &+ UInt32(runAhead.inputDelay) }
  }

  /// The generation of the sticker in a slot of the predicted world.
  public func generation(ofSlot slot: UInt16) -> UInt16? {
    frames.latest.bodies.first { $0.slot == slot }?.generation
  }

  /// Tells what the calls since the last one took, so that no device is asked for more than it can
  /// do.
  public func spent(_ milliseconds: Double, now: Double) {
    guard let counted = prediction?.statistics else { return }
    let ticks = counted.confirmed &+ counted.predicted
    // What a snapshot took, or the first picture after one, is no tick's time.
    let isTicks = !hasBegun
    hasBegun = false
    let work = prediction!.takeWork()
    if isTicks {
      budget.spent(
        milliseconds, on: Int(ticks &- paidTicks), work: work, now: time.plausible(now))
    }
    paidTicks = ticks
  }

  // MARK: The picture

  /// Runs the predicted world to where it is to be shown at `now`.
  public func run(to now: Double) {
    guard prediction != nil else { return }
    let now = time.plausible(now)
    place = advance(to: now)
    predict(upTo: place)
    corrections.shrink(elapsed: now - (ranTo ?? now))
    statistics.forgetOldCorrection(now: now)
    ranTo = now
  }

  /// Fills `instances` with the stickers as they are to be shown at `now`, in order of slots. Runs
  /// the world first if `run` did not.
  public func sample(now: Double, into instances: inout [StickerInstance]) {
    instances.removeAll(keepingCapacity: true)
    guard prediction != nil else { return }
    if ranTo != time.plausible(now) { run(to: now) }
    let behind = clock.place(of: frames.latest.tick) - place
    let share = frames.share(behind: behind)
    assert(share >= 0 && share <= 1)
    frames.latest.append(
      to: &instances, after: frames.earlier, share: share, corrections: corrections, births: births)
    scenery.update(
      from: frames.earlier.scenery, to: frames.latest.scenery, share: share, instances: instances)
  }

  /// Moves the shown tick on: ahead of the server's by the lead, but no further ahead of the log
  /// than may be predicted. What a longer link needs is a delay of own inputs.
  private func advance(to now: Double) -> Double {
    let confirmed = clock.place(of: prediction!.replica.pit.tick)
    let goal = (clock.tick(at: now) ?? confirmed) + runAhead.lead
    runAhead.predicted(goal + 1 - confirmed, most: budget.most, now: now)
    let limit = confirmed + Double(budget.most) - 1
    shown.advance(
      towards: goal - Double(runAhead.inputDelay), startingUpTo: limit, limit: limit, now: now)
    return shown.place ?? confirmed
  }

  /// Runs the predicted world to the tick after what is shown, and notes how that differs from what
  /// was shown before.
  private func predict(upTo place: Double) {
    let confirmed = prediction!.replica.pit.tick
    let ahead = place.rounded(.down) + 1 - clock.place(of: confirmed)
    let target = confirmed &+ UInt32(SteadyTick.bounded(ahead, 0, Double(budget.most)))
    let shown = frames.latest.tick
    let last = target.ticks(since: shown) > 0 ? target : shown
    assert(target.ticks(since: confirmed) <= budget.most)
    prediction!.rollbackPause = budget.rollbackPause(
      ticksAhead: target.ticks(since: confirmed), isHolding: prediction!.isHolding)
    prediction!.rollbackWork = budget.rollbackWork
    let rollsBack = prediction!.isRollingBack
    if rollsBack { frames.rememberReplaced() }
    var isCompared = false
    let isNew = prediction!.advance(to: last) { pit in
      let compares = rollsBack && pit.tick == shown
      guard compares || last.ticks(since: pit.tick) <= 1 else { return }
      frames.take(pit)
      noteBirths(isFirst: false)
      guard compares else { return }
      frames.rememberReplacement()
      isCompared = true
    }
    guard isNew else { return }
    let renamed = prediction!.takeRenamed()
    for change in renamed { births.rename(change.from, to: change.to) }
    if isCompared { correct(renamed) }
  }

  private func correct(_ renamed: [OwnArrivals.Renamed]) {
    corrections.note(frames.replaced.bodies, frames.replacement.bodies, renamed: renamed)
    statistics.take(correction: corrections.largest, now: time.last)
  }

  private func noteBirths(isFirst: Bool) {
    for body in frames.latest.bodies {
      births.note(body.slot, body.generation, at: frames.latest.tick, isOld: isFirst)
    }
  }
}
