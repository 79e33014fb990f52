import Wire

/// A world that a client keeps between two connections, so that the log may lead it on instead of a
/// snapshot. Times are milliseconds of a steady local clock.
public struct KeptWorld: Sendable {
  /// The world after the last record that came.
  public let replica: Replica
  /// When that was.
  private let time: Double
  /// Milliseconds that a tick takes here.
  private let cost: Double

  /// Keeps the world of a client that followed the log until `time`. Nil for what is not worth
  /// keeping: there is no world, or it is not the server's.
  public init?(_ follower: PredictedPlayback, at time: Double?) {
    guard let time, let replica = follower.prediction?.replica, !replica.hasDiverged else {
      return nil
    }
    self.replica = replica
    self.time = time
    cost = follower.budget.cost
  }

  /// Whether it is sooner caught up by running the ticks since than by a snapshot, which comes
  /// within half a second. What the log keeps is half a minute, of which the ways of the hello and
  /// of the last record take some.
  public func isWorthIt(now: Double) -> Bool {
    let ticks = (now - time) / ServerClock.tickLength
    return ticks < Double(TickRecord.mostInMessage - Self.ticksOfTheWays)
      && ticks * (cost > 0 ? cost : 1) < 400
  }

  /// Whether a server at that tick may have made the world. One that is far behind it is another
  /// server: tokens may outlive one, worlds don't. Its threads are less than a second apart.
  public func isTime(_ tick: UInt32) -> Bool {
    tick.ticks(since: replica.pit.tick) > -60
  }

  /// Half a second: whose link is slower gets a snapshot instead, which costs no more.
  private static let ticksOfTheWays = 30
}
