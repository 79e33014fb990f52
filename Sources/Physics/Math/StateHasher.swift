/// FNV-1a over words instead of bytes, 64 bits wide. A step takes different words to different
/// values, whatever was before, and different values to different ones, whatever word comes: so two
/// states that differ in one word alone never have the same hash.
package struct StateHasher {
  @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package mutating func add(_ word: UInt32) { value = (value ^ UInt64(word)) &* 0x100_0000_01B3 }

  @inline(__always)
  mutating func add(_ number: Float) { add(number.bitPattern) }

  mutating func add(_ v: Vector2) {
    add(v.x)
    add(v.y)
  }
}

/// Hashes what a snapshot would hold, by words of up to 64 bits.
struct SnapshotHasher: SnapshotSink {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  private static func mixed(_ value: UInt64, _ word: UInt64) -> UInt64 {
    let product = (value ^ word) &* 0x100_0000_01B3
    return product ^ product &>> 32
  }

  @inline(__always)
  mutating func put<T: BitwiseCopyable>(_ value: T) {
    withUnsafeBytes(of: value) { bytes in
      switch MemoryLayout<T>.size {
      case 1: add(UInt64(bytes.loadUnaligned(as: UInt8.self)))
      case 2: add(UInt64(bytes.loadUnaligned(as: UInt16.self)))
      case 4: add(UInt64(bytes.loadUnaligned(as: UInt32.self)))
      default: add(bytes)
      }
    }
  }

  mutating func put<T: BitwiseCopyable>(_ values: UnsafeMutablePointer<T>, count: Int) {
    add(UnsafeRawBufferPointer(start: values, count: count * MemoryLayout<T>.stride))
  }

  @inline(__always)
  private mutating func add(_ word: UInt64) { value = Self.mixed(value, word) }

  /// Four words at a time, each into a value of its own, because a multiplication takes as long as
  /// four that don't wait for each other.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    if bytes.count >= 32 {
      var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
      while offset &+ 32 <= bytes.count {
        a = Self.mixed(a, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        b = Self.mixed(b, bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
        c = Self.mixed(c, bytes.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self))
        d = Self.mixed(d, bytes.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self))
        offset &+= 32
      }
      add(a)
      add(b)
      add(c)
      add(d)
    }
    while offset &+ 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    while offset < bytes.count {
      add(UInt64(bytes[offset]))
      offset &+= 1
    }
  }
}
