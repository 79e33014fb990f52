/// Reads the fields that a `BitWriter` wrote. Reading past the end throws; nothing traps.
public struct BitReader {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var next = 0
  @usableFromInline var pending: UInt64 = 0
  @usableFromInline var pendingBits = 0

  /// A reader of `bytes`, which must outlive it.
  public init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Bits that are left.
  @inlinable
  public var remainingBits: Int { (bytes.count - next) * 8 + pendingBits }

  /// Reads `count` bits, 0…32. Throws `truncated`.
  @inlinable
  public mutating func read(bits count: Int) throws(WireError) -> UInt32 {
    assert(count >= 0 && count <= 32)
    assert(next <= bytes.count && pendingBits >= 0 && pendingBits < 8, "whole bytes wait unread")
    while pendingBits < count {
      guard next < bytes.count else { throw .truncated }
      pending |= UInt64(bytes[next]) << UInt64(pendingBits)
      next += 1
      pendingBits += 8
    }
    let mask = (UInt64(1) << UInt64(count)) &- 1
    let value = UInt32(truncatingIfNeeded: pending & mask)
    pending >>= UInt64(count)
    pendingBits -= count
    return value
  }

  /// Reads a two's complement number of `count` bits, 1…32. Throws `truncated`.
  @inlinable
  public mutating func read(signedBits count: Int) throws(WireError) -> Int32 {
    assert(count > 0 && count <= 32)
    let shift = Int32(32 - count)
    return (Int32(bitPattern: try read(bits: count)) << shift) >> shift
  }

  /// Reads a number that `write(small:)` wrote. Throws `truncated`, or `outOfRange` beyond 131 070.
  @inlinable
  public mutating func readSmall() throws(WireError) -> UInt32 {
    var width = 0
    while try read(bits: 1) == 0 {
      width += 1
      guard width <= 16 else { throw .outOfRange(.length) }
    }
    assert(width <= 16)
    return (UInt32(1) << UInt32(width) | (try read(bits: width))) &- 1
  }

  /// Checks that nothing but the zero bits that fill the last byte is left. Throws `trailing`.
  @inlinable
  public func finish() throws(WireError) {
    guard remainingBits < 8, pending == 0 else { throw .trailing }
  }
}

extension BitReader {
  @inlinable
  mutating func readByte() throws(WireError) -> UInt8 {
    UInt8(truncatingIfNeeded: try read(bits: 8))
  }

  @inlinable
  mutating func readUInt16() throws(WireError) -> UInt16 {
    UInt16(truncatingIfNeeded: try read(bits: 16))
  }

  @inlinable
  mutating func readInt16() throws(WireError) -> Int16 {
    Int16(bitPattern: try readUInt16())
  }
}

extension BitWriter {
  @inlinable
  mutating func write(byte value: UInt8) { write(UInt32(value), bits: 8) }

  @inlinable
  mutating func write(_ value: UInt16) { write(UInt32(value), bits: 16) }

  @inlinable
  mutating func write(_ value: Int16) { write(UInt16(bitPattern: value)) }
}
