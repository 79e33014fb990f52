/// Takes plain values from a snapshot, never past its end, and none that the world can't hold.
struct SnapshotReader: WordReader {
  typealias Failure = PhysicsError

  static var malformed: PhysicsError { .malformedSnapshot }

  let bytes: UnsafeRawBufferPointer
  var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// A finite number.
  @inline(__always)
  mutating func number() throws(PhysicsError) -> Float {
    let value = Float(bitPattern: try take(UInt32.self))
    guard value.isFinite else { throw .malformedSnapshot }
    return value
  }

  mutating func flag() throws(PhysicsError) -> Bool {
    let value = try take(UInt8.self)
    guard value <= 1 else { throw .malformedSnapshot }
    return value == 1
  }

  mutating func vector() throws(PhysicsError) -> Vector2 {
    let x = try number()
    let y = try number()
    return Vector2(x, y)
  }

  /// A count of things that take at least `size` bytes each, at most `limit`.
  mutating func count(ofSize size: Int, limit: Int) throws(PhysicsError) -> Int {
    let value = Int(try take(UInt32.self) & 0x7FFF_FFFF)
    guard value <= limit else { throw .malformedSnapshot }
    try require(value * size)
    return value
  }

  /// A run of values whose presence `require` has made sure of, to be read where it lies.
  mutating func block<T: BitwiseCopyable>(of type: T.Type, count: Int) -> SnapshotBlock<T> {
    assert(count * MemoryLayout<T>.size <= bytes.count - offset, "whoever reads has asked for it")
    let block = SnapshotBlock<T>(start: bytes.baseAddress! + offset)
    offset += count * MemoryLayout<T>.size
    return block
  }

  /// Copies a run of values whose presence `require` has made sure of.
  mutating func copy<T: BitwiseCopyable>(to values: UnsafeMutablePointer<T>, count: Int) {
    let size = count * MemoryLayout<T>.stride
    assert(size <= bytes.count - offset, "whoever reads has asked for it")
    UnsafeMutableRawPointer(values).copyMemory(
      from: bytes.baseAddress! + offset, byteCount: size)
    offset += size
  }

  /// A force and a torque.
  @inline(__always)
  mutating func push() throws(PhysicsError) -> Lanes {
    var push = Lanes.zero
    for lane in 0..<4 {
      push[lane] = try number()
      guard magnitude(push[lane]) <= SnapshotLimit.force else { throw .malformedSnapshot }
    }
    return push
  }

  /// As many impulses as a code says.
  @inline(__always)
  mutating func impulse(_ code: UInt8) throws(PhysicsError) -> Lanes {
    if code < SavedImpulse.two { return .zero }
    if code < SavedImpulse.four {
      try require(8)
      return Lanes(lowHalf: next(SIMD2<Float>.self), highHalf: .zero)
    }
    try require(16)
    return next(Lanes.self)
  }

  /// As many impulses as a code of a pair says, where the bytes of four are left.
  @inline(__always)
  mutating func part(of code: UInt8) -> Lanes {
    assert(MemoryLayout<Lanes>.size <= bytes.count - offset, "whoever reads has asked for it")
    let four = bytes.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
    offset &+= SavedImpulse.size(code)
    return SavedImpulse.part(code, of: four)
  }

  /// As many impulses as `code` says, of which only the high halves were written.
  mutating func shortImpulse(_ code: UInt8) throws(PhysicsError) -> Lanes {
    try require(2 * Int(code))
    var words = SIMD4<UInt32>()
    for i in 0..<Int(code) { words[i] = UInt32(next(UInt16.self)) << 16 }
    return lanes(words)
  }
}

/// A run of values in a snapshot, at whatever address.
struct SnapshotBlock<T: BitwiseCopyable> {
  fileprivate let start: UnsafeRawPointer

  @inline(__always)
  subscript(_ i: Int) -> T {
    start.loadUnaligned(fromByteOffset: i * MemoryLayout<T>.size, as: T.self)
  }
}
