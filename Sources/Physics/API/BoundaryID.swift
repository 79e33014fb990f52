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
