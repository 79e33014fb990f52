/// A page's time: milliseconds of a steady local clock. What no clock shows, a NaN or beyond 30 000
/// years, counts as the last time that one did, so that everything that follows from it is finite.
struct LocalTime: Sendable {
  /// The last time, in milliseconds.
  private(set) var last = 0.0

  /// The time, or the last one in its place.
  mutating func plausible(_ now: Double) -> Double {
    if now >= 0 && now <= 1e15 { last = now }
    return last
  }
}
