import Wire

/// The predicted world as it is drawn: two ticks of it, one after the other.
struct PredictedFrames: Sendable {
  private(set) var earlier = WorldFrame()
  private(set) var latest = WorldFrame()
  /// Stickers as they were predicted before a rollback, and those of the same tick after it.
  private(set) var replaced = WorldFrame()
  private(set) var replacement = WorldFrame()

  /// Keeps the latest frame, to be compared with what takes its place.
  mutating func rememberReplaced() { replaced.keepBodies(of: latest) }

  /// The latest frame takes the place of the one that was remembered.
  mutating func rememberReplacement() { replacement.keepBodies(of: latest) }

  /// Takes the next tick.
  mutating func take(_ pit: borrowing Pit) {
    swap(&earlier, &latest)
    latest.take(pit)
  }

  /// The share of the way from the earlier to the latest.
  /// - Parameter behind: how many ticks what is shown is behind the latest.
  func share(behind ticks: Double) -> Float {
    let span = latest.tick.ticks(since: earlier.tick)
    guard span > 0 else { return 1 }
    return Float(SteadyTick.bounded(1 - ticks / Double(span), 0, 1))
  }
}
