// Which tick a picture shows: one that runs steadily, as far behind as frames arrive late.

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

/// When frames arrive: how far a client must stay behind so that the next frame is nearly always
/// there.
///
/// All figures are arrivals less the tick's own time, in local milliseconds: the local time at
/// which tick 0's frame would have come if it had taken as long. Differences of them are delays, so
/// no knowledge of the server's clock is needed, and a clock that drifts is followed.
struct ArrivalDelay: Sendable {
  /// Frames that are looked back on: 2 s at 60 Hz, long enough to meet a phone's radio pauses.
  private static let kept = 120
  /// Frames between two looks; sorting is the only cost.
  private static let pause = 8
  /// Longest delay behind the quickest frame, in milliseconds: beyond that, a stutter is the
  /// smaller harm.
  private static let longest = 500.0

  private var offsets: [Double] = []
  private var sorted: [Double] = []
  private var next = 0
  private var untilLook = 0

  /// The offset that all but 3 % of the frames keep to.
  private(set) var offset = 0.0
  /// Spread of the offsets: that one less the quickest frame's.
  private(set) var jitter = 0.0

  /// Takes in that the frame of the tick at `place` came at `now`.
  mutating func receive(frameAt place: Double, now: Double) {
    let arrived = now - place * ServerClock.tickLength
    if offsets.count < ArrivalDelay.kept {
      offsets.append(arrived)
    } else {
      offsets[next] = arrived
    }
    next = (next + 1) % ArrivalDelay.kept
    untilLook -= 1
    if untilLook <= 0 || offsets.count < ArrivalDelay.pause { look() }
  }

  private mutating func look() {
    untilLook = ArrivalDelay.pause
    sorted.removeAll(keepingCapacity: true)
    sorted.append(contentsOf: offsets)
    sorted.sort()
    let spread = sorted[(sorted.count - 1) * 97 / 100] - sorted[0]
    assert(spread >= 0)
    jitter = spread
    offset = sorted[0] + (spread > ArrivalDelay.longest ? ArrivalDelay.longest : spread)
  }
}
