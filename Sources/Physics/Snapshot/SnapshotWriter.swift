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
