import Histogram
import Simulation
import Wire

/// The tick thread's half of the server: inputs in, one step, frames out.
///
/// Sendable only so that it can be handed to that thread: nobody else touches it afterwards.
final class WorldRunner: @unchecked Sendable {
  private var pit: Pit
  private var tilt: TiltBlend
  private var desk: StreamDesk
  private let makeDesk: () -> StreamDesk
  private let limits: Limits
  /// Worlds that the host began.
  private var worldNumber = 0
  private var log: RecordWriter
  private var bodies: [StreamBody] = []
  private var scenery = Scenery()

  private let exchange: Exchange
  private let clock: () -> UInt64
  private var arrived: [Arrival] = []
  private var demand = StreamKey.all.map { _ in StreamDemand() }
  private var due: [Exchange.Input] = []
  private var schedule: InputSchedule
  private var queue: CommandQueue
  private var hands: HandLimits
  private var time: AwakeClock
  private var inputs = TickInputs()
  /// What became of commands in the tick under way.
  private var outcomes: [StampedOutcome] = []
  private var health = TickHealth()
  private let metrics: ServerMetrics
  private let serverLog: ServerLog
  private let journal: JournalDesk?
  private static let tickNanoseconds: UInt64 = 1_000_000_000 / 60
  /// Microseconds; a second is more than any tick may take or be late without being lost.
  private var lateness = Histogram<UInt32>(
    lowestDiscernibleValue: 1, highestTrackableValue: 1_000_000,
    numberOfSignificantValueDigits: .two)
  private var duration = Histogram<UInt32>(
    lowestDiscernibleValue: 1, highestTrackableValue: 1_000_000,
    numberOfSignificantValueDigits: .two)

  /// - Parameters:
  ///   - start: the world to begin with.
  ///   - checksFrames: whether publications carry what their frames' receivers must have.
  ///   - journal: where records are left to be written down.
  ///   - log: where lost ticks are written.
  ///   - clock: monotonic nanoseconds.
  init(
    start: WorldStart, limits: Limits, checksFrames: Bool, exchange: Exchange,
    metrics: ServerMetrics, journal: JournalDesk?, log: ServerLog,
    clock: @escaping () -> UInt64
  ) {
    self.journal = journal
    self.metrics = metrics
    serverLog = log
    self.limits = limits
    makeDesk = { StreamDesk(limits: limits, checksFrames: checksFrames) }
    desk = makeDesk()
    pit = start.pit
    self.log = RecordWriter(start.coder)
    schedule = InputSchedule(limits)
    queue = CommandQueue(limits: limits)
    hands = HandLimits(limits)
    time = AwakeClock(clock)
    tilt = TiltBlend(from: pit.gravity)
    self.exchange = exchange
    self.clock = clock
    // Whoever held something in a world that is gone on with is not here yet.
    for client in pit.holders { queue.leave(client, sequence: HandLimits.stamp) }
  }

  /// The hash of the world after the last tick.
  var stateHash: UInt64 { pit.stateHash() }

  /// The world after the last tick.
  var savedWorld: SavedWorld { log.saved(pit) }

  /// What a welcome tells of the world.
  var world: WorldDescription { WorldDescription(pit) }

  /// Runs one tick and publishes it.
  /// - Parameters:
  ///   - deadline: when it was due, in monotonic nanoseconds.
  ///   - lostTicks: ticks given up since the start.
  func runTick(deadline: UInt64, lostTicks: UInt64) {
    let began = clock()
    _ = time.look()
    exchange.takeInputs(into: &arrived, &demand, desk.steps)
    collectInputs()
    let wantsWorld = exchange.wantsSnapshot || journal?.wantsWorld ?? false
    let savesWorld =
      wantsWorld && log.isSaveDue(at: pit.tick &+ 1) || RecordWriter.begins(inputs.acts)
    inputs.dropsCaches = savesWorld
    let ticked = pit.tick(inputs)
    hands.note(ticked.carriedOut, at: time.awake)
    noteOutcomes(ticked)
    let publication = exchange.blankPublication()
    noteActs(ticked, into: publication)
    publish(into: publication)
    log.write(ticked.record, tilting: tilt.count, into: publication)
    if savesWorld { log.save(pit, into: publication) }
    journal?.leave(
      record: publication.record, commands: inputs.commands, world: publication.world)
    publication.deadline = deadline
    record(deadline: deadline, began: began, lostTicks: lostTicks)
    exchange.publish(publication, health: health)
  }

  private func collectInputs() {
    let tick = pit.tick.nextTick
    exchange.takeActs(into: &inputs.acts)
    schedule.take(for: tick, into: &due)
    for input in due { collect(input, tick) }
    for arrival in arrived where !isForLater(arrival.input, tick) { collect(arrival.input, tick) }
    inputs.commands.removeAll(keepingCapacity: true)
    health.openedHands.count(hands.openOverdue(at: time.awake, into: &inputs.commands))
    queue.take(into: &inputs.commands)
    inputs.commands.sort { $0.precedes($1) }
    if RecordWriter.begins(inputs.acts) { leaveOutCommands() }
    inputs.gravity = tilt.gravity(at: tick)
  }

  /// Keeps what is meant for a later tick, and counts whether clients foresee well.
  private func isForLater(_ input: Exchange.Input, _ tick: UInt32) -> Bool {
    guard let aim = input.aim else {
      if !input.mustArrive { health.plainInputs.count() }
      return false
    }
    if aim.ticks(since: tick) < 0 { health.lateInputs.count() } else { health.timelyInputs.count() }
    return schedule.add(input, for: aim, now: tick)
  }

  private func collect(_ input: Exchange.Input, _ tick: UInt32) {
    switch input {
    case .tilt(let client, let x, let y, _): tilt.add(client: client, x: x, y: y, tick: tick)
    case .command(let command, _): queue(command)
    case .left(let client, let sequence):
      schedule.leave(client, now: tick)
      tilt.remove(client: client)
      queue.leave(client, sequence: sequence)
    }
  }

  private func queue(_ command: StampedCommand) {
    guard case .move(let slot, _, _) = command.command else {
      if isAllowed(command), queue.add(command) { return }
      health.droppedCommands.count()
      outcomes.append(
        StampedOutcome(client: command.client, sequence: command.sequence, outcome: .leftOut))
      return
    }
    // A move of what the client does not hold means nothing, whoever sends how many of them.
    guard pit.isHeld(slot, by: command.client) || queue.isWaiting(command.client) else {
      health.idleMoves.count()
      return
    }
    if !queue.add(move: command, of: slot) { health.droppedCommands.count() }
  }

  private func isAllowed(_ command: StampedCommand) -> Bool {
    guard case .grab = command.command else { return true }
    return hands.mayGrab(command.client, at: time.awake)
  }

  /// Compares what was asked for with what was carried out, which is in the same order.
  private func noteOutcomes(_ ticked: TickOutcome) {
    var done = ticked.carriedOut[...]
    for command in inputs.commands {
      let isDone = done.first?.client == command.client && done.first?.sequence == command.sequence
      if isDone { done.removeFirst() }
      guard command.hasReceipt else { continue }
      outcomes.append(
        StampedOutcome(
          client: command.client, sequence: command.sequence,
          outcome: isDone ? .carriedOut : .refused))
    }
  }

  /// A world that began anew has other streams; nobody's frames lead on to them.
  private func noteActs(_ ticked: TickOutcome, into publication: Publication) {
    if ticked.begins { worldNumber += 1 }
    publication.description = world
    publication.worldNumber = worldNumber
    publication.isFrozen = pit.isFrozen
    publication.gravityPercent = pit.gravityPercent
    publication.bodyCap = pit.bodyCap
    publication.capacity = pit.capacity
    guard !inputs.acts.isEmpty else { return }
    if ticked.begins { forgetWorld() }
    hands.keep { pit.isHeld($0, by: $1) }
    let refused = inputs.acts.count - ticked.actsCarriedOut
    if refused > 0 {
      serverLog.write(.warning, "the world refused what the host wants", ["acts": "\(refused)"])
    }
  }

  /// What was meant for the world before is not done in the new one: neither by its places nor by
  /// its slots. Those who left hold nothing there.
  private func forgetWorld() {
    desk = makeDesk()
    schedule = InputSchedule(limits)
    queue = CommandQueue(limits: limits)
  }

  /// In the tick in which a world begins nobody's commands are carried out.
  private func leaveOutCommands() {
    for command in inputs.commands where command.hasReceipt {
      outcomes.append(
        StampedOutcome(client: command.client, sequence: command.sequence, outcome: .leftOut))
    }
    inputs.commands.removeAll { if case .leave = $0.command { false } else { true } }
  }

  private func publish(into publication: Publication) {
    pit.bodies(into: &bodies)
    pit.scenery(into: &scenery)
    publication.tick = pit.tick
    publication.events = pit.events
    publication.outcomes.removeAll(keepingCapacity: true)
    publication.outcomes.append(contentsOf: outcomes)
    outcomes.removeAll(keepingCapacity: true)
    desk.encode(pit, bodies: bodies, scenery: scenery, demand: demand, into: publication)
    exchange.worlds.record(
      tick: pit.tick, gravity: pit.gravity, bodies: bodies, scenery: scenery)
  }

  private func record(deadline: UInt64, began: UInt64, lostTicks: UInt64) {
    let ended = clock()
    lateness.record(min((began - min(deadline, began)) / 1000, 1_000_000))
    duration.record(min((ended - began) / 1000, 1_000_000))
    if !health.hasTicked {
      health.hasTicked = true
      health.started = deadline
    }
    metrics.lateness.recordNanoseconds(Int64(clamping: began - min(deadline, began)))
    metrics.duration.recordNanoseconds(Int64(clamping: ended - began))
    if lostTicks > health.lost {
      serverLog.write(
        .warning, "the machine was too slow for the world: ticks were lost",
        ["ticks": "\(lostTicks - health.lost)"])
    }
    if lostTicks > health.lost || began > deadline + Self.tickNanoseconds {
      health.lastTrouble = began
    }
    health.tick = pit.tick
    health.ticked.count()
    health.deadline = deadline
    health.lost = lostTicks
    health.scene = pit.scene
    health.isFrozen = pit.isFrozen
    health.bodies = pit.bodyCount
    health.contacts = pit.contactCount
    health.encoded = desk.encoded
    // The percentiles walk the histogram: once a second is plenty.
    guard pit.tick % 60 == 0 else { return }
    health.lateMedian = lateness.valueAtPercentile(50)
    health.late99 = lateness.valueAtPercentile(99)
    health.lateMaximum = lateness.max
    health.tookMedian = duration.valueAtPercentile(50)
    health.took99 = duration.valueAtPercentile(99)
    health.tookMaximum = duration.max
  }
}

extension StampedCommand {
  /// Whether its client is told what became of it: of all its own commands but moves, of which
  /// only the last in a tick counts anyway.
  fileprivate var hasReceipt: Bool {
    switch command {
    case .drop, .throwSticker, .grab, .snap, .say: true
    case .release: sequence != HandLimits.stamp
    case .move, .leave: false
    }
  }
}
