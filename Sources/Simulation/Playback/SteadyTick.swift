/// The tick that a picture shows, with its fraction. It runs at the server's speed, a little faster
/// or slower towards a goal that jumps about, and never backwards.
///
/// Ticks are places on a line that goes on where their numbers begin anew; times are milliseconds.
struct SteadyTick: Sendable {
  /// The place that is shown; nil before the first.
  private(set) var place: Double?
  private var lastTime = 0.0

  /// Part of the difference to the goal that is made up in a millisecond.
  private static let pull = 1.0 / 400
  /// Most by which the speed may differ from the server's: a quarter is not seen.
  private static let mostPull = 0.25
  /// Ticks behind the goal at which it is jumped to instead of caught up with.
  private static let jump = 30.0

  /// Moves on.
  /// - Parameters:
  ///   - goal: where it should be.
  ///   - start: where it may jump to at most.
  ///   - limit: where it stops.
  mutating func advance(
    towards goal: Double, startingUpTo start: Double, limit: Double, now: Double
  ) {
    let elapsed = now > lastTime ? now - lastTime : 0
    lastTime = now
    guard var tick = place, goal - tick < Self.jump else {
      let target = goal > start ? start : goal
      if let earlier = place, earlier > target { return }
      place = target
      return
    }
    let even = elapsed / ServerClock.tickLength
    let most = even * Self.mostPull
    tick += even + Self.bounded((goal - (tick + even)) * elapsed * Self.pull, -most, most)
    if tick > limit { tick = limit }
    if let earlier = place, tick < earlier { tick = earlier }
    assert(tick.isFinite)
    place = tick
  }

  /// Forgets where it was: another server's ticks follow.
  mutating func startAgain() {
    place = nil
  }

  static func bounded(_ value: Double, _ low: Double, _ high: Double) -> Double {
    assert(low <= high)
    return value < low ? low : value > high ? high : value
  }
}
