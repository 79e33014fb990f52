/// SHA-256 as FIPS 180-4 defines it, in hex: what node computes from the same bytes, without a
/// library for it here.
public enum SHA256 {
  public static func hex(_ bytes: [UInt8]) -> String {
    var hash = initial
    let padded = bytes + padding(after: bytes.count)
    var words = [UInt32](repeating: 0, count: 64)
    for block in stride(from: 0, to: padded.count, by: 64) {
      for index in 0..<16 {
        let at = block + 4 * index
        words[index] =
          UInt32(padded[at]) << 24 | UInt32(padded[at + 1]) << 16 | UInt32(padded[at + 2]) << 8
          | UInt32(padded[at + 3])
      }
      mix(&words, into: &hash)
    }
    return hash.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// A one bit, zeros up to the last eight bytes of a block, and there the length in bits.
  private static func padding(after count: Int) -> [UInt8] {
    let zeros = (119 - count % 64) % 64
    let bits = UInt64(count) * 8
    return [0x80] + [UInt8](repeating: 0, count: zeros)
      + (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
  }

  private static func mix(_ words: inout [UInt32], into hash: inout [UInt32]) {
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var state = hash
    for index in 0..<64 {
      let (a, e) = (state[0], state[4])
      let choice = e & state[5] ^ ~e & state[6]
      let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
      let first =
        state[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice
        &+ constants[index] &+ words[index]
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
      for place in stride(from: 7, to: 0, by: -1) { state[place] = state[place - 1] }
      state[4] = state[4] &+ first
      state[0] = first &+ second
    }
    for place in 0..<8 { hash[place] = hash[place] &+ state[place] }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  /// The first 32 bits behind the point of the square roots of the first eight primes.
  private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }

  /// The same of the cube roots of the first 64.
  private static let constants = primes.map { fraction(cubeRoot(Double($0))) }

  private static let primes = (2...311).filter { number in
    !(2..<number).contains { number % $0 == 0 }
  }

  /// Newton's method; doubles have bits enough for 32 behind the point.
  private static func cubeRoot(_ number: Double) -> Double {
    var root = number
    for _ in 0..<60 { root = (2 * root + number / (root * root)) / 3 }
    return root
  }

  private static func fraction(_ number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 4_294_967_296)
  }
}
