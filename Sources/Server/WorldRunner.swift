import DequeModule
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
  private var bodies: [StreamBody] = []
  private var scenery = Scenery()

  private let exchange: Exchange
  private let clock: () -> UInt64
  private let limits: Limits
  private var arrived: [Exchange.Input] = []
  /// Commands that no tick had room for yet, in the order of their arrival.
  private var waiting: Deque<StampedCommand> = []
  /// The last move of each finger.
  private var moves: [StampedCommand] = []
  /// Clients that are gone and may still hold something.
  private var leaving: [StampedCommand] = []
  private var inputs = TickInputs()
  private var health = TickHealth()
  /// Microseconds; a second is more than any tick may take or be late without being lost.
  private var lateness = Histogram<UInt32>(
    lowestDiscernibleValue: 1, highestTrackableValue: 1_000_000,
    numberOfSignificantValueDigits: .two)
  private var duration = Histogram<UInt32>(
    lowestDiscernibleValue: 1, highestTrackableValue: 1_000_000,
    numberOfSignificantValueDigits: .two)

  /// - Parameter clock: monotonic nanoseconds.
  init(
    configuration: PitConfiguration, limits: Limits, exchange: Exchange,
    clock: @escaping () -> UInt64
  ) throws(PitError) {
    self.limits = limits
    desk = StreamDesk(limits: limits)
    pit = try Pit(configuration)
    tilt = TiltBlend()
    self.exchange = exchange
    self.clock = clock
  }

  /// The pit's size in points, for welcomes.
  var worldSize: (width: Int, height: Int) { (Int(pit.worldSize.x), Int(pit.worldSize.y)) }

  /// The most bodies there may be at a time.
  var bodyCap: Int { pit.bodyCap }

  /// Runs one tick and publishes it.
  /// - Parameters:
  ///   - deadline: when it was due, in monotonic nanoseconds.
  ///   - lostTicks: ticks given up since the start.
  func runTick(deadline: UInt64, lostTicks: UInt64) {
    let began = clock()
    let demand = exchange.takeInputs(into: &arrived)
    collectInputs()
    pit.tick(inputs)
    let publication = exchange.blankPublication()
    publish(for: demand, into: publication)
    publication.deadline = deadline
    record(deadline: deadline, began: began, lostTicks: lostTicks)
    exchange.publish(publication, health: health)
  }

  private func collectInputs() {
    let tick = pit.tick + 1
    for input in arrived {
      switch input {
      case .tilt(let client, let x, let y): tilt.add(client: client, x: x, y: y, tick: tick)
      case .command(let command): queue(command)
      case .left(let client, let sequence): leave(client, sequence)
      }
    }
    takeCommands()
    inputs.gravity = tilt.gravity(at: tick)
  }

  private func queue(_ command: StampedCommand) {
    if case .move(let slot, _, _) = command.command { return queue(move: command, slot) }
    if waiting.count < limits.waitingCommands {
      waiting.append(command)
    } else {
      health.droppedCommands += 1
    }
  }

  private func takeCommands() {
    inputs.commands.removeAll(keepingCapacity: true)
    inputs.commands.append(contentsOf: waiting.prefix(limits.commandsPerTick))
    waiting.removeFirst(inputs.commands.count)
    takeMoves()
    inputs.commands.append(contentsOf: leaving)
    leaving.removeAll(keepingCapacity: true)
    inputs.commands.sort { $0.precedes($1) }
  }

  /// A finger's later move takes the earlier one's place: only where it is now counts.
  private func queue(move: StampedCommand, _ slot: UInt16) {
    for index in moves.indices where moves[index].client == move.client {
      guard case .move(slot, _, _) = moves[index].command else { continue }
      moves[index] = move
      return
    }
    if moves.count < limits.waitingMoves {
      moves.append(move)
    } else {
      health.droppedCommands += 1
    }
  }

  /// Moves don't count among the commands of a tick, but none overtakes its client's grab.
  private func takeMoves() {
    guard !moves.isEmpty else { return }
    var kept = 0
    for move in moves {
      if waiting.contains(where: { $0.client == move.client && $0.precedes(move) }) {
        moves[kept] = move
        kept += 1
      } else {
        inputs.commands.append(move)
      }
    }
    moves.removeLast(moves.count - kept)
  }

  /// Forgets a client: its tilt, what it still wanted, and what it holds.
  private func leave(_ client: UInt16, _ sequence: UInt32) {
    tilt.remove(client: client)
    waiting.removeAll { $0.client == client }
    moves.removeAll { $0.client == client }
    leaving.append(StampedCommand(client: client, sequence: sequence, command: .leave))
  }

  private func publish(for demand: [StreamDemand], into publication: Publication) {
    pit.bodies(into: &bodies)
    pit.scenery(into: &scenery)
    publication.tick = pit.tick
    publication.events = pit.events
    desk.encode(pit, bodies: bodies, scenery: scenery, demand: demand, into: publication)
    exchange.worlds.record(
      tick: pit.tick, gravity: pit.gravity, bodies: bodies, scenery: scenery)
  }

  private func record(deadline: UInt64, began: UInt64, lostTicks: UInt64) {
    let ended = clock()
    lateness.record(min((began - min(deadline, began)) / 1000, 1_000_000))
    duration.record(min((ended - began) / 1000, 1_000_000))
    if health.tick == 0 { health.started = deadline }
    health.tick = pit.tick
    health.deadline = deadline
    health.lost = lostTicks
    health.bodies = pit.bodyCount
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
