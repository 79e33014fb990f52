import Glibc

/// What the last eight bytes of a gzip file say of the bytes that are packed in it (RFC 1952,
/// 2.3.1).
struct GzipTrailer: Equatable {
  /// CRC-32 of the unpacked bytes.
  let checksum: UInt32
  /// How many unpacked bytes there are, modulo 2³².
  let length: UInt32

  /// What it has to be for these bytes.
  init(of bytes: [UInt8]) {
    let table = Self.table
    var remainder = UInt32.max
    for byte in bytes {
      let index = Int(UInt8(truncatingIfNeeded: remainder) ^ byte)
      remainder = table[index] ^ (remainder >> 8)
    }
    checksum = ~remainder
    length = UInt32(truncatingIfNeeded: bytes.count)
  }

  /// Reads it, wherever the file was read before; nil if the file is too short or can't be read.
  init?(endOf file: FoundFile) {
    let count = 8
    // Before it comes a header of ten bytes at least.
    guard file.size >= 10 + count else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    guard pread(file.descriptor, &bytes, count, off_t(file.size - count)) == count else {
      return nil
    }
    checksum = Self.number(bytes[..<4])
    length = Self.number(bytes[4...])
  }

  /// A number whose lowest byte comes first.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(UInt32(0)) { number, byte in (number << 8) | UInt32(byte) }
  }

  /// What each value of a byte does to the remainder, by the polynomial of RFC 1952, section 8.
  private static let table: [UInt32] = (0..<256).map { (index: Int) -> UInt32 in
    var remainder = UInt32(index)
    for _ in 0..<8 {
      let isOdd = remainder & 1 == 1
      remainder >>= 1
      if isOdd { remainder ^= 0xedb8_8320 }
    }
    return remainder
  }
}
