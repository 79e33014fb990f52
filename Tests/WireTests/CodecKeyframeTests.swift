import SeededChance
import Testing

@testable import Wire

/// Keyframes tell any world, however full, however large, wherever its bodies are.
@Suite struct CodecKeyframeTests {
  private static func bodies(
    _ count: Int, within width: Float, _ height: Float, seed: UInt64
  ) -> [StreamBody] {
    var chance = Chance(seed: seed)
    return (0..<count).map { slot in
      StreamBody(
        slot: UInt16(slot), generation: UInt16(slot % 3), kind: UInt8(slot % 20),
        size: UInt8.random(in: 1...255, using: &chance),
        x: Float.random(in: -0.1...1.1, using: &chance) * width,
        y: Float.random(in: -0.1...1.1, using: &chance) * height,
        angle: Float.random(in: -10...10, using: &chance))
    }
  }

  @Test(arguments: [
    (UInt16(1), UInt16(1)), (7, 900), (720, 960), (4095, 4096), (4097, 30), (65_535, 65_535),
  ])
  func anyWorldComesOutAsItWentIn(width: UInt16, height: UInt16) throws {
    for profile in CodecProfile.allCases {
      for count in [0, 1, 40, 400] {
        let encoder = StreamEncoder(
          StreamShape(profile: profile, width: width, height: height, slots: 400))
        var bytes: [UInt8] = []
        encoder.encode(
          Self.bodies(count, within: Float(width), Float(height), seed: UInt64(count)), tick: 60,
          gravity: .down, into: &bytes)
        let decoder = StreamDecoder()
        try decoder.decode(bytes)
        #expect(decoder.world == encoder.world)
        #expect(decoder.world.bodies.count == count)
      }
    }
  }

  /// Stickers in rows without a gap: each says where the next ones can't be.
  @Test func aFullWorldCostsLessThanItsPlacesApart() {
    let encoder = StreamEncoder(StreamShape(profile: .strict, width: 720, height: 960, slots: 400))
    let rows = (0..<400).map { slot in
      StreamBody(
        slot: UInt16(slot), generation: 0, kind: 1, size: 40, x: 20 + Float(slot % 18) * 40,
        y: 940 - Float(slot / 18) * 40, angle: 0)
    }
    // In an order that says nothing.
    let mixed = rows.indices.map { index in
      var body = rows[index * 77 % 400]
      body.slot = UInt16(index)
      return body
    }
    var bytes: [UInt8] = []
    encoder.encode(mixed, tick: 60, gravity: .down, into: &bytes)
    // 13.5 bits for x, 13.9 for y, 10 for the angle.
    let apart = 400 * (13.5 + 13.9 + 10) / 8
    #expect(Double(bytes.count) < apart - 100)
  }
}
