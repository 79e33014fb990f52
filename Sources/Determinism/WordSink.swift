/// Takes the words of a state, to count, to keep or to hash them: one description of a state serves
/// all three, so that a hash covers what a snapshot holds.
@usableFromInline
package protocol WordSink {
  /// Takes a word.
  mutating func put(_ word: UInt32)
}

extension WordSink {
  @inlinable
  package mutating func put(_ number: Float) { put(number.bitPattern) }

  @inlinable
  package mutating func put(_ flag: Bool) { put(flag ? 1 : 0 as UInt32) }

  /// Takes the low 32 bits, which is all of a count.
  @inlinable
  package mutating func put(_ count: Int) { put(UInt32(truncatingIfNeeded: count)) }

  @inlinable
  package mutating func put(_ number: Int32) { put(UInt32(bitPattern: number)) }

  /// Takes 64 bits as two words, the low half first.
  @inlinable
  package mutating func put(_ wide: UInt64) {
    put(UInt32(truncatingIfNeeded: wide))
    put(UInt32(truncatingIfNeeded: wide >> 32))
  }
}

/// Counts the words, so that whoever keeps them knows how much room they take.
package struct WordCount: WordSink {
  /// Words so far, of four bytes each.
  @usableFromInline package var words = 0

  /// Begins at none.
  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package mutating func put(_ word: UInt32) { words += 1 }
}

/// Keeps the words, low bytes first, in memory that is large enough: much faster than to let an
/// array grow.
package struct WordWriter: WordSink {
  /// Where the next word goes.
  @usableFromInline package var at: UnsafeMutableRawPointer

  /// Writes from `start` on.
  @inlinable
  package init(_ start: UnsafeMutableRawPointer) { at = start }

  @inlinable @inline(__always)
  package mutating func put(_ word: UInt32) {
    at.storeBytes(of: word.littleEndian, as: UInt32.self)
    at += 4
  }

  /// Keeps bytes that `write` puts there, behind a word that says how many; `write` returns that.
  package mutating func put(
    atMost room: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let count = write(UnsafeMutableRawBufferPointer(start: at + 4, count: room))
    assert(count >= 0 && count <= room, "nobody writes past the room that there is")
    put(count)
    at += count
  }
}
