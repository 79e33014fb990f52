import Wire

/// What a client knows of the server's time: which tick the server is at, at a local moment.
///
/// Local times are milliseconds of any steady clock. An echo tells the server's time at a moment
/// between question and answer; the shorter the round trip, the less that leaves open, so of the
/// last echoes the quickest one decides. Before the first echo, the first frame's arrival stands
/// in.
public struct ServerClock: Sendable {
  /// Milliseconds of a tick.
  public static let tickLength = 1000.0 / 60

  private struct Echo {
    var roundTrip: Double
    /// Local time of tick 0 in milliseconds, by this echo.
    var origin: Double
  }

  /// The last echoes; more would keep a clock that drifts from being followed: one echo a second
  /// and 50 ppm are 1 ms in 20 s.
  private var echoes: [Echo] = []
  private var nextEcho = 0
  private var provisional: Double?
  /// Where the ticks' numbers begin anew, times go on.
  private var line = TickLine()

  private static let keptEchoes = 16

  public init() {}

  /// Local time of tick 0 in milliseconds; nil before anything came.
  public var origin: Double? {
    guard var best = echoes.first else { return provisional }
    for echo in echoes where echo.roundTrip < best.roundTrip { best = echo }
    return best.origin
  }

  /// The last round trip in milliseconds; 0 before the first echo.
  public private(set) var roundTrip = 0.0

  /// The tick, with its fraction, at which the server is at a local time.
  public func tick(at now: Double) -> Double? {
    guard let origin else { return nil }
    return (now - origin) / ServerClock.tickLength
  }

  /// Takes an echo in that was asked for at `sent` and came at `now`: the server was `microseconds`
  /// past the deadline of `tick`. Times out of order are ignored.
  public mutating func receive(tick: UInt32, microseconds: UInt32, sent: Double, now: Double) {
    guard now >= sent else { return }
    roundTrip = now - sent
    let serverTime = place(of: tick) * ServerClock.tickLength + Double(microseconds) / 1000
    let echo = Echo(roundTrip: roundTrip, origin: now - roundTrip / 2 - serverTime)
    if echoes.count < ServerClock.keptEchoes {
      echoes.append(echo)
    } else {
      echoes[nextEcho] = echo
    }
    nextEcho = (nextEcho + 1) % ServerClock.keptEchoes
    assert(echoes.count <= ServerClock.keptEchoes && roundTrip >= 0)
  }

  /// The tick's place on the line of ticks that all times here refer to.
  mutating func place(of tick: UInt32) -> Double { line.place(of: tick) }

  /// Takes the arrival of a frame in, which counts until the first echo.
  mutating func receive(frameAt place: Double, now: Double) {
    let origin = now - place * ServerClock.tickLength
    if let earlier = provisional, earlier <= origin { return }
    provisional = origin
  }
}

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

/// The stamp of a question for the server's clock, by which its echo is known again: a local time
/// in microseconds, the low 32 bits. Times are milliseconds of a steady local clock.
public enum ClockStamp {
  /// The stamp of a moment.
  public static func of(_ now: Double) -> UInt32 {
    guard now >= 0, now < 1e12 else { return 0 }
    return UInt32(truncatingIfNeeded: UInt64(now * 1000))
  }

  /// When the question with a stamp was asked: the latest such moment.
  public static func time(of stamp: UInt32, now: Double) -> Double {
    now - Double(of(now) &- stamp) / 1000
  }
}
