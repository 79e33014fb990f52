import Wire

/// What a client knows of the server's clock, from the echoes of its own questions.
struct BotClock {
  private struct Echo {
    /// When the answer came, in local nanoseconds.
    let local: UInt64
    /// The server's time at that moment: a tick, and nanoseconds past its deadline.
    let tick: UInt32
    let past: Double
    let roundTrip: UInt64
  }

  static let nanosecondsPerTick = 1e9 / 60

  private var best: Echo?
  private var first: Echo?
  private var last: Echo?

  /// Takes an answer in.
  /// - Parameters:
  ///   - sent, now: local nanoseconds of question and answer.
  ///   - tick, microseconds: what the server said.
  mutating func answered(sent: UInt64, now: UInt64, tick: UInt32, microseconds: UInt32) {
    let roundTrip = now - min(sent, now)
    let past = Double(microseconds) * 1000 + Double(roundTrip) / 2
    let echo = Echo(local: now, tick: tick, past: past, roundTrip: roundTrip)
    if best == nil || roundTrip <= best!.roundTrip { best = echo }
    if first == nil { first = echo }
    last = echo
  }

  /// Local nanoseconds at which a tick was due; nil before the first answer.
  func deadline(of tick: UInt32) -> Double? {
    guard let best else { return nil }
    let ticks = Double(tick.ticks(since: best.tick))
    return Double(best.local) - best.past + ticks * Self.nanosecondsPerTick
  }

  /// Ticks that the server's clock advanced and seconds that the local one did, between the first
  /// answer and the last; and by how many seconds that may be wrong, as nobody knows on which half
  /// of a round trip its time was spent.
  var span: (ticks: Double, seconds: Double, error: Double)? {
    guard let first, let last, last.local > first.local else { return nil }
    return (
      Double(last.tick.ticks(since: first.tick)) + (last.past - first.past)
        / Self.nanosecondsPerTick,
      Double(last.local - first.local) / 1e9,
      Double(first.roundTrip + last.roundTrip) / 2e9
    )
  }
}
