import Simulation
import Synchronization
import Wire

/// The one place where the network threads and the tick thread meet. Each network thread has a lane
/// of its own; the tick thread takes what all of them brought and publishes to all of them.
///
/// Everybody holds a lock for as long as it takes to move values in or out, never while computing
/// or writing to a socket.
final class Exchange: Sendable {
  /// By the network thread's number.
  let lanes: [Lane]
  /// What was published lately, before any encoding.
  let worlds = RecentWorlds()
  private let order = ArrivalOrder()
  private let pool = PublicationPool()
  private let tickHealth = Mutex(TickHealth())
  private let acts = Mutex<[HostAct]>([])
  /// Acts that wait at most: four ticks' worth. Whoever presses buttons never has so many.
  private static let mostActs = 4 * HostAct.mostInTick

  /// - Parameter networkThreads: how many lanes there are, at least 1.
  init(limits: Limits, networkThreads: Int = 1) {
    precondition(networkThreads >= 1)
    let (order, pool) = (order, pool)
    lanes = (0..<networkThreads).map { _ in
      Lane(
        order: order, pool: pool, queuedInputs: max(1, limits.queuedInputs / networkThreads),
        queuedPublications: limits.queuedPublications)
    }
  }

  /// How the tick thread fares.
  var health: TickHealth {
    var health = tickHealth.withLock { $0 }
    health.droppedInputs = lanes.reduce(0) { $0 + $1.droppedInputs }
    return health
  }

  // MARK: The host

  /// Posts an act for the tick thread.
  /// - Returns: false when too many wait.
  func post(_ act: HostAct) -> Bool {
    acts.withLock { acts in
      guard acts.count < Self.mostActs else { return false }
      // A world is made within one tick, and all who are here get it whole: one after the other.
      if act.isBegin, acts.contains(where: \.isBegin) { return false }
      acts.append(act)
      return true
    }
  }

  // MARK: The tick thread's side

  /// Moves the acts that are next into `taken`, whose content is dropped: as many as a tick takes.
  func takeActs(into taken: inout [HostAct]) {
    if !taken.isEmpty { taken.removeAll(keepingCapacity: true) }
    acts.withLock { acts in
      let count = min(acts.count, HostAct.mostInTick)
      guard count > 0 else { return }
      taken.append(contentsOf: acts[..<count])
      acts.removeFirst(count)
    }
  }

  /// Whether somebody wants a snapshot of the world.
  var wantsSnapshot: Bool { lanes.contains { $0.wantsSnapshot } }

  /// Whether somebody has the world and follows the log.
  var isFollowed: Bool { lanes.contains { $0.isFollowed } }

  /// Everything posted until now goes into `arrivals` in the order in which it arrived, and all
  /// that is wanted of the streams into `demand`. What they held is dropped, and their memory
  /// serves the next round.
  ///
  /// A person may come back on another thread. So what arrives while the lanes are visited one
  /// after the other stays there: otherwise what the person does now could be taken, and that the
  /// old connection ended be left behind.
  /// - Parameters:
  ///   - demand: by `StreamKey.index`.
  ///   - steps: where the frames led that were encoded last.
  func takeInputs(
    into arrivals: inout [Arrival], _ demand: inout [StreamDemand], _ steps: FrameSteps
  ) {
    arrivals.removeAll(keepingCapacity: true)
    for index in demand.indices { demand[index].clear() }
    let last = order.last
    for lane in lanes { lane.takeInputs(upTo: last, into: &arrivals, &demand, steps) }
    if lanes.count > 1 { arrivals.sort { $0.order < $1.order } }
  }

  /// A publication to fill.
  func blankPublication() -> Publication { pool.take() }

  /// Lets every network thread have a publication.
  func publish(_ publication: Publication, health: TickHealth) {
    tickHealth.withLock { $0 = health }
    worlds.show(publication.tick)
    publication.expect(readers: lanes.count)
    for lane in lanes { lane.publish(publication) }
  }
}

/// An input, and its place among all of them.
struct Arrival: Sendable {
  /// Counts what all network threads posted.
  var order: UInt64
  var input: Exchange.Input
}

/// Numbers what the network threads post.
final class ArrivalOrder: Sendable {
  private let count = Atomic<UInt64>(0)

  /// The number of what was posted last.
  var last: UInt64 { count.load(ordering: .acquiring) }

  /// A number for what is being posted. Whoever takes one holds the lane's lock until the input
  /// stands there.
  func next() -> UInt64 { count.add(1, ordering: .acquiringAndReleasing).newValue }
}

/// Publications that were sent everywhere and serve again.
final class PublicationPool: Sendable {
  private let spare = Mutex<[Publication]>([])

  func take() -> Publication { spare.withLock { $0.popLast() } ?? Publication() }

  /// Takes a publication back from one of its readers; after the last one it is spare.
  func giveBack(_ publication: Publication) {
    guard publication.isLastReader() else { return }
    spare.withLock { $0.append(publication) }
  }
}

extension Exchange {
  /// Something a person did.
  enum Input: Sendable {
    case tilt(person: UInt16, x: Int16, y: Int16, at: UInt32? = nil)
    case command(StampedCommand, at: UInt32? = nil)
    /// The person left; the number is one more than their last command's.
    case left(person: UInt16, sequence: UInt32)

    /// Who did it.
    var person: UInt16 {
      switch self {
      case .tilt(let person, _, _, _), .left(let person, _): person
      case .command(let stamped, _): stamped.person
      }
    }

    /// The tick that it is meant for; nil for the next one.
    var aim: UInt32? {
      switch self {
      case .tilt(_, _, _, let tick), .command(_, let tick): tick
      case .left: nil
      }
    }

    /// What a person can't repeat: their hands would stay closed for ever.
    var mustArrive: Bool {
      if case .left = self { return true }
      return false
    }
  }
}
