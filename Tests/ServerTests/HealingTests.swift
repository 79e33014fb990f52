import Testing
import Transport
import Wire

@testable import Physics
@testable import Server
@testable import Simulation

/// A page's world of which one bit is wrong: it is found out by the next hash, and a snapshot heals
/// it before anybody minds. So it is for a page that was sent at most one other snapshot within the
/// last four seconds; after two, `SnapshotBudget` lets it wait.
@Suite struct HealingTests {
  /// What can be wrong in a world without anybody seeing it at first.
  enum Fault: CaseIterable {
    case velocity, chance, rules, impulses

    /// What the page should say of it: a sticker that is somewhere else, as a rule.
    var names: [String] {
      switch self {
      case .velocity, .impulses:
        [
          "place of the sticker", "angle of the", "velocity of the", "spin of the",
          "what contacts and behaviours remember",
        ]
      case .chance: ["chance"]
      case .rules: ["chance", "which stickers there are", "the scene's rules"]
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
      }
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

  /// Points that a sticker may be from its place in the picture before: a picture of 16 ms takes a
  /// fifth of a correction back, 61 of the 300 that are glided at most, and what fell through the
  /// whole world, at 1400 pt/s, makes 23 in it, or a quarter more while the picture catches up.
  private static let mostStride: Float = 120

  @Test(arguments: Fault.allCases) func aWrongWorldIsFoundAndHealed(fault: Fault) throws {
    let pit = try VirtualServer(seed: 5, bodies: 60)
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
    // Found at the next hash, half a second and the way at most, and healed within a second.
    let healing = try #require(page.healings.first)
    #expect(page.healings.count == 1 && healing.found - start < 600_000_000, "\(healing)")
    #expect(healing.healed - healing.found <= 1_000_000_000, "\(healing)")
    let compared = try #require(playback.prediction).replica.hashesMatched
    pit.advance(seconds: 2)
    #expect(try #require(playback.prediction).replica.hashesMatched >= compared + 3)
    #expect(page.healed == 1)
    // What was elsewhere glided to its place.
    #expect(page.largestStride < Self.mostStride, "\(page.largestStride)")
  }
}
