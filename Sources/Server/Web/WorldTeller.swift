import Synchronization
import Transport
import Wire

/// Answers questions for whole worlds away from network threads: at 16 000 bodies a page of JSON
/// takes 36 ms to write, and frames would wait as long.
///
/// All network threads ask; the writing happens elsewhere, one page at a time.
final class WorldTeller: Sendable {
  /// Pages that wait to be written, half a second's worth of the largest; more are refused.
  private static let mostWaiting = 16
  /// What a page takes at most: for each body, and besides.
  private static let bytesPerBody = 176
  private static let bytesBesides = 4096

  private let run: Worker.Run
  private let waiting = Waiting()
  private let budget: WorldBudget

  private final class Waiting: Sendable {
    let count = Atomic(0)
  }

  init(limits: Limits, run: @escaping Worker.Run) {
    self.run = run
    budget = WorldBudget(limits)
  }

  /// Answers with a world as soon as it is written; false when the bytes of its address or of all
  /// are used up, or too many wait.
  /// - Parameter now: monotonic nanoseconds.
  func tell(
    _ moment: RecentWorlds.Moment, to address: AddressPrefix, at now: UInt64, _ later: HTTPLater
  ) -> Bool {
    guard waiting.count.load(ordering: .relaxed) < Self.mostWaiting,
      budget.take(
        Self.bytesBesides + Self.bytesPerBody * moment.bodies.count, of: address, at: now)
    else { return false }
    let waiting = waiting
    waiting.count.add(1, ordering: .relaxed)
    run {
      let body = WorldReport(moment).json
      waiting.count.subtract(1, ordering: .relaxed)
      later.complete(HTTPResponse(contentType: "application/json", body: body))
    }
    return true
  }

  /// Grants what a standstill of this process held up.
  func forgive(_ nanoseconds: UInt64) { budget.forgive(nanoseconds) }
}

/// The answer to `/api/world`: the world at a tick in lattice integers, as JSON. Written by hand: a
/// thousand bodies take a fraction of a millisecond so, and a network thread has other work.
struct WorldReport {
  private var bytes: [UInt8] = []

  init(_ moment: RecentWorlds.Moment) {
    bytes.reserveCapacity(128 * moment.bodies.count + 256)
    write("{\"tick\":\(moment.tick ?? 0),\"gravity\":[\(moment.gravity.x),\(moment.gravity.y)],")
    list("bodies", moment.bodies) { body in
      let strict = body.onLattice(of: .strict)
      let visual = body.onLattice(of: .visual)
      return "{\"slot\":\(body.slot),\"generation\":\(body.generation),\"kind\":\(body.kind),"
        + "\"size\":\(body.size),\"x\":\(strict.x),\"y\":\(strict.y),\"angle\":\(strict.angle),"
        + "\"visual_x\":\(visual.x),\"visual_y\":\(visual.y)}"
    }
    write(",")
    list("boundaries", moment.scenery.boundaries) {
      "{\"id\":\($0.id),\"a\":[\($0.ax),\($0.ay)],\"b\":[\($0.bx),\($0.by)]}"
    }
    write(",")
    list("holders", moment.scenery.holders) { "{\"slot\":\($0.slot),\"client\":\($0.client)}" }
    write(",")
    list("rods", moment.scenery.rods) {
      "{\"slot\":\($0.slot),\"anchor\":[\($0.x),\($0.y)],\"attach\":[\($0.attachX),\($0.attachY)]}"
    }
    write("}\n")
  }

  /// The JSON's bytes.
  var json: [UInt8] { bytes }

  private mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func list<Element>(
    _ name: String, _ elements: [Element], _ text: (Element) -> String
  ) {
    write("\"\(name)\":[")
    for (index, element) in elements.enumerated() {
      write((index > 0 ? "," : "") + text(element))
    }
    write("]")
  }
}

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
