// Lane-wise helpers. The operators for masks and `replace(with:where:)` become loops over lanes on
// plain x86-64; arithmetic on the bits stays in vector registers. And what depends on a body's
// motion is chosen by arithmetic rather than by a branch, which would be foreseen wrongly as often
// as not and then cost as much as fifty instructions.

/// |v|, lane by lane.
@inline(__always)
func magnitude(_ v: SIMD8<Double>) -> SIMD8<Double> {
  let bits = unsafeBitCast(v, to: SIMD8<UInt64>.self)
  return unsafeBitCast(bits & SIMD8(repeating: 0x7FFF_FFFF_FFFF_FFFF), to: SIMD8<Double>.self)
}

/// |v|, lane by lane.
@inline(__always)
func magnitude(_ v: SIMD4<Double>) -> SIMD4<Double> {
  let bits = unsafeBitCast(v, to: SIMD4<UInt64>.self)
  return unsafeBitCast(bits & SIMD4(repeating: 0x7FFF_FFFF_FFFF_FFFF), to: SIMD4<Double>.self)
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

/// |v|, without a branch.
@inline(__always)
func magnitude(_ v: Int32) -> Int32 { negated(v, signBit(v)) }

/// `v` in the lanes where `mask` is set, 0 elsewhere.
@inline(__always)
func masked(_ v: SIMD4<Double>, _ mask: SIMD4<UInt64>) -> SIMD4<Double> {
  unsafeBitCast(unsafeBitCast(v, to: SIMD4<UInt64>.self) & mask, to: SIMD4<Double>.self)
}

/// 1 / v, lane by lane, for powers of two: the same exponents with the other sign.
@inline(__always)
func inverse(ofPowers v: SIMD4<Double>) -> SIMD4<Double> {
  let bits = unsafeBitCast(v, to: SIMD4<UInt64>.self)
  return unsafeBitCast(SIMD4(repeating: 0x7FE0_0000_0000_0000) &- bits, to: SIMD4<Double>.self)
}

/// The largest integers not above the lanes of `v`, for |v| < 2⁵¹.
@inline(__always)
func floor(_ v: SIMD4<Double>) -> SIMD4<Double> {
  let nearest = v + wholesFrom - wholesFrom
  return nearest - masked(SIMD4(repeating: 1), negativeLanes(v - nearest))
}

/// The lanes of `v`, which are integers of 32 bits.
@inline(__always)
func wholes(_ v: SIMD4<Double>) -> SIMD4<Int32> {
  unsafeBitCast(v + wholesFrom, to: SIMD8<Int32>.self).evenHalf
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

/// How many are true, without a branch.
@inline(__always)
func countTrue(_ a: Bool, _ b: Bool, _ c: Bool) -> Int {
  (a ? 1 : 0) &+ (b ? 1 : 0) &+ (c ? 1 : 0)
}

/// 1 if `v` is negative, else 0, without a branch.
@inline(__always)
func signBit(_ v: Double) -> Int {
  Int(truncatingIfNeeded: v.bitPattern &>> 63)
}

/// 1 if `v` is negative, else 0, without a branch.
@inline(__always)
func signBit(_ v: Int32) -> Int {
  Int(v &>> 31) & 1
}

/// −v if `sign` is 1, v if it is 0, without a branch.
@inline(__always)
func negated(_ v: Int32, _ sign: Int) -> Int32 {
  let all = 0 &- Int32(truncatingIfNeeded: sign)
  return (v ^ all) &- all
}

/// Bits needed to write `v`, 0 for 0; at most `top`.
@inline(__always)
func bitLevel(_ v: Int32, top: Int) -> Int {
  let bits = 32 &- v.leadingZeroBitCount
  return bits > top ? top : bits
}

/// Half octaves of `v` above 1: 0 below 2, 2 from 2, 3 from 3, 4 from 4, 5 from 6; at most `top`.
@inline(__always)
func halfOctaves(_ v: Double, top: Int) -> Int {
  // A double's exponent and the highest bit below its first one, with 1.0 at 0.
  let level = Int(truncatingIfNeeded: Int64(bitPattern: v.bitPattern) &>> 51) &- 2046
  return level > top ? top : level < 2 ? 0 : level
}
