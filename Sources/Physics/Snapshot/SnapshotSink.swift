/// Takes the values of a world's state, to keep them or to hash them: one description serves both,
/// so the hash holds all that a snapshot does.
protocol SnapshotSink {
  mutating func put<T: BitwiseCopyable>(_ value: T)
  /// A run of values as they lie in memory.
  mutating func put<T: BitwiseCopyable>(_ values: UnsafeMutablePointer<T>, count: Int)
  /// Of each pair as many impulses as it has.
  mutating func put(impulses: UnsafeMutablePointer<Lanes>, count: Int)
}

extension SnapshotSink {
  mutating func put(impulses: UnsafeMutablePointer<Lanes>, count: Int) {
    for k in 0..<count { put(impulse: impulses[k], SavedImpulse.code(impulses[k])) }
  }

  @inline(__always)
  mutating func put(impulse: Lanes, _ code: UInt8) {
    if code != 0 { put(impulse.lowHalf) }
    if code == SavedImpulse.four { put(impulse.highHalf) }
  }

  mutating func put(_ flag: Bool) { put(flag ? 1 as UInt8 : 0) }

  mutating func put(_ v: Vector2) {
    put(v.x)
    put(v.y)
  }
}

/// Writes plain values, little endian, into memory that is large enough.
struct SnapshotWriter: SnapshotSink {
  private var at: UnsafeMutableRawPointer
  private let start: UnsafeMutableRawPointer
  private let room: Int

  init(_ memory: UnsafeMutableRawBufferPointer) {
    start = memory.baseAddress!
    at = start
    room = memory.count
  }

  /// Bytes written so far.
  var count: Int { at - start }

  @inline(__always)
  mutating func put<T: BitwiseCopyable>(_ value: T) {
    assert(count + MemoryLayout<T>.size <= room, "the size of a snapshot was estimated too low")
    at.storeBytes(of: value, as: T.self)
    at += MemoryLayout<T>.size
  }

  @inline(__always)
  mutating func put<T: BitwiseCopyable>(_ values: UnsafeMutablePointer<T>, count: Int) {
    let size = count * MemoryLayout<T>.stride
    assert(self.count + size <= room, "the size of a snapshot was estimated too low")
    at.copyMemory(from: values, byteCount: size)
    at += size
  }

  /// Writes all four of each pair, and the next pair's over those that are none: without a branch,
  /// because nobody can tell ahead what a pair has. `savedSizeLimit` has room for the overhang.
  mutating func put(impulses: UnsafeMutablePointer<Lanes>, count: Int) {
    var end = at
    for k in 0..<count {
      assert(end - start + MemoryLayout<Lanes>.size <= room, "the size was estimated too low")
      end.storeBytes(of: impulses[k], as: Lanes.self)
      end += SavedImpulse.size(SavedImpulse.code(impulses[k]))
    }
    at = end
  }
}

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
