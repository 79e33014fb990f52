import Synchronization
import Wire

/// The world at the last ticks, for whoever asks by HTTP. The tick thread writes, the network
/// thread reads.
final class RecentWorlds: Sendable {
  /// The world at one tick, before any lattice.
  struct Moment: Sendable {
    /// Nil until one is kept here.
    var tick: UInt32?
    var gravity = QuantizedGravity.down
    var bodies: [StreamBody] = []
    var scenery = Scenery()
  }

  /// Two seconds: long enough to ask for a frame that has just come. 20 bytes a body and tick.
  static let depth = 120

  private let moments = Mutex([Moment](repeating: Moment(), count: RecentWorlds.depth))
  /// The last tick that is published: of those behind it nothing is told yet.
  private let shown = Atomic<UInt32>(0)

  /// Keeps a tick in place of the oldest one.
  func record(
    tick: UInt32, gravity: QuantizedGravity, bodies: [StreamBody], scenery: Scenery
  ) {
    moments.withLock { moments in
      let index = Int(tick) % Self.depth
      moments[index].tick = tick
      moments[index].gravity = gravity
      moments[index].bodies.removeAll(keepingCapacity: true)
      moments[index].bodies.append(contentsOf: bodies)
      if moments[index].scenery != scenery { moments[index].scenery.assign(scenery) }
    }
  }

  /// From now on a tick may be told of.
  func show(_ tick: UInt32) { shown.store(tick, ordering: .releasing) }

  /// The world at a tick; nil if it is not kept any more, or not reached yet.
  func moment(at tick: UInt32) -> Moment? {
    guard tick.ticks(since: shown.load(ordering: .acquiring)) <= 0 else { return nil }
    return moments.withLock { moments in
      let moment = moments[Int(tick) % Self.depth]
      return moment.tick == tick ? moment : nil
    }
  }
}
