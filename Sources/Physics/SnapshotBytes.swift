/// Appends plain values to a snapshot, little endian.
struct SnapshotWriter {
  var bytes: [UInt8]

  mutating func put<T: BitwiseCopyable>(_ value: T) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ v: Vector2) {
    put(v.x)
    put(v.y)
  }
}

/// Takes plain values from a snapshot, never past its end.
struct SnapshotReader {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  mutating func take<T: BitwiseCopyable>(_ type: T.Type) throws(PhysicsError) -> T {
    let size = MemoryLayout<T>.size
    guard offset + size <= bytes.count else { throw .malformedSnapshot }
    let value = bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    offset += size
    return value
  }

  mutating func vector() throws(PhysicsError) -> Vector2 {
    let x = try take(Float.self)
    let y = try take(Float.self)
    return Vector2(x, y)
  }
}

/// FNV-1a over 32-bit words, 64 bits wide.
struct StateHasher {
  var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ word: UInt32) { value = (value ^ UInt64(word)) &* 0x100_0000_01B3 }

  @inline(__always)
  mutating func add(_ number: Float) { add(number.bitPattern) }

  mutating func add(_ v: Vector2) {
    add(v.x)
    add(v.y)
  }
}
