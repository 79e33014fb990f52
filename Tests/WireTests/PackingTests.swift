import Testing

@testable import Wire

/// Bytes are packed without loss, and nothing that is no packing is taken for one.
@Suite struct PackingTests {
  private func packed(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    Packing.pack(bytes, into: &packed)
    return packed
  }

  private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  /// Rows of `length` bytes of which some stay, some count up and some are noise.
  private static func rows(_ count: Int, of length: Int, seed: UInt64) -> [UInt8] {
    let noise = noise(count * length, seed: seed)
    return (0..<(count * length)).map { place in
      switch (place % length) % 4 {
      case 0: UInt8(truncatingIfNeeded: place / length)
      case 1: noise[place]
      default: noise[place % length]
      }
    }
  }

  @Test func whatIsPackedComesBack() throws {
    for count in Array(0...70) + [255, 256, 257, 511, 512, 513, 4000] {
      for bytes in [
        Self.noise(count, seed: UInt64(count)), Array(repeating: 0, count: count),
        Array(repeating: 255, count: count), (0..<count).map { UInt8(truncatingIfNeeded: $0) },
      ] {
        #expect(try Packing.unpack(packed(bytes)) == bytes)
        #expect(try Packing.unpack([7, 8, 9] + packed(bytes), from: 3) == bytes)
      }
    }
    for length in 1...50 {
      let bytes = Self.rows(300, of: length, seed: UInt64(length))
      #expect(try Packing.unpack(packed(bytes)) == bytes)
    }
  }

  @Test func rowsAreSmallAndNoiseHardlyGrows() {
    let noise = Self.noise(20_000, seed: 3)
    #expect(packed(noise).count < 20_000 + 20_000 / 25)
    #expect(packed(Array(repeating: 0, count: 20_000)).count < 50)
    // Two columns in eight are noise.
    let rows = Self.rows(2500, of: 8, seed: 4)
    #expect(packed(rows).count < 20_000 / 4 + 20_000 / 40)
    // What came before comes again, at any distance.
    let twice = Array(noise[..<4999]) + Array(noise[..<4999])
    #expect(packed(twice).count < 5400)
  }

  @Test func lengthsAreLimited() {
    #expect(throws: WireError.truncated) { try Packing.unpack([]) }
    #expect(throws: WireError.truncated) { try Packing.unpack([1, 0, 0, 0, 1, 2, 3]) }
    #expect(throws: WireError.truncated) {
      try Packing.unpack([1, 0, 0, 0, 1, 2, 3, 4], from: 1)
    }
    #expect(throws: WireError.truncated) { try Packing.unpack([1, 0, 0, 0], from: 9) }
    for high in [UInt8(1), 64, 128, 255] {
      let long: [UInt8] = [1, 0, 64, high, 5, 6, 7, 8, 9]
      #expect(throws: WireError.outOfRange(.length)) { try Packing.unpack(long) }
    }
    let bytes = packed(Self.noise(100, seed: 2))
    #expect(throws: WireError.outOfRange(.length)) { try Packing.unpack(bytes, atMost: 99) }
    #expect(throws: Never.self) { try Packing.unpack(bytes, atMost: 100) }
  }

  private func isRefused(_ bytes: [UInt8]) -> Bool {
    (try? Packing.unpack(bytes)) == nil
  }

  @Test func damagedBytesAreRefused() {
    let rows = Self.rows(40, of: 12, seed: 1)
    let bytes = packed(rows)
    for end in 0..<bytes.count { #expect(isRefused(Array(bytes[..<end])), "cut at \(end)") }
    for bit in 0..<(8 * bytes.count) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      // The highest bits of the length make room for much.
      guard bit < 16 || bit >= 32 else { continue }
      // The last byte may say the same in several ways.
      let unpacked = try? Packing.unpack(flipped)
      #expect(unpacked == nil || (unpacked == rows && bit / 8 == bytes.count - 1), "bit \(bit)")
    }
    #expect(throws: WireError.trailing) { try Packing.unpack(bytes + [0, 0, 0, 0, 0]) }
  }

  @Test func whateverComesEnds() {
    for seed in UInt64(0)..<300 {
      var bytes = Self.noise(8 + Int(seed), seed: seed)
      bytes.replaceSubrange(1..<4, with: [UInt8(seed % 20), 0, 0])
      #expect(isRefused(bytes))
    }
  }

  /// The most that can be stated, from no bytes at all.
  @Test func theLongestEnds() {
    #expect(throws: WireError.outOfRange(.packing)) {
      try Packing.unpack([0, 0, 64, 0, 1, 2, 3, 4])
    }
  }
}
