/// Hashes what a snapshot would hold, by words of up to 64 bits.
struct SnapshotHasher: SnapshotSink {
  private var hash = FNVHash()

  var value: UInt64 { hash.value }

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
  private mutating func add(_ word: UInt64) { hash.addFolded(word) }

  /// Four words at a time, each into a value of its own, because a multiplication takes as long as
  /// four that don't wait for each other.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    if bytes.count >= 32 {
      var (a, b) = (FNVHash(value: 1), FNVHash(value: 2))
      var (c, d) = (FNVHash(value: 3), FNVHash(value: 4))
      while offset &+ 32 <= bytes.count {
        a.addFolded(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        b.addFolded(bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
        c.addFolded(bytes.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self))
        d.addFolded(bytes.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self))
        offset &+= 32
      }
      add(a.value)
      add(b.value)
      add(c.value)
      add(d.value)
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
