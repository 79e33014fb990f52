import Histogram
import Simulation
import Wire

/// The tick thread's half of the server: inputs in, one step, frames out.
///
/// Sendable only so that it can be handed to that thread: nobody else touches it afterwards.
final class WorldRunner: @unchecked Sendable {
  private var pit: Pit
  private var tilt: TiltBlend
  private var telling: WorldTelling
  private let limits: Limits
  private var log: RecordWriter

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
  private var lateTilts: [PersonsLateTilt] = []
  private var health = TickHealth()
  private let metrics: ServerMetrics
  private let serverLog: ServerLog
  private let journal: JournalDesk?
  /// Where other servers of the world are met; nil for a server on its own.
  private let leader: LeaderDesk?
  private var elsewhere: [MemberInput] = []
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
  ///   - hasCaptain: whether one person's tilt counts at a time.
  ///   - checksFrames: whether publications carry what their frames' receivers must have.
  ///   - journal: where records are left to be written down.
  ///   - leader: where other servers of the world are met; nil for a server on its own.
  ///   - log: where lost ticks are written.
  ///   - clock: monotonic nanoseconds.
  init(
    start: WorldStart, hasCaptain: Bool = false, limits: Limits, checksFrames: Bool,
    exchange: Exchange,
    metrics: ServerMetrics, journal: JournalDesk?, leader: LeaderDesk? = nil, log: ServerLog,
    clock: @escaping () -> UInt64
  ) {
    self.journal = journal
    self.leader = leader
    self.metrics = metrics
    serverLog = log
    self.limits = limits
    telling = WorldTelling(limits: limits, checksFrames: checksFrames, worlds: exchange.worlds)
    pit = start.pit
    self.log = RecordWriter(start.coder)
    schedule = InputSchedule(limits)
    queue = CommandQueue(limits: limits)
    hands = HandLimits(limits)
    time = AwakeClock(clock)
    tilt = TiltBlend(from: pit.gravity, hasCaptain: hasCaptain)
    self.exchange = exchange
    self.clock = clock
    // In a world that goes on after a restart, whoever held something is not here yet and lets go.
    // Clients of the servers that share it are here: for how long they may hold on is counted from
    // now.
    for person in pit.holders {
      if leader?.isHere(person) == true {
        for slot in pit.slots(heldBy: person) { hands.hold(slot, person, since: time.awake) }
      } else {
        queue.leave(person, sequence: HandLimits.stamp)
      }
    }
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
    guard leader?.ticks.mayTick() ?? true else { return }
    exchange.takeInputs(into: &arrived, &demand, telling.desk.steps)
    let taken = leader?.inputs.take(into: &elsewhere) ?? []
    collectInputs()
    let wantsWorld =
      exchange.wantsSnapshot || journal?.wantsWorld ?? false || leader?.inputs.wantsWorld ?? false
    let isSaveDue = log.saves(
      after: pit.tick.nextTick, isWanted: wantsWorld,
      isFollowed: exchange.isFollowed || leader != nil)
    let savesWorld = isSaveDue || RecordWriter.begins(inputs.acts)
    inputs.dropsCaches = savesWorld
    let ticked = pit.tick(inputs)
    hands.note(ticked.carriedOut, at: time.awake)
    outcomes.append(inputs.commands, carriedOut: ticked.carriedOut)
    let publication = exchange.blankPublication()
    telling.note(pit, tilt.rule, tilt, begins: ticked.begins, into: publication)
    noteActs(ticked)
    publish(into: publication)
    log.write(ticked.record, tilt: tilt, into: publication)
    if savesWorld { log.save(pit, into: publication) }
    journal?.put(
      record: publication.record, commands: inputs.commands, world: publication.world)
    publication.deadline = deadline
    record(deadline: deadline, began: began, lostTicks: lostTicks)
    if let leader {
      leader.ticks.offer(publication, health, taken: taken, now: clock())
    } else {
      exchange.publish(publication, health: health)
    }
  }

  private func collectInputs() {
    let tick = pit.tick.nextTick
    exchange.takeActs(into: &inputs.acts)
    schedule.take(for: tick, into: &due)
    for input in due { collect(input, tick) }
    for arrival in arrived where !isForLater(arrival.input, tick) { collect(arrival.input, tick) }
    for input in elsewhere.lazy.map(Exchange.Input.init) where !isForLater(input, tick) {
      collect(input, tick)
    }
    inputs.commands.removeAll(keepingCapacity: true)
    health.openedHands.count(hands.openOverdue(at: time.awake, into: &inputs.commands))
    queue.take(into: &inputs.commands)
    inputs.commands.sort { $0.precedes($1) }
    if leader != nil { dropRepeated() }
    if RecordWriter.begins(inputs.acts) { leaveOutCommands() }
    inputs.gravity = tilt.gravity(at: tick)
  }

  /// Drops commands with the stamp of another one, which no record may hold: other servers'
  /// messages decide what comes here, and one of them could be wrong about its people's numbers.
  private func dropRepeated() {
    var last: StampedCommand?
    inputs.commands.removeAll { command in
      defer { last = command }
      return last.map { !$0.precedes(command) } ?? false
    }
  }

  /// Keeps what is meant for a later tick, and counts whether clients foresee well.
  private func isForLater(_ input: Exchange.Input, _ tick: UInt32) -> Bool {
    guard let aim = input.aim else {
      if !input.mustArrive { health.plainInputs.count() }
      return false
    }
    if aim.ticks(since: tick) < 0 { health.lateInputs.count() } else { health.timelyInputs.count() }
    if schedule.add(input, for: aim, now: tick) { return true }
    if aim != tick, case .tilt(let person, _, _, _) = input,
      lateTilts.count < ClusterLimits.lateTilts
    {
      lateTilts.append(PersonsLateTilt(person: person, meant: aim))
    }
    return false
  }

  private func collect(_ input: Exchange.Input, _ tick: UInt32) {
    switch input {
    case .tilt(let person, let x, let y, _): tilt.add(person: person, x: x, y: y, tick: tick)
    case .command(let command, _): queue(command)
    case .left(let person, let sequence):
      schedule.leave(person, now: tick)
      tilt.remove(person: person)
      queue.leave(person, sequence: sequence)
    }
  }

  private func queue(_ command: StampedCommand) {
    guard case .move(let slot, _, _) = command.command else {
      if !isAllowed(command) || !queue.add(command) { leaveOut(command) }
      return
    }
    // A move of what the person does not hold means nothing, whoever sends how many of them: to
    // tell each in the log between servers would fill it.
    guard pit.isHeld(slot, by: command.person) || queue.isWaiting(command.person) else {
      health.idleMoves.count()
      return
    }
    if !queue.add(move: command, of: slot) { leaveOut(command) }
  }

  private func leaveOut(_ command: StampedCommand) {
    health.droppedCommands.count()
    noteLeftOut(command)
  }

  private func noteLeftOut(_ command: StampedCommand) {
    outcomes.append(
      StampedOutcome(person: command.person, sequence: command.sequence, outcome: .leftOut))
  }

  private func isAllowed(_ command: StampedCommand) -> Bool {
    guard case .grab = command.command else { return true }
    return hands.mayGrab(command.person, at: time.awake)
  }

  private func noteActs(_ ticked: TickOutcome) {
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
    schedule = InputSchedule(limits)
    queue = CommandQueue(limits: limits)
  }

  /// In the tick in which a world begins nobody's commands are carried out.
  private func leaveOutCommands() {
    for command in inputs.commands where command.isSent { noteLeftOut(command) }
    inputs.commands.removeAll { if case .leave = $0.command { false } else { true } }
  }

  private func publish(into publication: Publication) {
    publication.outcomes.removeAll(keepingCapacity: true)
    publication.outcomes.append(contentsOf: outcomes)
    outcomes.removeAll(keepingCapacity: true)
    publication.lateTilts.removeAll(keepingCapacity: true)
    publication.lateTilts.append(contentsOf: lateTilts)
    lateTilts.removeAll(keepingCapacity: true)
    telling.publish(pit, demand: demand, into: publication)
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
    health.ticked.count()
    health.deadline = deadline
    health.lost = lostTicks
    health.note(pit, telling.desk.encoded)
    // The percentiles walk the histogram: once a second is plenty. Where the ticks' numbers begin
    // anew it is once sooner.
    guard pit.tick % 60 == 0 else { return }
    health.lateMedian = lateness.valueAtPercentile(50)
    health.late99 = lateness.valueAtPercentile(99)
    health.lateMaximum = lateness.max
    health.tookMedian = duration.valueAtPercentile(50)
    health.took99 = duration.valueAtPercentile(99)
    health.tookMaximum = duration.max
  }
}
