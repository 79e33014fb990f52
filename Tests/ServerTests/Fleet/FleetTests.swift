import Foundation
import Testing

@testable import Server
@testable import Simulation

/// Fleets of pages that predict, in all scenes: whatever happens to them, every world that they
/// hold for certain is the server's.
///
/// 25 seeds of 20 s as a rule, the scenes by turns; STICKERPIT_REPLICA_SEEDS is another number of
/// them, STICKERPIT_REPLICA_FIRST where they begin, STICKERPIT_REPLICA_TICKS how long each goes on.
/// A failure says which world of whom was another one, which commands led there, and what repeats
/// it. FLEET_LOGS is a folder for the logs, which node runs again in WebAssembly.
@Suite struct FleetTests {
  private static func number(_ name: String, or usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private static let seeds = number("STICKERPIT_REPLICA_SEEDS", or: 25)
  private static let first = number("STICKERPIT_REPLICA_FIRST", or: 0)
  private static let ticks = number("STICKERPIT_REPLICA_TICKS", or: 1200)

  @Test(arguments: Scene.allCases) func everyWorldIsTheServers(scene: Scene) throws {
    var total = FleetPage.Tally()
    var (runs, moments, failed) = (0, 0, 0)
    for seed in Self.first..<(Self.first + Self.seeds) where seed % 5 == Int(scene.rawValue) {
      var fleet = try Fleet(seed: UInt64(seed), scene: scene, ticks: Self.ticks)
      let failures = fleet.run()
      failed += failures.count
      for failure in failures {
        Issue.record(
          """
          seed \(seed), \(scene), tick \(fleet.pit.tick): \(failure)
          again: make soak-replicas REPLICA_SEEDS=1 REPLICA_FIRST=\(seed) \
          REPLICA_TICKS=\(Self.ticks)
          """)
      }
      try fleet.keeper.log.write(as: "\(scene)-\(seed)")
      for page in fleet.pages { total.add(page.tally) }
      runs += 1
      moments += fleet.keeper.moments
    }
    print("\(scene): \(runs) fleets, \(moments) moments, \(total)")
    guard runs > 3, failed == 0 else { return }
    #expect(moments > 4 * runs)
    #expect(total.spoiled == runs && total.healed == runs && total.overtaken * 4 <= runs)
    #expect(total.slowestHealing <= FleetPage.longestHealing, "\(total)")
    #expect(total.compared > runs * 8 * Self.ticks / 4)
    #expect(total.stalls > runs && total.resumed > 0 && total.switches > 0, "\(total)")
    #expect(total.askedAgain > 0 && total.pauses > 0 && total.connections > 9 * runs, "\(total)")
  }

  @Test(arguments: [Scene.pit, .rain]) func oneSeedIsOneRun(scene: Scene) throws {
    let runs = try [3, 3, 4 as UInt64].map { seed in
      var fleet = try Fleet(seed: seed, scene: scene, ticks: 600)
      #expect(fleet.run().isEmpty)
      return (fleet.pit.network.trace, fleet.pages.map { $0.replica?.pit.stateHash() })
    }
    #expect(runs[0].0 == runs[1].0 && runs[0].1 == runs[1].1)
    #expect(runs[0].0 != runs[2].0 && runs[0].1 != runs[2].1)
  }
}

extension FleetPage.Tally {
  fileprivate mutating func add(_ other: FleetPage.Tally) {
    compared += other.compared
    hashes += other.hashes
    connections += other.connections
    resumed += other.resumed
    stalls += other.stalls
    pauses += other.pauses
    switches += other.switches
    askedAgain += other.askedAgain
    spoiled += other.spoiled
    found += other.found
    healed += other.healed
    overtaken += other.overtaken
    slowestHealing = max(slowestHealing, other.slowestHealing)
  }
}
