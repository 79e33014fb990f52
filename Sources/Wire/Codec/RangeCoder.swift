// The range coder: what its two ends share, the chances that it goes by, and the ends.

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

/// The chance that a bit is 1, learnt at two rates: one follows what happens now, the other knows
/// how it usually is, and the coder takes their mean.
struct Probability {
  /// The quick rate in the high half moves 1/16 of the way with every bit, the slow one in the low
  /// half 1/128: together they take half the instructions.
  private var rates: UInt32

  /// Both rates start at `start` / 65 536, 60…65 476 (as trained tables do).
  init(_ start: UInt16 = 32_768) {
    rates = UInt32(start) &* 0x1_0001
  }

  /// The chance in 1/65 536. Never nearer than 32 to certainty, which neither rate comes to: no bit
  /// costs more than 11 bits.
  @inline(__always)
  var ofOne: UInt32 {
    (rates &>> 16 &+ rates & 0xFFFF) &>> 1
  }

  /// Moves both rates towards `bit`.
  @inline(__always)
  mutating func learn(_ bit: Int) {
    assert(bit == 0 || bit == 1)
    // Towards 1 is towards 0 with every bit turned over.
    let turned = 0 &- UInt32(truncatingIfNeeded: bit)
    let way = rates ^ turned
    let quick = (way &>> 4) & 0x0FFF_0000
    let slow = (way & 0xFFFF) &>> 7
    rates = (way &- quick &- slow) ^ turned
  }
}

/// The writing end of the range coder: 32-bit range, carries resolved in the bytes already written.
///
/// The memory must hold what is written; `StreamState.frameBytes(slots:)` bounds it.
struct RangeEncoder: BinaryCoder {
  static var isDecoder: Bool { false }

  /// The low end of the interval; bit 32 is a carry that is due.
  private var low: UInt64 = 0
  private var range: UInt32 = 0xFFFF_FFFF
  private let bytes: UnsafeMutablePointer<UInt8>
  /// Bytes written so far; some of the last ones are still to come.
  private(set) var count = 0

  init(into bytes: UnsafeMutablePointer<UInt8>) {
    self.bytes = bytes
  }

  @inline(__always)
  mutating func code(_ bit: Int, probability: UInt32) -> Int {
    assert(probability > 0 && probability < 65_536, "both bits are possible")
    let part = UInt32(truncatingIfNeeded: (UInt64(range) &* UInt64(probability)) &>> 16)
    assert(part > 0 && part < range, "both bits have a share of the range")
    // Chosen without a branch: many a bit can't be foreseen.
    low = low &+ UInt64(bit != 0 ? 0 : part)
    range = bit != 0 ? part : range &- part
    while range < 1 << 24 {
      range = range &<< 8
      shiftByte()
    }
    return bit
  }

  /// Ends the frame in as few bytes as name a point of the interval, and returns their number. The
  /// decoder reads zeros beyond the end, so zeros at the end are left out.
  mutating func finish() -> Int {
    var zeroBits: UInt64 = 24
    while true {
      let mask = (UInt64(1) &<< zeroBits) &- 1
      let point = (low &+ mask) & ~mask
      if point < low &+ UInt64(range) {
        low = point
        break
      }
      zeroBits &-= 8
    }
    for _ in 0..<4 { shiftByte() }
    if low &>> 32 != 0 { carry() }
    while count > 0, bytes[count &- 1] == 0 { count &-= 1 }
    return count
  }

  @inline(__always)
  private mutating func shiftByte() {
    assert(low &>> 33 == 0, "a byte takes one carry")
    if low &>> 32 != 0 { carry() }
    bytes[count] = UInt8(truncatingIfNeeded: low &>> 24)
    count &+= 1
    low = (low &<< 8) & 0xFFFF_FFFF
  }

  @inline(never)
  private mutating func carry() {
    assert(count > 0, "a carry has a byte to go to")
    var index = count &- 1
    while index >= 0 {
      bytes[index] = bytes[index] &+ 1
      if bytes[index] != 0 { break }
      index &-= 1
    }
  }
}

/// The reading end of the range coder. Beyond the end of the bytes it reads zeros: the encoder left
/// them out. It never fails; what comes out of damaged bytes is for the caller to judge.
struct RangeDecoder: BinaryCoder {
  static var isDecoder: Bool { true }

  private var range: UInt32 = 0xFFFF_FFFF
  private var point: UInt32 = 0
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    for _ in 0..<4 { point = point &<< 8 | nextByte() }
  }

  /// Whether the frame's bytes were all read. Any that are left were not written by an encoder.
  var isAtEnd: Bool { position >= bytes.count }

  @inline(__always)
  mutating func code(_ bit: Int, probability: UInt32) -> Int {
    assert(probability > 0 && probability < 65_536, "both bits are possible")
    let part = UInt32(truncatingIfNeeded: (UInt64(range) &* UInt64(probability)) &>> 16)
    assert(part > 0 && part < range, "both bits have a share of the range")
    // Chosen without a branch: many a bit can't be foreseen.
    let isOne = point < part
    range = isOne ? part : range &- part
    point = isOne ? point : point &- part
    while range < 1 << 24 {
      range = range &<< 8
      point = point &<< 8 | nextByte()
    }
    return isOne ? 1 : 0
  }

  @inline(__always)
  private mutating func nextByte() -> UInt32 {
    assert(position >= 0 && position <= bytes.count)
    guard position < bytes.count else { return 0 }
    position &+= 1
    return UInt32(bytes[position &- 1])
  }
}
