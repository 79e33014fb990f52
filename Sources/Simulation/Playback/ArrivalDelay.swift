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
