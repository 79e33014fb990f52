/// Velocities in two significant bits, as keyframes carry them: enough to predict one frame, after
/// which a client has seen the exact ones.
///
/// A code grows by 1 from each value to the next, and the negative ones mirror the positive: 0…3
/// stand for themselves, then 4 and 5 for 5 and 7 (each for two velocities), 6 and 7 for 10 and 14
/// (for four), and so on. None is off by more than a quarter.
enum CoarseVelocity {
  /// The code for `velocity`, |velocity| < 2³⁰.
  static func code(_ velocity: Int32) -> Int32 {
    let size = velocity < 0 ? -velocity : velocity
    guard size >= 4 else { return velocity }
    let shift = 30 &- Int32(size.leadingZeroBitCount)
    let code = shift &* 2 &+ size &>> shift
    return velocity < 0 ? -code : code
  }

  /// The velocity that `code` stands for: the middle of those that it is for.
  static func value(_ code: Int32) -> Int32 {
    let size = code < 0 ? -code : code
    guard size >= 4 else { return code }
    let limited = size < mostCode ? size : mostCode
    let shift = limited &>> 1 &- 1
    let velocity = (limited &- shift &* 2) &<< shift &+ (1 &<< shift) &>> 1
    return code < 0 ? -velocity : velocity
  }

  /// As fast as 2²⁴ steps a frame.
  private static let mostCode: Int32 = 49

  /// A velocity of three axes as it comes out of a keyframe.
  static func coarse(_ velocity: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(
      Double(value(code(floorInt(velocity[0])))), Double(value(code(floorInt(velocity[1])))),
      Double(value(code(floorInt(velocity[2])))), 0)
  }
}
