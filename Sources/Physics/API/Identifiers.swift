/// The name of a body: its slot, and how often the slot had been used before.
///
/// A new body takes the lowest free slot, so numbers stay small and the same on every machine.
@frozen
public struct BodyID: Hashable, Sendable, BitwiseCopyable {
  /// The place in the world's list, 0-based.
  public let slot: UInt16
  /// Counts the bodies that had this slot before, modulo 65 536.
  public let generation: UInt16

  /// A name from its two parts, as a message carried them.
  @inlinable
  public init(slot: UInt16, generation: UInt16) {
    self.slot = slot
    self.generation = generation
  }
}

/// The name of a boundary: a number that the caller chooses.
@frozen
public struct BoundaryID: Hashable, Sendable, BitwiseCopyable {
  /// The caller's number.
  public let value: Int32

  /// A name from the caller's number.
  @inlinable
  public init(_ value: Int32) { self.value = value }
}

extension BoundaryID: ExpressibleByIntegerLiteral {
  /// A name from a number as it stands in the source.
  @inlinable
  public init(integerLiteral value: Int32) { self.value = value }
}

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
