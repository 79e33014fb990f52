/// FNV-1a of 64 bits, by Fowler, Noll and Vo (RFC 9923), over words of any width up to 64 bits: the
/// hash of worlds, logs and streams. It finds accidents, not forgers.
///
/// A step takes different words to different values, whatever was before, and different values to
/// different ones, whatever word comes: so two states that differ in one word alone never have the
/// same hash. Each width and each kind of step gives another hash of the same bytes.
package struct FNVHash: Sendable {
  /// The hash of what was added so far.
  @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of nothing.
  @inlinable
  package init() {}

  /// Goes on from a value that another hash had, or begins at one of its own.
  @inlinable
  package init(value: UInt64) { self.value = value }

  /// The step of FNV-1a as it is published.
  @inlinable @inline(__always)
  package mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01B3 }

  /// Adds a word of 32 bits: as one of 64 whose high half is 0.
  @inlinable @inline(__always)
  package mutating func add(_ word: UInt32) { add(UInt64(word)) }

  /// Adds a byte: the hash of a run of bytes is the one that others compute.
  @inlinable @inline(__always)
  package mutating func add(_ byte: UInt8) { add(UInt64(byte)) }

  /// Adds a word and brings the high bits down, so that they count for the low bits of what
  /// follows. Multiplying alone only carries them up.
  @inlinable @inline(__always)
  package mutating func addFolded(_ word: UInt64) {
    add(word)
    value ^= value &>> 32
  }

  /// FNV-1a of 32 bits over bytes, which has constants of its own.
  package static func short(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }
}
