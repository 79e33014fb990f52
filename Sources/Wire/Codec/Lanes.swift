// Lane-wise helpers. The operators for masks and `replace(with:where:)` become loops over lanes on
// plain x86-64; arithmetic on the bits stays in vector registers.

/// |v|, lane by lane.
@inline(__always)
func magnitude(_ v: SIMD8<Double>) -> SIMD8<Double> {
  let bits = unsafeBitCast(v, to: SIMD8<UInt64>.self)
  return unsafeBitCast(bits & SIMD8(repeating: 0x7FFF_FFFF_FFFF_FFFF), to: SIMD8<Double>.self)
}

/// All bits set in the lanes where `v` is negative, none elsewhere.
@inline(__always)
func negativeLanes(_ v: SIMD4<Double>) -> SIMD4<UInt64> {
  unsafeBitCast(unsafeBitCast(v, to: SIMD4<Int64>.self) &>> 63, to: SIMD4<UInt64>.self)
}

/// The lanes of `a` where `mask` is set, those of `b` elsewhere.
@inline(__always)
func select(
  _ a: SIMD4<Double>, _ b: SIMD4<Double>, _ mask: SIMD4<UInt64>
) -> SIMD4<Double> {
  let first = unsafeBitCast(a, to: SIMD4<UInt64>.self) & mask
  let second = unsafeBitCast(b, to: SIMD4<UInt64>.self) & ~mask
  return unsafeBitCast(first | second, to: SIMD4<Double>.self)
}

/// The sum of all lanes: halves are added until one lane is left.
@inline(__always)
func sum(_ v: SIMD8<Double>) -> Double {
  let four = v.lowHalf + v.highHalf
  let two = four.lowHalf + four.highHalf
  return two[0] + two[1]
}

/// |v|, lane by lane.
@inline(__always)
func magnitude(_ v: SIMD4<Int32>) -> SIMD4<Int32> {
  let sign = v &>> 31
  return (v ^ sign) &- sign
}

/// The three axes' numbers as doubles.
@inline(__always)
func doubles(_ v: SIMD4<Int32>) -> SIMD4<Double> {
  SIMD4(Double(v[0]), Double(v[1]), Double(v[2]), 0)
}

/// The largest integer not above `v`, for |v| < 2⁵¹; wraps beyond 32 bits.
///
/// At 1.5 · 2⁵² a double's last bit counts one, so that adding it rounds and leaves the integer in
/// the low bits: no conversion, which is checked and branches.
@inline(__always)
func floorInt(_ v: Double) -> Int32 {
  let shifted = v + wholesFrom
  let nearest = Int32(truncatingIfNeeded: Int64(bitPattern: shifted.bitPattern))
  return shifted - wholesFrom > v ? nearest &- 1 : nearest
}

@inline(__always)
private var wholesFrom: Double { 6_755_399_441_055_744 }

/// Bits needed to write `v`, 0 for 0; at most `top`.
@inline(__always)
func bitLevel(_ v: Int32, top: Int) -> Int {
  let bits = 32 &- v.leadingZeroBitCount
  return bits > top ? top : bits
}

/// Half octaves of `v` above 1: 0 below 2, 2 from 2, 3 from 3, 4 from 4, 5 from 6; at most `top`.
@inline(__always)
func halfOctaves(_ v: Double, top: Int) -> Int {
  let whole = v < 1 ? 1 : v > 1_000_000 ? 1_000_000 : floorInt(v)
  let octave = 31 &- whole.leadingZeroBitCount
  let half = Int((whole &<< 1) &>> Int32(octave)) & 1
  let level = 2 &* octave &+ half
  return level > top ? top : level
}
