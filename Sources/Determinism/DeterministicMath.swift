/// Sine, cosine, arc tangent and exponential from + − × ÷ alone, so that every machine gets the
/// same bits.
///
/// The polynomials are the single-precision minimax fits that S. L. Moshier published with Cephes.
public enum DeterministicMath {
  /// π as the nearest `Float`.
  @inlinable public static var pi: Float { 3.14159265 }

  /// Angles beyond this many radians have lost their phase in single precision anyway.
  @inlinable static var angleLimit: Float { 100_000 }

  /// Sine of an angle in radians. Error below 2e-7 for |angle| ≤ 100; 0 outside ±100 000 or for
  /// NaN.
  @inlinable
  public static func sine(_ angle: Float) -> Float {
    let (quadrant, rest) = reduce(angle)
    switch quadrant & 3 {
    case 0: return sinePolynomial(rest)
    case 1: return cosinePolynomial(rest)
    case 2: return -sinePolynomial(rest)
    default: return -cosinePolynomial(rest)
    }
  }

  /// Cosine of an angle in radians. Error below 2e-7 for |angle| ≤ 100; 1 outside ±100 000 or for
  /// NaN.
  @inlinable
  public static func cosine(_ angle: Float) -> Float {
    let (quadrant, rest) = reduce(angle)
    switch quadrant & 3 {
    case 0: return cosinePolynomial(rest)
    case 1: return -sinePolynomial(rest)
    case 2: return -cosinePolynomial(rest)
    default: return sinePolynomial(rest)
    }
  }

  /// Both of an angle in radians, to the bit as `sine` and `cosine` have them, in little more time
  /// than one.
  @inlinable
  public static func sineAndCosine(_ angle: Float) -> (sine: Float, cosine: Float) {
    let (quadrant, rest) = reduce(angle)
    let (s, c) = (sinePolynomial(rest), cosinePolynomial(rest))
    switch quadrant & 3 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    default: return (-c, s)
    }
  }

  /// The angle of the direction (x, y) in −π…π radians. Error below 4e-7; (0, 0) gives 0.
  @inlinable
  public static func arcTangent(y: Float, x: Float) -> Float {
    let ax = x < 0 ? -x : x
    let ay = y < 0 ? -y : y
    if !(ax > 0) && !(ay > 0) { return 0 }
    let steep = ay > ax
    let ratio = steep ? ax / ay : ay / ax
    var angle = arcTangentPolynomial(ratio)
    if steep { angle = pi * 0.5 - angle }
    if x < 0 { angle = pi - angle }
    return y < 0 ? -angle : angle
  }

  /// e to the power x, for x in −87…88: from 1.6e-38, near the smallest normal `Float`, to 1.7e38.
  /// Relative error below 2e-7. Below −87, and for NaN, it is 0; above 88 it stays what it is at
  /// 88.
  @inlinable
  public static func exponential(_ x: Float) -> Float {
    guard x >= -87 else { return 0 }
    let bounded = x < 88 ? x : 88
    let turns = bounded * 1.44269504
    let whole = Int32(turns + (turns < 0 ? -0.5 : 0.5))
    assert(whole > -127 && whole < 128, "the power has an exponent")
    let k = Float(whole)
    let r = (bounded - k * 0.693359375) - k * -2.12194440e-4
    var y = ((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2
    y = ((y * r + 1.6666665459e-1) * r + 5.0000001201e-1) * r * r + r + 1
    return y * Float(bitPattern: UInt32(bitPattern: (whole + 127) << 23))
  }

  /// Splits an angle into a quarter-turn count and a rest in −π/4…π/4.
  @inlinable
  static func reduce(_ angle: Float) -> (quadrant: Int32, rest: Float) {
    guard angle > -angleLimit, angle < angleLimit else { return (0, 0) }
    let turns = angle * 0.636619772
    let quadrant = Int32(turns + (turns < 0 ? -0.5 : 0.5))
    let q = Float(quadrant)
    // π/2 in three parts, each short enough that its product with a small whole number is exact.
    let rest = ((angle - q * 1.5703125) - q * 4.837512969970703125e-4) - q * 7.54978995489188216e-8
    assert(abs(rest) < 0.8, "the rest is at most an eighth of a turn")
    return (quadrant, rest)
  }

  @inlinable
  static func sinePolynomial(_ x: Float) -> Float {
    let z = x * x
    return ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1) * z * x + x
  }

  @inlinable
  static func cosinePolynomial(_ x: Float) -> Float {
    let z = x * x
    let tail = (2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2
    return tail * z * z - 0.5 * z + 1
  }

  /// Arc tangent of a ratio in 0…1.
  @inlinable
  static func arcTangentPolynomial(_ ratio: Float) -> Float {
    let folded = ratio > 0.414213562
    let x = folded ? (ratio - 1) / (ratio + 1) : ratio
    let z = x * x
    let series = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z
    let angle = (series - 3.33329491539e-1) * z * x + x
    return folded ? angle + pi * 0.25 : angle
  }
}
