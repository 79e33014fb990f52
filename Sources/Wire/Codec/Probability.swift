/// The chance that a bit is 1, learnt at two rates: one follows what happens now, the other knows
/// how it usually is, and the coder takes their mean.
struct Probability {
  /// The quick rate in the high half moves 1/16 of the way with every bit, the slow one in the low
  /// half 1/128: together they take half the instructions.
  private var rates: UInt32

  /// Both rates start at `start` / 65 536, 60…65 476 (as trained tables do).
  init(_ start: UInt16 = 32_768) {
    rates = UInt32(start) &* 0x1_0001
  }

  /// The chance in 1/65 536. Never nearer than 32 to certainty, which neither rate comes to: no bit
  /// costs more than 11 bits.
  @inline(__always)
  var ofOne: UInt32 {
    (rates &>> 16 &+ rates & 0xFFFF) &>> 1
  }

  /// Moves both rates towards `bit`.
  @inline(__always)
  mutating func learn(_ bit: Int) {
    assert(bit == 0 || bit == 1)
    // Towards 1 is towards 0 with every bit turned over.
    let turned = 0 &- UInt32(truncatingIfNeeded: bit)
    let way = rates ^ turned
    let quick = (way &>> 4) & 0x0FFF_0000
    let slow = (way & 0xFFFF) &>> 7
    rates = (way &- quick &- slow) ^ turned
  }
}
