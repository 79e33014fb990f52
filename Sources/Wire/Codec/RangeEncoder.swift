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
