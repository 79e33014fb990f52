/// Takes the values of a world's state, to keep them or to hash them: one description serves both,
/// so the hash holds all that a snapshot does.
protocol SnapshotSink {
  mutating func put<T: BitwiseCopyable>(_ value: T)
  /// A run of values as they lie in memory.
  mutating func put<T: BitwiseCopyable>(_ values: UnsafeMutablePointer<T>, count: Int)
}

extension SnapshotSink {
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

  mutating func put<T: BitwiseCopyable>(_ values: UnsafeMutablePointer<T>, count: Int) {
    let size = count * MemoryLayout<T>.stride
    assert(self.count + size <= room, "the size of a snapshot was estimated too low")
    at.copyMemory(from: values, byteCount: size)
    at += size
  }
}
