import Simulation
import TickLog
import Wire

/// The world of a member that follows the log: the same ticks as the leader's, shown to clients of
/// its own.
struct EdgeWorld {
  private(set) var replica: Replica
  private var telling: WorldTelling
  private let exchange: Exchange
  private var arrived: [Arrival] = []
  private var demand = StreamKey.all.map { _ in StreamDemand() }
  private var health = TickHealth()
  /// How this member's own people tilt, to be shown to them: the log tells only the gravity that
  /// all people make together.
  private var tilt = TiltBlend()
  /// What clients did since it was forwarded last.
  private(set) var outgoing: [MemberInput] = []
  /// Inputs that wait to be forwarded at most, but for those that say who left: what thousands of
  /// clients do in a few ticks. While nothing can be forwarded they wait in the lanes.
  private static let mostOutgoing = 4 * ClusterLimits.inputs

  init(
    _ replica: Replica, limits: Limits, checksFrames: Bool, exchange: Exchange
  ) {
    self.replica = replica
    self.exchange = exchange
    telling = WorldTelling(limits: limits, checksFrames: checksFrames, worlds: exchange.worlds)
  }

  /// Whether somebody who follows the log here needs a world.
  var wantsWorld: Bool { exchange.wantsSnapshot }

  /// Carries out a tick of the log and shows it.
  /// - Parameter now: monotonic nanoseconds.
  /// - Throws: `ReplicaError`.
  mutating func apply(_ message: LogMessage, now: UInt64) throws(ReplicaError) {
    takeInputs()
    var ticked: TickOutcome?
    try replica.receive(message.record) { ticked = $0 }
    guard let ticked else { return }
    let publication = exchange.blankPublication()
    telling.note(
      replica.pit, replica.tiltRule, tilt, begins: ticked.begins, into: publication)
    publication.outcomes.removeAll(keepingCapacity: true)
    publication.outcomes.append(ticked.record.commands, carriedOut: ticked.carriedOut)
    for command in message.leftOut {
      publication.outcomes.append(
        StampedOutcome(person: command.person, sequence: command.sequence, outcome: .leftOut))
    }
    publication.lateTilts.removeAll(keepingCapacity: true)
    publication.lateTilts.append(contentsOf: message.lateTilts)
    telling.publish(replica.pit, demand: demand, into: publication)
    publication.record = message.record
    let isSaved = ticked.record.dropsCaches || ticked.begins
    publication.world = isSaved ? SavedWorld(replica.pit, replica.coder) : nil
    publication.deadline = now
    note(now)
    exchange.publish(publication, health: health)
  }

  /// Another world takes this one's place: everybody is led to it as to a world that begins.
  mutating func begin(_ replica: Replica, now: UInt64) {
    self.replica = replica
    // Samples are as old as the world before was.
    tilt = TiltBlend()
    telling.begin()
  }

  /// Collects what clients did since the last call.
  mutating func takeInputs() {
    exchange.takeInputs(into: &arrived, &demand, telling.desk.steps)
    for arrival in arrived where outgoing.count < Self.mostOutgoing || arrival.input.mustArrive {
      outgoing.append(arrival.input.forMembers)
      note(arrival.input)
    }
  }

  private mutating func note(_ input: Exchange.Input) {
    switch input {
    case .tilt(let person, let x, let y, _):
      tilt.add(person: person, x: x, y: y, tick: replica.pit.tick)
    case .left(let person, _): tilt.remove(person: person)
    case .command: break
    }
  }

  /// What was collected is on its way.
  mutating func forwarded() { outgoing.removeAll(keepingCapacity: true) }

  private mutating func note(_ now: UInt64) {
    if !health.hasTicked {
      health.hasTicked = true
      health.started = now
    }
    health.ticked.count()
    health.deadline = now
    health.note(replica.pit, telling.desk.encoded)
  }
}
