/// The name of an item: its slot, and how often the slot had been used before.
///
/// A new item takes the lowest free slot, so numbers stay small and the same on every machine.
@frozen
public struct ItemID: Hashable, Sendable, BitwiseCopyable {
  /// The place in the animator's list, 0-based.
  public let slot: UInt16
  /// Counts the items that had this slot before, modulo 65 536.
  public let generation: UInt16

  /// A name from its two parts, as a message carried them.
  @inlinable
  public init(slot: UInt16, generation: UInt16) {
    self.slot = slot
    self.generation = generation
  }

  /// A name from a word, the slot in its upper half.
  @inlinable @inline(__always)
  package init(word: UInt32) {
    self.init(
      slot: UInt16(truncatingIfNeeded: word >> 16), generation: UInt16(truncatingIfNeeded: word))
  }
}
