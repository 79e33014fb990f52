/// What a client of a stream has: all that an encoder must know of it.
///
/// Clients at equal positions take the same bytes.
public struct StreamPosition: Hashable, Sendable {
  /// The tick it has.
  public var tick: UInt32
  /// Whether the stream's next own frame fits.
  public var isInStep: Bool
  /// Whether it knows velocities only as keyframes carry them.
  public var isCoarse: Bool

  public init(tick: UInt32, isInStep: Bool, isCoarse: Bool = false) {
    self.tick = tick
    self.isInStep = isInStep
    self.isCoarse = isCoarse
  }
}
