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
  /// What can be wrong in a world: all but a sticker's place without anybody seeing it at first.
  enum Fault: CaseIterable {
    case velocity, chance, rules, impulses, place

    /// How what the page says of it may begin.
    var names: [String] {
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

    func spoil(_ pit: inout Pit) throws {
      switch self {
      case .velocity: try Self.flip(12, of: Self.fastest(in: pit), in: &pit)
      case .impulses: try Self.flip(12, of: Self.strongest(in: pit), in: &pit)
      case .chance:
        let state = pit.playground.chance.state
        let words = [UInt32(truncatingIfNeeded: state), UInt32(truncatingIfNeeded: state >> 32)]
        try Self.flip(0, of: words, in: &pit)
      case .rules:
        // The last but one word of the pit's rules: how many stickers have yet to rain in.
        try Self.change(&pit) { bytes in bytes[bytes.count - 8] ^= 1 }
      case .place: try Self.moveOldest(in: &pit)
      }
    }

    /// Moves the oldest sticker towards the middle by more than its width.
    private static func moveOldest(in pit: inout Pit) throws {
      let oldest = pit.playground.ages[0]
      var center = pit.playground.animator.center(of: oldest)
      center.x += center.x < pit.worldSize.x / 2 ? 60 : -60
      try pit.playground.animator.setCenter(center, of: oldest)
    }

    /// The velocity of the body that is fastest along x.
    private static func fastest(in pit: Pit) -> [UInt32] {
      let storage = pit.playground.animator.world.storage
      var fastest = SIMD2<Float>.zero
      for row in 0..<storage.bodies.rowCount {
        let motion = storage.bodies.motions.base[2 * row]
        if abs(motion.x) > abs(fastest.x) { fastest = motion.lowHalf }
      }
      return [fastest.x.bitPattern, fastest.y.bitPattern]
    }

    /// What the two bodies remember that press on each other the most: the impulses of their first
    /// point, with which the next step begins.
    private static func strongest(in pit: Pit) -> [UInt32] {
      let storage = pit.playground.animator.world.storage
      var strongest = SIMD2<Float>.zero
      for pair in 0..<storage.neighbours.count {
        let impulse = storage.neighbours.impulses.base[pair]
        if impulse.x > strongest.x { strongest = impulse.lowHalf }
      }
      return [strongest.x.bitPattern, strongest.y.bitPattern]
    }

    /// Flips one bit of a value in the bytes of a pit, and lets the pit be what they say then.
    private static func flip(_ bit: Int, of words: [UInt32], in pit: inout Pit) throws {
      let value = words.flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
      }
      try change(&pit) { bytes in
        let places = bytes.indices.filter { bytes[$0...].starts(with: value) }
        try #require(places.count == 1, "\(places.count) places have \(words)")
        bytes[places[0] + bit / 8] ^= 1 << UInt8(bit % 8)
      }
    }

    private static func change(_ pit: inout Pit, _ change: (inout [UInt8]) throws -> Void) throws {
      var bytes: [UInt8] = []
      pit.save(into: &bytes)
      let hash = pit.stateHash()
      try change(&bytes)
      try pit.restore(from: bytes)
      #expect(pit.stateHash() != hash)
    }
  }

  /// Points by which a sticker may be further from its place in the picture before than its speeds
  /// and the picture's part of its correction explain: what was struck twice in one tick was faster
  /// in between.
  private static let mostBreak: Float = 5
  private static let bodies = 60

  @Test(arguments: Fault.allCases) func aWrongWorldIsFoundAndHealed(fault: Fault) throws {
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
