import Histogram

/// The figures of a run while it goes on.
struct BotTally {
  var report = BotReport()
  var payloadBytes = 0
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
