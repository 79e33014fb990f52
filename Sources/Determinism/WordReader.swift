/// Takes the words of a snapshot back, never past their end: what the readers of all snapshots have
/// in common. Each throws the error of its own module.
///
/// What is larger than any `Int` of 32 bits is a word like others: nothing here is converted before
/// it is known to fit.
@usableFromInline
package protocol WordReader {
  /// What the reader throws.
  associatedtype Failure: Error

  /// Says that these bytes are no snapshot.
  static var malformed: Failure { get }

  /// The whole snapshot, which outlives the reader.
  var bytes: UnsafeRawBufferPointer { get }

  /// How many bytes were taken: 0…`bytes.count`.
  var offset: Int { get set }
}

extension WordReader {
  /// Whether all bytes were taken.
  @inlinable
  package var isAtEnd: Bool { offset == bytes.count }

  /// What was not taken yet.
  @inlinable
  package var left: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

  /// Fails unless this many bytes are left.
  @inlinable
  package func require(_ count: Int) throws(Failure) {
    // Neither is negative, and the offset never gets past the end.
    guard count >= 0, count <= bytes.count &- offset else { throw Self.malformed }
  }

  /// Takes bytes that are there.
  @inlinable
  package mutating func skip(_ count: Int) {
    assert(count >= 0 && count <= bytes.count - offset, "whoever skips has asked for it")
    offset += count
  }

  /// The next value, whose presence `require` has made sure of.
  @inlinable @inline(__always)
  package mutating func next<T: BitwiseCopyable>(_ type: T.Type) -> T {
    assert(MemoryLayout<T>.size <= bytes.count - offset, "whoever reads has asked for it")
    let value = bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    offset &+= MemoryLayout<T>.size
    return value
  }

  /// The next whole number, as it lies in memory.
  @inlinable @inline(__always)
  package mutating func take<T: BitwiseCopyable & FixedWidthInteger>(
    _ type: T.Type
  ) throws(Failure) -> T {
    try require(MemoryLayout<T>.size)
    return next(T.self)
  }

  /// The next word; its low byte comes first.
  @inlinable @inline(__always)
  package mutating func word() throws(Failure) -> UInt32 {
    let word = try take(UInt32.self)
    return UInt32(littleEndian: word)
  }

  /// A word of at most `limit`.
  @inlinable
  package mutating func word(upTo limit: UInt32) throws(Failure) -> UInt32 {
    let word = try self.word()
    guard word <= limit else { throw Self.malformed }
    return word
  }

  /// A word, if the one before it says that there is one.
  @inlinable
  package mutating func optionalWord() throws(Failure) -> UInt32? {
    let isThere = try self.word(upTo: 1) == 1
    let word = try self.word()
    return isThere ? word : nil
  }

  /// 64 bits, of which the low half comes first.
  @inlinable
  package mutating func wide() throws(Failure) -> UInt64 {
    let low = try word()
    let high = try word()
    return UInt64(low) | UInt64(high) << 32
  }

  /// A number of at most `limit` either way; what is no number fails too.
  @inlinable
  package mutating func number(within limit: Float) throws(Failure) -> Float {
    let number = Float(bitPattern: try word())
    guard number >= -limit, number <= limit else { throw Self.malformed }
    return number
  }

  /// A count of things of which each takes at least `size` bytes of what is left.
  @inlinable
  package mutating func count(of size: Int) throws(Failure) -> Int {
    assert(size > 0)
    let word = try self.word()
    guard let count = Int(exactly: word), count <= (bytes.count - offset) / size else {
      throw Self.malformed
    }
    return count
  }

  /// As many of the next bytes as the word before them says.
  @inlinable
  package mutating func block() throws(Failure) -> UnsafeRawBufferPointer {
    let count = try self.count(of: 1)
    let block = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    skip(count)
    return block
  }
}
