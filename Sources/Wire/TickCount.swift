/// How ticks are counted: by the low 32 bits of their number, which begin anew after 828 days. So
/// ticks are never compared by size, and never added to but by what is here or by `&+` and `&-`.
extension UInt32 {
  /// The tick after this one.
  @inlinable
  package var nextTick: UInt32 { self &+ 1 }

  /// How many ticks this one comes after another; negative if it comes before it. Right for ticks
  /// within a year of each other.
  @inlinable
  package func ticks(since other: UInt32) -> Int { Int(Int32(bitPattern: self &- other)) }
}

/// Gives each tick a place on a line that goes on where the ticks' numbers begin anew, for whoever
/// reckons with times and fractions of ticks. The first tick's place is its number.
package struct TickLine: Sendable {
  private var last: (tick: UInt32, place: Double)?

  package init() {}

  /// The place of a tick that is within a year of the tick before.
  package mutating func place(of tick: UInt32) -> Double {
    let place = last.map { $0.place + Double(tick.ticks(since: $0.tick)) } ?? Double(tick)
    last = (tick, place)
    return place
  }
}
