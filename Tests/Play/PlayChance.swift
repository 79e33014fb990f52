import Physics

/// Where a play's decisions come from: a seed, or the bytes of a fuzzer, which so chooses what
/// people do.
public struct PlayChance {
  private var generator: RandomGenerator
  private let bytes: [UInt8]?
  private var next = 0

  /// Chance that repeats itself for the same seed.
  public init(seed: UInt64) {
    generator = RandomGenerator(seed: seed)
    bytes = nil
  }

  /// Chance that the bytes spell out; once they are used up, every number is 0.
  public init(bytes: [UInt8]) {
    generator = RandomGenerator(seed: 0)
    self.bytes = bytes
  }

  /// Whether a fuzzer's bytes are used up. A seed never is.
  public var isSpent: Bool { bytes.map { next >= $0.count } ?? false }

  /// A number in 0..<`bound`; `bound` is 1…65 536.
  mutating func below(_ bound: Int) -> Int {
    guard bytes != nil else { return Int(generator.next(below: UInt32(bound))) }
    let low = Int(byte())
    return (bound > 256 ? low << 8 | Int(byte()) : low) % bound
  }

  /// A number of the range, which holds at most 65 536.
  mutating func from(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// True once in `times` on average.
  mutating func happens(onceIn times: Int) -> Bool { below(times) == 0 }

  private mutating func byte() -> UInt8 {
    guard let bytes, next < bytes.count else { return 0 }
    next += 1
    return bytes[next - 1]
  }
}
