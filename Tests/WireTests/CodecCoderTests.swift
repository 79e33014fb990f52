import Testing

@testable import Wire

@Suite struct CodecCoderTests {
  /// Codes with both ends and returns what the decoder got and how many bytes it took.
  private func roundTrip<Result>(
    _ code: (inout AnyCoder) -> Result
  ) -> (Result, bytes: Int) {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 18)
    defer { buffer.deallocate() }
    var writer = AnyCoder.encoder(RangeEncoder(into: buffer))
    _ = code(&writer)
    let count = writer.finish()
    var reader = AnyCoder.decoder(
      RangeDecoder(UnsafeRawBufferPointer(start: buffer, count: count)))
    let result = code(&reader)
    #expect(reader.isAtEnd)
    return (result, count)
  }

  @Test(arguments: [UInt32(1), 40, 900, 32_768, 60_000, 65_535])
  func bitsComeBack(probability: UInt32) {
    var scene = CodecScene(count: 0, seed: UInt64(probability))
    let bits = (0..<5000).map { _ in scene.random(below: 65_536) < Float(probability) ? 1 : 0 }
    let (result, _) = roundTrip { coder in
      bits.map { coder.code(coder.isDecoder ? 0 : $0, probability: probability) }
    }
    #expect(result == bits)
  }

  @Test func theUnlikelyOneCarries() {
    // Zeros push the low end of the interval up to where a carry runs through many bytes of 255.
    let bits = Array(repeating: 0, count: 3000)
    for probability in [UInt32(1), 2, 3, 255, 256, 257] {
      let (result, bytes) = roundTrip { coder in
        bits.map { coder.code(coder.isDecoder ? 1 : $0, probability: probability) }
      }
      #expect(result == bits)
      #expect(bytes < 64)
    }
  }

  @Test func uniformNumbersComeBackInTheirBits() {
    let numbers = (0..<400).map { ($0 * 7919) % 20_161 }
    let (result, bytes) = roundTrip { coder in
      numbers.map { coder.codeUniform(coder.isDecoder ? 0 : $0, below: 20_161) }
    }
    #expect(result == numbers)
    // log₂ 20 161 = 14.3 bits each.
    #expect(bytes <= 400 * 143 / 80 + 4)
  }

  @Test func numbersComeBackToTheirLimits() {
    let numbers = [0, 1, -1, 2, 7, -8, 100, -1000, 65_535, (1 << 22) - 1, -(1 << 22) + 1, 0, 0]
    let models = CodecModels()
    defer { models.deallocate() }
    let (result, _) = roundTrip { coder in
      models.restart()
      return numbers.map {
        models.codeSigned(coder.isDecoder ? 0 : $0, as: .gravity, with: &coder)
      }
    }
    #expect(result == numbers)
  }

  @Test(arguments: [UInt16(60), 32_768, 65_476])
  func chancesLearnAtTwoRates(start: UInt16) {
    var scene = CodecScene(count: 0, seed: UInt64(start))
    var learning = Probability(start)
    var quick = Int(start)
    var slow = Int(start)
    for round in 0..<6000 {
      let isOne = round < 1000 || round >= 2000 && scene.random(below: 3) < 1
      learning.learn(isOne ? 1 : 0)
      quick += isOne ? (65_535 - quick) / 16 : -(quick / 16)
      slow += isOne ? (65_535 - slow) / 128 : -(slow / 128)
      #expect(Int(learning.ofOne) == (quick + slow) / 2)
    }
  }

  /// The format limits a chance to 32…65 504, and no start that the tables have leads beyond.
  @Test(arguments: [UInt16(60), 65_476], [0, 1])
  func chancesStayWithinTheFormatsLimits(start: UInt16, bit: Int) {
    var learning = Probability(start)
    for _ in 0..<2000 {
      learning.learn(bit)
      #expect((32...65_504).contains(learning.ofOne))
    }
  }

  @Test func halfOctavesBeginAtTwo() {
    let levels = [0, 0.3, 1, 1.99, 2, 2.99, 3, 3.99, 4, 5.99, 6, 8, 12, 1e9]
    #expect(
      levels.map { halfOctaves($0, top: 19) } == [0, 0, 0, 0, 2, 2, 3, 3, 4, 4, 5, 6, 7, 19])
  }

  @Test func nothingTakesNoBytes() {
    let (_, bytes) = roundTrip { coder in coder.code(1, probability: 65_000) }
    #expect(bytes == 0)
  }

  @Test func coarseVelocitiesAreNearAndStay() {
    var last = Int32.min
    for velocity in Int32(-40_000)...40_000 {
      let coarse = CoarseVelocity.value(CoarseVelocity.code(velocity))
      #expect(CoarseVelocity.value(CoarseVelocity.code(coarse)) == coarse)
      #expect(abs(coarse - velocity) * 4 <= abs(velocity))
      #expect(coarse >= last)
      last = coarse
    }
  }

  @Test func anyCodeStandsForAVelocity() {
    for code in [Int32.min + 1, -1000, -93, 93, 1000, Int32.max] {
      #expect(abs(CoarseVelocity.value(code)) < 1 << 26)
    }
  }
}

/// Either end, chosen at run time, so that a test can pass one closure to both.
enum AnyCoder: BinaryCoder {
  case encoder(RangeEncoder)
  case decoder(RangeDecoder)

  // Numbers ask the type; a coder of either kind takes the value it is given as the encoder does.
  static var isDecoder: Bool { false }

  var isDecoder: Bool { if case .decoder = self { true } else { false } }

  var isAtEnd: Bool { if case .decoder(let coder) = self { coder.isAtEnd } else { false } }

  mutating func code(_ bit: Int, probability: UInt32) -> Int {
    switch self {
    case .encoder(var coder):
      let result = coder.code(bit, probability: probability)
      self = .encoder(coder)
      return result
    case .decoder(var coder):
      let result = coder.code(bit, probability: probability)
      self = .decoder(coder)
      return result
    }
  }

  mutating func finish() -> Int {
    guard case .encoder(var coder) = self else { return 0 }
    let count = coder.finish()
    self = .encoder(coder)
    return count
  }
}
