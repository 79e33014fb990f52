/// From floating point to fixed point, the same way everywhere.
public enum Fixed {
  /// The nearest whole number, halves away from zero, within ±2²⁴; 0 for what is not a number.
  /// (`rounded()` may become a call into the C library.)
  public static func nearest(_ value: Float) -> Int32 {
    guard value == value else { return 0 }
    let limit: Float = 16_777_216
    let bounded = value < -limit ? -limit : value > limit ? limit : value
    return Int32(bounded < 0 ? bounded - 0.5 : bounded + 0.5)
  }

  /// The same in 16 bits, as messages have it; what lies beyond is the largest or smallest.
  public static func int16(_ value: Float) -> Int16 { Int16(clamping: nearest(value)) }
}
