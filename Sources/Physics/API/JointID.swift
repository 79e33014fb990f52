/// The name of a joint: its slot, and how often the slot had been used before.
@frozen
public struct JointID: Hashable, Sendable, BitwiseCopyable {
  /// The place in the world's list, 0-based.
  public let slot: UInt16
  /// Counts the joints that had this slot before, modulo 65 536.
  public let generation: UInt16

  /// A name from its two parts.
  @inlinable
  public init(slot: UInt16, generation: UInt16) {
    self.slot = slot
    self.generation = generation
  }
}
