/// Appends bit fields to a byte array, least significant bit first, so that a field of 16 bits on a
/// byte boundary is a little-endian integer.
public struct BitWriter {
  @usableFromInline var bytes: [UInt8]
  @usableFromInline var pending: UInt64 = 0
  @usableFromInline var pendingBits = 0

  /// A writer that appends to `bytes`.
  public init(appendingTo bytes: consuming [UInt8] = []) {
    self.bytes = bytes
  }

  /// Runs `body` with a writer on the end of `bytes`, without copying the array.
  @inlinable
  public static func append(to bytes: inout [UInt8], _ body: (inout BitWriter) -> Void) {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    var writer = BitWriter(appendingTo: taken)
    taken = []
    body(&writer)
    bytes = writer.finish()
  }

  /// Writes the low `count` bits of `value`; `count` is 0…32.
  @inlinable
  public mutating func write(_ value: UInt32, bits count: Int) {
    assert(count >= 0 && count <= 32)
    assert(pendingBits >= 0 && pendingBits < 8, "whole bytes have been written")
    assert(pending >> UInt64(pendingBits) == 0, "behind what waits is nothing")
    let mask = (UInt64(1) << UInt64(count)) &- 1
    pending |= (UInt64(value) & mask) << UInt64(pendingBits)
    pendingBits += count
    while pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Writes the low `count` bits of a two's complement number; `count` is 1…32.
  @inlinable
  public mutating func write(signed value: Int32, bits count: Int) {
    write(UInt32(bitPattern: value), bits: count)
  }

  /// Writes a number that is usually small (Exp-Golomb of order 0): 1 bit for 0, 3 bits for 1…2,
  /// 5 for 3…6 and so on. `value` is 0…65 535.
  @inlinable
  public mutating func write(small value: UInt32) {
    assert(value <= 0xFFFF)
    let shifted = value &+ 1
    let width = 32 - shifted.leadingZeroBitCount
    assert(width > 0 && width <= 17)
    write(0, bits: width - 1)
    write(1, bits: 1)
    write(shifted, bits: width - 1)
  }

  /// Fills the last byte with zero bits and gives the bytes back.
  @inlinable
  public consuming func finish() -> [UInt8] {
    if pendingBits > 0 { write(0, bits: 8 - pendingBits) }
    assert(pendingBits == 0, "the last byte is whole")
    return bytes
  }
}
