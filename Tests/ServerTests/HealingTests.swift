import Testing
import Transport
import Wire

@testable import Physics
@testable import Server
@testable import Simulation

/// A page's world of which one bit is wrong, or the place of one sticker: it is found out by the
/// next hash, and a snapshot heals it before anybody minds. So it is for a page that was sent at
/// most one other snapshot within the last four seconds; after two, `SnapshotBudget` lets it wait.
@Suite struct HealingTests {
  /// Points by which a sticker may be further from its place in the picture before than its speeds
  /// and the picture's part of its correction explain: what was struck twice in one tick was faster
  /// in between.
  private static let mostBreak: Float = 5
  private static let bodies = 60

  @Test(arguments: WorldFault.allCases) func aWrongWorldIsFoundAndHealed(fault: WorldFault) throws {
    let pit = try VirtualServer(seed: 5, bodies: Self.bodies)
    let page = PredictingPage(pit, latency: 20_000_000...20_000_000)
    // By now stickers roll about, and lie on each other.
    pit.advance(seconds: 3.1)
    #expect(page.playback()?.prediction != nil, "\(page.failures)")
    let start = pit.network.now
    try page.spoil(fault.spoil)
    for round in 0..<10 {
      page.drop(x: Int16(500 + 150 * round), y: 500)
      pit.advance(seconds: 0.1)
    }
    pit.advance(seconds: 0.5)
    let playback = try #require(page.playback())
    #expect(page.failures.isEmpty && page.healed == 1)
    #expect(playback.statistics.diverged == 1 && !playback.statistics.isDiverged)
    let difference = try #require(playback.difference)
    #expect(fault.names.contains { difference.hasPrefix($0) }, "\(difference)")
    #expect(difference.contains(", seen in tick "))
    // Both worlds are kept whole as they were when the snapshot came.
    let divergence = try #require(playback.divergence)
    #expect(difference == "\(divergence.difference), seen in tick \(divergence.tick)")
    let mine = try Pit.restore(from: divergence.mine)
    let servers = try Pit.restore(from: divergence.servers)
    #expect((mine.tick, servers.tick) == (divergence.tick, divergence.tick))
    #expect(mine.firstDifference(from: servers) == divergence.difference)
    // Found at the next hash, half a second and the way at most, and healed within a second.
    let healing = try #require(page.healings.first)
    #expect(page.healings.count == 1 && healing.found - start < 600_000_000, "\(healing)")
    #expect(healing.healed - healing.found <= 1_000_000_000, "\(healing)")
    let compared = try #require(playback.prediction).replica.hashesMatched
    pit.advance(seconds: 2)
    #expect(try #require(playback.prediction).replica.hashesMatched >= compared + 3)
    #expect(page.healed == 1)
    // What was elsewhere glided to its place: nothing leapt, and nothing moved as it had no reason
    // to. Where another sticker rained in, what was dropped later has other names before and after.
    let named = { (slot: UInt16) in fault != .rules || slot < Self.bodies }
    #expect(!page.leaps.contains(where: named), "\(page.leaps)")
    let broken = page.breaks.filter { named($0.key) && $0.value > Self.mostBreak }
    #expect(broken.isEmpty, "\(broken)")
    if fault == .place {
      let largest = playback.statistics.largestCorrection
      #expect(largest > 10, "there was something to be seen: \(largest) pt")
    }
  }
}

extension WorldFault {
  /// How what the page says of it may begin, in the pit.
  fileprivate var names: [String] {
    switch self {
    // When the snapshot comes, the sticker and those that it touched are elsewhere.
    case .velocity: ["place of the sticker in slot ", "angle of the sticker in slot "]
    // What presses on what differs less; what differs then is no place in each case.
    case .impulses:
      ["place", "angle", "velocity", "spin"].map { "\($0) of the sticker in slot " }
        + ["what contacts and behaviours remember"]
    case .chance: ["chance"]
    // For the place of the sticker that rains in, chance is asked.
    case .rules: ["chance"]
    // It is the oldest one, which is looked at first.
    case .place: ["place of the sticker in slot 0,"]
    }
  }
}
