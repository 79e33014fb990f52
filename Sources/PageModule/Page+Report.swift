import Simulation
import Wire

/// What the page tells those who run the server: how well it foresees the world.
extension Page {
  /// Milliseconds between two reports: a sixth of what a monitoring system's minute shows.
  private static let reportInterval = 10_000.0

  /// What was counted until now.
  private var counted: PredictionCounts? {
    guard let follower, let predicted = follower.prediction?.statistics else { return nil }
    return PredictionCounts(
      rollbacks: predicted.rollbacks, replayedTicks: predicted.replayed,
      corrections: follower.statistics.corrections, wrongWorlds: follower.statistics.diverged)
  }

  /// Writes a report, if it is time for one and there is something to tell.
  /// - Returns: the length of the message, 0 for none.
  func report(now: Double) -> Int32 {
    guard let counted else { return 0 }
    guard let due = nextReport else {
      nextReport = now + Page.reportInterval
      return 0
    }
    guard now >= due else { return 0 }
    nextReport = now + Page.reportInterval
    let report = counted.since(reported)
    reported = counted
    return report == ClientReport() ? 0 : send(.report(report))
  }
}

/// Counts of a prediction since it began.
struct PredictionCounts {
  var rollbacks: UInt32 = 0
  var replayedTicks: UInt32 = 0
  var corrections: UInt32 = 0
  var wrongWorlds: UInt32 = 0

  /// What was counted since `before`. A count that is smaller now began anew, with another world.
  func since(_ before: PredictionCounts) -> ClientReport {
    ClientReport(
      rollbacks: Self.since(before.rollbacks, rollbacks),
      replayedTicks: Self.since(before.replayedTicks, replayedTicks),
      corrections: Self.since(before.corrections, corrections),
      wrongWorlds: Self.since(before.wrongWorlds, wrongWorlds))
  }

  private static func since(_ before: UInt32, _ now: UInt32) -> UInt16 {
    UInt16(clamping: now < before ? now : now - before)
  }
}
