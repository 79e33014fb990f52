/// How ticks are counted: by the low 32 bits of their number, which begin anew after 828 days. So
/// ticks are never compared by size, and never added to but by what is here or by `&+` and `&-`.
extension UInt32 {
  /// The tick after this one.
  var nextTick: UInt32 { self &+ 1 }

  /// How many ticks this one comes after another; negative if it comes before it. Right for ticks
  /// within a year of each other.
  func ticks(since other: UInt32) -> Int { Int(Int32(bitPattern: self &- other)) }
}
