/// Logarithm and powers from + − × ÷ alone, so that every machine gets the same bits.
///
/// The polynomial is a single-precision minimax fit that S. L. Moshier published with Cephes.
enum Powers {
  /// Natural logarithm of a normal positive number; error below 2e-7.
  static func logarithm(_ x: Float) -> Float {
    assert(x > 0)
    let bits = x.bitPattern
    var exponent = Int32(bits >> 23) - 126
    var mantissa = Float(bitPattern: bits & 0x007F_FFFF | 0x3F00_0000)
    if mantissa < 0.70710678 {
      exponent -= 1
      mantissa += mantissa
    }
    let z = mantissa - 1
    var p: Float = 7.0376836292e-2
    p = p * z - 1.1514610310e-1
    p = p * z + 1.1676998740e-1
    p = p * z - 1.2420140846e-1
    p = p * z + 1.4249322787e-1
    p = p * z - 1.6668057665e-1
    p = p * z + 2.0000714765e-1
    p = p * z - 2.4999993993e-1
    p = p * z + 3.3333331174e-1
    let e = Float(exponent)
    let tail = p * z * z * z - e * 2.12194440e-4 - 0.5 * z * z
    return z + tail + e * 0.693359375
  }

  /// `base` to the power of `exponent`, for a positive base, and at most e to the power of ±87; the
  /// usual exponents are exact.
  static func power(_ base: Float, _ exponent: Float) -> Float {
    if exponent == 0 { return 1 }
    if exponent == 1 { return base }
    if exponent == -1 { return 1 / base }
    if exponent == -2 { return 1 / (base * base) }
    return DeterministicMath.exponential((exponent * logarithm(base)).brought(within: 87))
  }
}
