import Physics
import Transport
import Wire

@testable import Server
@testable import Simulation

/// Eight pages that run the world ahead of the log, with people in front of them, over lines that
/// are slow, stall and break, against the whole server on the network in memory. One seed is one
/// run.
struct Fleet {
  let pit: VirtualServer
  let keeper: LogKeeper
  let pages: [FleetPage]
  private let ticks: Int
  private let calm: Double
  /// Which of the faults that nobody sees is the next.
  private var nextFault: Int
  private let isFaultExpected: Bool
  private var chance: RandomGenerator
  private let faults = Faults()
  private var isFrozen = false

  /// What the server itself finds wrong with what it sends.
  private final class Faults {
    var found: [String] = []
  }

  /// - Parameters:
  ///   - ticks: how long it goes on.
  ///   - calm: seconds behind that in which nothing happens, so that everybody has the last world.
  ///   - tapes: whether the first page's module is taped.
  ///   - isFaultExpected: whether the pages know of the world that is made wrong, so that it counts
  ///     as no failure.
  init(
    seed: UInt64, scene: Scene, ticks: Int, calm: Double = 5, tapes: Bool = false,
    isFaultExpected: Bool = true
  ) throws {
    (self.ticks, self.calm, self.isFaultExpected) = (ticks, calm, isFaultExpected)
    // The seeds of a scene are five apart, so that each fault comes in every scene.
    nextFault = Int(seed / 5 % UInt64(WorldFault.hidden.count))
    chance = RandomGenerator(seed: seed &* 0x9E37_79B9 &+ UInt64(scene.rawValue))
    pit = try VirtualServer(seed: seed, scene: scene, bodies: scene == .pit ? 24 : nil)
    pit.hub.foundFault = { [faults] fault in
      if faults.found.isEmpty { faults.found.append(fault) }
    }
    keeper = LogKeeper(pit)
    // Of its own, so that what devices take changes nothing else of a run.
    var costs = RandomGenerator(seed: seed ^ 0x5EED)
    var pages: [FleetPage] = []
    for index in 0..<8 {
      let slow = index == 5 && !tapes
      let drawn = FleetPage.costs[Int(costs.next(below: UInt32(FleetPage.costs.count)))]
      let least = UInt64(chance.next(below: 60_000)) * 1000
      pages.append(
        FleetPage(
          pit, keeper, name: "page \(index)", seed: chance.next(),
          arrives: index == 0 ? 0.1 : Double(chance.nextFloat(0.1, 3)),
          faults: NetworkFaults(
            latency: least...(least + UInt64(chance.next(below: 60_000)) * 1000 + 1),
            slowShare: slow ? 1 : 0, slowBytesPerSecond: 6000,
            budgetBytes: slow ? 4096 : 65_536),
          picture: index == 3 ? 33 : index == 4 ? 8 : 16,
          cost: tapes && index == 0 ? FleetPage.tapedCost : drawn, isTaped: tapes && index == 0))
    }
    self.pages = pages
  }

  /// Lets it run to its end, and returns what is wrong.
  mutating func run() -> [String] {
    var left = ticks
    let spoilAt = ticks / 3 + Int(chance.next(below: UInt32(ticks / 3)))
    while left > 0, failures.isEmpty {
      let step = min(left, 10)
      pit.advance(seconds: Double(step) / 60)
      left -= step
      if chance.next(below: 40) == 0, !pages.contains(where: \.isSpoiled) { act() }
      if left < spoilAt, !wasSpoiled { spoil() }
      if chance.next(below: 200) == 0 { pit.standStill(seconds: Double(chance.nextFloat(0.05, 2))) }
    }
    defer { for page in pages { page.dismiss() } }
    guard failures.isEmpty else { return failures }
    for page in pages { page.isCalm = true }
    pit.advance(seconds: calm)
    return failures + pages.compactMap(whatIsMissing)
  }

  /// The host does something. A world that stands still goes on with the next of it.
  private mutating func act() {
    if isFrozen {
      isFrozen = false
      _ = pit.server.exchange.post(.unfreeze)
      return
    }
    let scene = Scene.allCases[Int(chance.next(below: 5))]
    let seed = chance.next()
    let acts: [HostAct] = [
      .clear, .freeze, .gravity(percent: UInt16(chance.next(below: 301))),
      .mostBodies(UInt16(1 + chance.next(below: 60))),
      .begin(
        scene: scene.rawValue, bodies: UInt16(scene.defaultBodies), maxBodies: 331, seed: seed),
    ]
    let act = acts[Int(chance.next(below: 5))]
    isFrozen = act == .freeze
    _ = pit.server.exchange.post(act)
  }

  private var failures: [String] {
    faults.found + keeper.failures.prefix(1) + pages.flatMap { $0.failures.prefix(1) }
  }

  /// Whether somebody's world was made wrong, and did not become the right one again by itself.
  private var wasSpoiled: Bool { pages.contains { $0.tally.spoiled > $0.tally.vanished } }

  /// Makes somebody's world wrong: with the next fault, or one after it where the world can't have
  /// that one. Does nothing while the page can't be told of it.
  private mutating func spoil() {
    guard let page = spoilable else { return }
    let faults = WorldFault.hidden
    for turn in 0..<faults.count {
      let fault = faults[(nextFault + turn) % faults.count]
      guard page.spoil(fault, isExpected: isFaultExpected) else { continue }
      nextFault += 1
      return
    }
  }

  /// Anybody whose module is not taped, because a tape has nothing of it.
  private var spoilable: FleetPage? {
    let candidates = pages.filter { $0.replica != nil && !$0.isTaped }
    guard !candidates.isEmpty else { return nil }
    return candidates[Int(chance.state % UInt64(candidates.count))]
  }

  /// At the end everybody has the keeper's world, and what was made wrong is right again.
  private func whatIsMissing(_ page: FleetPage) -> String? {
    let tally = page.tally
    guard let replica = page.replica else { return "nobody has a world at the end: \(tally)" }
    guard pit.tick.ticks(since: replica.pit.tick) < 60 else {
      return "at tick \(replica.pit.tick) when the server is at \(pit.tick): \(page.line), \(tally)"
    }
    guard tally.spoiled == tally.healed + tally.vanished,
      tally.found + tally.overtaken == tally.healed
    else {
      return "not healed: \(tally)"
    }
    return tally.hashes == tally.compared && tally.hashes > 0 ? nil : "not compared: \(tally)"
  }
}
