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
