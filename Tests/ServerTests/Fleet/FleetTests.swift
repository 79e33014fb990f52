import Foundation
import Testing

@testable import Server
@testable import Simulation

/// Fleets of pages that predict, in all scenes: whatever happens to them, every world that they
/// hold for certain is the server's.
///
/// A seed is one fleet in one scene, the scenes by turns. 25 seeds as a rule (`make test`), which
/// are five in each scene, of 20 s; `make soak-replicas` takes 200, which are 40 in each, of two
/// minutes. STICKERPIT_REPLICA_SEEDS is another number of them, STICKERPIT_REPLICA_FIRST where they
/// begin, STICKERPIT_REPLICA_TICKS how long each goes on. A failure says which world of whom was
/// another one, which commands led there, and what repeats it. FLEET_LOGS is a folder for the logs,
/// which node runs again in WebAssembly.
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
        Issue.record(Comment(rawValue: Self.text(failure, of: fleet, seed, scene, Self.ticks)))
      }
      try fleet.keeper.log.write(as: "\(scene)-\(seed)")
      for page in fleet.pages { total.add(page.tally) }
      runs += 1
      moments += fleet.keeper.moments
    }
    print("\(scene): \(runs) fleets, \(moments) moments, \(total)")
    guard runs > 3, failed == 0 else { return }
    #expect(moments > 4 * runs)
    #expect(total.spoiled - total.vanished == runs && total.healed == runs, "\(total)")
    #expect(total.overtaken * 4 <= runs && total.vanished <= runs, "\(total)")
    // With five fleets each fault is somebody's first choice, but not every world can have each.
    #expect(total.faults.count >= (runs < 20 ? 2 : 3), "\(total)")
    #expect(total.spread > runs && total.postponed > runs, "\(total)")
    #expect(total.fewerTicks > 0 && total.moreTicks > 0, "\(total)")
    #expect(total.slowestHealing <= FleetPage.longestHealing, "\(total)")
    #expect(total.compared > runs * 8 * Self.ticks / 4)
    #expect(total.stalls > runs && total.resumed > 0 && total.switches > 0, "\(total)")
    #expect(total.askedAgain > 0 && total.pauses > 0 && total.connections > 9 * runs, "\(total)")
  }

  /// A failure in words, with the command that repeats it: a seed alone gives its scene.
  private static func text(
    _ failure: String, of fleet: Fleet, _ seed: Int, _ scene: Scene, _ ticks: Int
  ) -> String {
    """
    seed \(seed), \(scene), tick \(fleet.pit.tick): \(failure)
    again: make soak-replicas REPLICA_SEEDS=1 REPLICA_FIRST=\(seed) REPLICA_TICKS=\(ticks)
    """
  }

  /// A world is made wrong behind everybody's back: the run ends, and says what is to be known.
  @Test func aFailureSaysWhatLedThereAndWhatRepeatsIt() throws {
    let (seed, scene, ticks) = (15, Scene.pit, 600)
    #expect(seed % 5 == Int(scene.rawValue), "so the command runs the same scene")
    var fleet = try Fleet(seed: UInt64(seed), scene: scene, ticks: ticks, isFaultExpected: false)
    let failures = fleet.run()
    let failure = try #require(failures.first)
    let text = Self.text(failure, of: fleet, seed, scene, ticks)
    #expect(text.hasPrefix("seed 15, pit, tick "), "\(text)")
    #expect(text.contains(": page ") && text.contains("another world"), "\(text)")
    #expect(text.contains(", the last equal one was that of ") && text.contains("; after "))
    #expect(text.contains(": person ") || text.contains("no command"), "\(text)")
    let command = "make soak-replicas REPLICA_SEEDS=1 REPLICA_FIRST=15 REPLICA_TICKS=600"
    #expect(text.hasSuffix("again: " + command), "\(text)")
    // The command hands all of it to this suite.
    let makefile = try String(contentsOf: Self.makefile, encoding: .utf8)
    for name in ["REPLICA_SEEDS", "REPLICA_FIRST", "REPLICA_TICKS"] {
      #expect(makefile.contains("STICKERPIT_\(name)=$(\(name))"))
    }
  }

  private static let makefile = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Makefile")

  @Test(arguments: [Scene.pit, .rain]) func oneSeedIsOneRun(scene: Scene) throws {
    let runs = try [3, 3, 4 as UInt64].map { seed in
      var fleet = try Fleet(seed: seed, scene: scene, ticks: 600)
      #expect(fleet.run().isEmpty)
      return (fleet.pit.network.trace, fleet.pages.map { $0.replica?.pit.stateHash() })
    }
    #expect(runs[0].0 == runs[1].0 && runs[0].1 == runs[1].1)
    #expect(runs[0].0 != runs[2].0 && runs[0].1 != runs[2].1)
  }

  /// In every process: Swift's sets and dictionaries have another order in each, so what is sent in
  /// their order makes another run. FLEET_TRACES is a folder in which the first process leaves what
  /// the next ones must find (`make test-swift`). The host begins other worlds in these runs.
  @Test(arguments: [102, 168]) func oneSeedIsOneRunInEveryProcess(seed: Int) throws {
    guard let folder = ProcessInfo.processInfo.environment["FLEET_TRACES"] else { return }
    let scene = Scene.allCases[seed % 5]
    var fleet = try Fleet(seed: UInt64(seed), scene: scene, ticks: 3600)
    #expect(fleet.run().isEmpty)
    let trace = String(fleet.pit.network.trace)
    let file = URL(fileURLWithPath: folder).appendingPathComponent("\(seed).txt")
    guard let former = try? String(contentsOf: file, encoding: .utf8) else {
      return try trace.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(trace == former)
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
    vanished += other.vanished
    faults.formUnion(other.faults)
    spread += other.spread
    postponed += other.postponed
    fewerTicks += other.fewerTicks
    moreTicks += other.moreTicks
    slowestHealing = max(slowestHealing, other.slowestHealing)
  }
}
