/// One end of the range coder: it writes bits or reads them, by the same calls.
///
/// Everything that both ends must do alike is written once, generic over this protocol. Where the
/// encoder passes a bit, the decoder ignores it and returns the one that it read, so code that goes
/// on with what was returned cannot drift apart.
protocol BinaryCoder {
  /// Whether bits come out of a frame instead of going into one.
  static var isDecoder: Bool { get }

  /// Codes one bit of which `probability` / 65 536 is the chance to be 1 (1…65 535). Ones take the
  /// low end of the interval, so that bits that are all ones take no bytes, whatever their chances.
  mutating func code(_ bit: Int, probability: UInt32) -> Int

  /// Codes a bit with an adaptive probability, and lets it learn.
  mutating func code(_ bit: Int, with model: UnsafeMutablePointer<Probability>) -> Int
}

extension BinaryCoder {
  @inline(__always)
  mutating func code(_ bit: Int, with model: UnsafeMutablePointer<Probability>) -> Int {
    let coded = code(bit, probability: model.pointee.ofOne)
    model.pointee.learn(coded)
    return coded
  }

  /// Codes the lowest `count` bits of `value`, the highest first, each as likely 0 as 1.
  mutating func codeBits(_ value: Int, count: Int) -> Int {
    assert(count >= 0 && count < Int.bitWidth)
    var result = 0
    var shift = count &- 1
    while shift >= 0 {
      result = result &<< 1 | code((value &>> shift) & 1, probability: 32_768)
      shift &-= 1
    }
    return result
  }

  /// Codes one of the numbers 0..<`bound`, all as likely; `bound` is 1…2²⁴. Takes log₂(bound) bits.
  mutating func codeUniform(_ value: Int, below bound: Int) -> Int {
    assert(bound > 0 && bound <= 1 &<< 25, "so many halves are asked for")
    assert(Self.isDecoder || (value >= 0 && value < bound), "what is written can be read")
    var result = 0
    var left = bound
    var half = 1 &<< 24
    while half > 0 {
      if left > half {
        let chance = UInt32(truncatingIfNeeded: (left &- half) &* 65_536 / left)
        let above = value &- result >= half ? 1 : 0
        if code(above, probability: chance < 1 ? 1 : chance) != 0 {
          result &+= half
          left &-= half
        } else {
          left = half
        }
      }
      half &>>= 1
    }
    assert(result >= 0 && result < bound)
    return result
  }
}
