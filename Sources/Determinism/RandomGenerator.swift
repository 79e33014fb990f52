/// A seeded generator whose whole state is one number, so that it can live in a snapshot.
///
/// SplitMix64 (G. Steele, D. Lea, C. Flood 2014): passes BigCrush, one addition and two
/// multiplications a number, any seed is good.
@frozen
public struct RandomGenerator: Hashable, Sendable, BitwiseCopyable {
  /// The whole state; two generators with equal states give equal numbers for ever.
  public var state: UInt64

  /// A generator that repeats the same numbers for the same seed.
  @inlinable
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in 0..<1 on a lattice of 2⁻²⁴.
  @inlinable
  public mutating func nextFloat() -> Float {
    Float(UInt32(truncatingIfNeeded: next() >> 40)) * (1 / 16_777_216)
  }

  /// A number in `low`..<`high`.
  @inlinable
  public mutating func nextFloat(_ low: Float, _ high: Float) -> Float {
    low + (high - low) * nextFloat()
  }

  /// A whole number in 0..<`bound`; 0 when `bound` is 0. The bias is below 2⁻³² for 32-bit bounds.
  @inlinable
  public mutating func next(below bound: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
  }
}
