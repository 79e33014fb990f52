import Histogram

/// What a run of bots found. Printed as one JSON object.
public struct BotReport: Encodable, Sendable {
  /// Clients that were welcomed at least once.
  public internal(set) var connected = 0
  /// State frames and keyframes decoded, or ticks of the log carried out.
  public internal(set) var frames = 0
  /// Of these, frames in which nothing happened and which came together with a later one.
  public internal(set) var held = 0
  /// Frames that were left out and announced as skipped.
  public internal(set) var skipped = 0
  /// Ticks that were neither delivered nor announced as skipped. None is right.
  public internal(set) var gaps = 0
  /// Payload bits of all messages received, by client and second.
  public internal(set) var kbitPerSPerClient = 0.0
  /// From a tick's deadline (by clock echo) to its frame decoded, in milliseconds.
  public internal(set) var latencyP50Ms = 0.0
  public internal(set) var latencyP99Ms = 0.0
  /// State hashes compared with the server's: none in the state stream. A mismatch is also an
  /// error.
  public internal(set) var hashesCompared = 0
  public internal(set) var mismatches = 0
  /// Keyframes, or snapshots of those who follow the log.
  public internal(set) var keyframes = 0
  /// Keyframes asked for after frames that had to be refused. None is right.
  public internal(set) var keyframeRequests = 0
  /// Connections that failed or were closed by the server, malformed frames, impossible states.
  public internal(set) var errors = 0
  /// The first errors, in words.
  public internal(set) var messages: [String] = []
  /// Ticks by the server's clock and seconds by ours, between the first clock echo and the last.
  public internal(set) var ticks = 0.0
  public internal(set) var elapsedS = 0.0
  /// By how many seconds the round trips of those two leave it open when the server answered.
  public internal(set) var clockErrorS = 0.0
  /// Commands and tilt samples sent.
  public internal(set) var sent = 0
  /// Connections that were left and made anew, as asked for.
  public internal(set) var reconnects = 0
  /// How often bots were told that the server ends.
  public internal(set) var restarts = 0
  /// Of these, how many came back as who they were, how many as somebody else, and how many were
  /// not back at the end of the run.
  public internal(set) var resumed = 0
  public internal(set) var lost = 0
  public internal(set) var away = 0
  /// Attempts to come back that found nobody, or were refused.
  public internal(set) var retries = 0
  /// From being told to being welcomed again, in milliseconds: half of them, 99 of 100, the last.
  public internal(set) var returnP50Ms = 0.0
  public internal(set) var returnP99Ms = 0.0
  public internal(set) var returnMaxMs = 0.0
  /// Bodies in the last frame.
  public internal(set) var bodies = 0

  /// A run is good when everybody was welcomed, nothing went wrong, and whoever was told that the
  /// server ends is back as who they were.
  public func isGood(for options: BotOptions) -> Bool {
    connected == options.count && errors == 0 && gaps == 0 && mismatches == 0 && frames > 0
      && lost == 0 && away == 0
  }

  private static let mostMessages = 10

  mutating func failed(_ message: String) {
    errors += 1
    if messages.count < Self.mostMessages { messages.append(message) }
  }
}

/// The figures of a run while it goes on.
struct BotTally {
  var report = BotReport()
  var payloadBytes = 0
  /// How often both worlds of a bot were left in a folder, or could not be: a program that is wrong
  /// everywhere fills no disk.
  var dumps = 0
  static let mostDumps = 20
  /// Microseconds, up to a minute.
  private var latency = Histogram<UInt64>(
    lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: .three)

  /// Milliseconds, up to ten minutes.
  private var returns = Histogram<UInt64>(
    lowestDiscernibleValue: 1, highestTrackableValue: 600_000,
    numberOfSignificantValueDigits: .three)

  mutating func record(returnNanoseconds: UInt64) {
    returns.record(min(returnNanoseconds / 1_000_000, 600_000))
  }

  mutating func record(latencyNanoseconds: Double) {
    // The clock estimate errs by up to half a round trip: a frame may seem early.
    latency.record(UInt64(min(max(latencyNanoseconds / 1000, 0), 60_000_000)))
  }

  mutating func finish(clients: Int, seconds: Double) -> BotReport {
    report.kbitPerSPerClient = Double(payloadBytes) * 8 / 1000 / Double(clients) / seconds
    report.latencyP50Ms = Double(latency.valueAtPercentile(50)) / 1000
    report.latencyP99Ms = Double(latency.valueAtPercentile(99)) / 1000
    report.returnP50Ms = Double(returns.valueAtPercentile(50))
    report.returnP99Ms = Double(returns.valueAtPercentile(99))
    report.returnMaxMs = Double(returns.max)
    return report
  }
}
