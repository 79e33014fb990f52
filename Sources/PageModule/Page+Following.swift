import Simulation
import Wire

/// Following the log: the page runs the world itself.
extension Page {
  /// Begins to follow after a welcome: with the world of the connection before, if this is the same
  /// person in the same world, or with nothing until a snapshot comes.
  func follow(_ welcome: Welcome) {
    let follower = PredictedPlayback(person: welcome.clientID)
    if let kept, hasToken(welcome.token), kept.isTime(welcome.tick) {
      follower.begin(kept.replica, after: lastCommand, now: now)
      recording.begin(kept.replica)
    }
    self.follower = follower
  }

  func take(snapshot message: UnsafeRawBufferPointer, now: Double) throws(WireError) {
    // It was on its way when the page chose the state stream, and means nothing any more.
    guard let follower else { return }
    do throws(ReplicaError) {
      try follower.begin(Array(message.dropFirst()), after: lastCommand, now: now)
    } catch {
      recovery.refused(now: now)
      throw Page.wireError(error)
    }
    divergence = follower.divergence ?? divergence
    recovery.taken()
    if let replica = follower.prediction?.replica { recording.begin(replica) }
    lastFrame = now
  }

  func take(records: UnsafeRawBufferPointer, now: Double) throws(WireError) {
    // Those that were on their way when the page chose the state stream mean nothing any more.
    guard let follower else { return }
    do throws(ReplicaError) {
      try follower.receive(records, now: now) { event, tick in take(event, at: tick) }
    } catch {
      recovery.refused(now: now)
      recording.removeAll()
      throw Page.wireError(error)
    }
    if let replica = follower.prediction?.replica { recording.append(records, leadingTo: replica) }
    lastFrame = now
  }

  /// What was left out is foretold no longer; all else shows in the log.
  func take(_ receipt: Receipt) {
    guard let welcome, let follower else { return }
    for command in receipt.commands where command.outcome == .leftOut {
      follower.leaveOut(welcome.commandsBefore &+ command.number)
    }
  }

  /// Asks for a kind of stream from now on; with the kind that it has, for its beginning.
  func change(to kind: StreamKind) {
    guard kind != self.kind else { return }
    self.kind = kind
    recovery = StreamRecovery()
    if kind == .state {
      follower = nil
      recording.removeAll()
      playback = Playback()
    } else if let welcome {
      follow(welcome)
    }
  }

  /// Seventeen doubles: ticks ahead of the log, the most there may be, ticks of input delay, ticks
  /// of lead, rollbacks, ticks run again, corrections that could be seen, the largest of them and
  /// the largest of late in points, own commands that came late, hashes that were equal, times that
  /// the world was wrong, whether it is now, milliseconds since it was, bytes of records,
  /// milliseconds that a tick takes, the tick in which the world was last found to be wrong. Nil
  /// with the state stream.
  var followingNumbers: [Double]? {
    guard let follower else { return nil }
    let counted = follower.statistics
    // Records that came since the last picture may be ahead of what it predicted.
    let ahead = follower.prediction?.ticksAhead ?? 0
    let predicted = follower.prediction?.statistics ?? PredictionStatistics()
    return [
      Double(ahead > 0 ? ahead : 0), Double(follower.budget.most),
      Double(follower.runAhead.inputDelay), follower.runAhead.lead, Double(predicted.rollbacks),
      Double(predicted.replayed), Double(counted.corrections),
      Double(counted.largestCorrection), Double(counted.recentCorrection),
      Double(predicted.lateTicks), Double(follower.prediction?.replica.hashesMatched ?? 0),
      Double(counted.diverged), counted.isDiverged ? 1 : 0, now - counted.lastDivergence,
      Double(counted.bytes), follower.budget.cost, Double(counted.divergedTick),
    ]
  }

  /// Writes both worlds of the last divergence where JavaScript reads them: the tick, where the
  /// page's world, the server's and the difference's name end, in four bytes each, then those
  /// three. Returns whether there are any.
  func writeDivergence() -> Bool {
    guard let divergence else { return false }
    var difference = divergence.difference
    return difference.withUTF8 { name in
      let mine = Page.divergenceHead + divergence.mine.count
      let servers = mine + divergence.servers.count
      let end = servers + name.count
      guard worlds.reserve(end) else { return false }
      let head = [divergence.tick, UInt32(mine), UInt32(servers), UInt32(end)]
      head.withUnsafeBytes { worlds.copy($0, at: 0) }
      divergence.mine.withUnsafeBytes { worlds.copy($0, at: Page.divergenceHead) }
      divergence.servers.withUnsafeBytes { worlds.copy($0, at: mine) }
      worlds.copy(UnsafeRawBufferPointer(name), at: servers)
      return true
    }
  }

  /// Bytes of the four numbers.
  static let divergenceHead = 16

  private func hasToken(_ other: SessionToken) -> Bool {
    for index in 0..<16 where token.bytes[index] != other.byte(at: index) { return false }
    return true
  }

  /// What the page is told: it needs the world whole, unless bytes could not be read.
  private static func wireError(_ error: ReplicaError) -> WireError {
    if case .malformedRecord(let error) = error { return error }
    return .noKeyframe
  }
}
