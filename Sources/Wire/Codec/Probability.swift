/// The chance that a bit is 1, learnt at two rates: one follows what happens now, the other knows
/// how it usually is, and the coder takes their mean.
struct Probability {
  /// Moves 1/16 of the way with every bit.
  private var quick: UInt16
  /// Moves 1/128 of the way with every bit.
  private var slow: UInt16

  /// Both rates start at `start` / 65 536.
  init(_ start: UInt16 = 32_768) {
    quick = start
    slow = start
  }

  /// The chance in 1/65 536, kept away from certainty: no bit costs more than 11 bits.
  @inline(__always)
  var ofOne: UInt32 {
    let mean = (UInt32(quick) &+ UInt32(slow)) &>> 1
    return mean < 32 ? 32 : mean > 65_504 ? 65_504 : mean
  }

  @inline(__always)
  mutating func learn(_ bit: Int) {
    if bit != 0 {
      quick &+= (65_535 &- quick) &>> 4
      slow &+= (65_535 &- slow) &>> 7
    } else {
      quick &-= quick &>> 4
      slow &-= slow &>> 7
    }
  }
}
