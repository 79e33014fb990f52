import Simulation
import TickLog
import Wire

/// Finding the world and following its log.
extension ClusterMember {
  /// Ticks of the log that a member carries out one after the other: ten seconds of them take up to
  /// a quarter of a second at 1000 bodies. Behind by more it takes the newest kept world, which is
  /// `keepInterval` old at most.
  static let mostReplayed = 600

  // MARK: A world to begin with

  /// Asks for the newest world, when it is time.
  func askWorld(_ since: UInt64, _ now: UInt64) {
    if edge == nil, now - since > Self.patience {
      return fail(
        isConnected ? .noWorld(settings.world) : .unreachable(settings.world, why: "no answer"))
    }
    guard now - min(worldAskedAt, now) > Self.pause else { return }
    worldAskedAt = now
    link.askWorld(token: token())
  }

  /// Takes the newest world, if there is one.
  func found(_ bytes: [UInt8]?, _ since: UInt64, _ now: UInt64) {
    guard let bytes else {
      // An edge waits for a leader that has yet to keep its first world. A standby begins a world
      // where nobody else does, so that all who may lead can be started alike.
      if leadership.isHeld { beginNew(now) }
      wantsToLead = settings.role != .edge
      return
    }
    do throws(ClusterError) {
      let (replica, cursor) = try world(of: bytes)
      if let count = cursor.taken[id] { forwarder.taken(count, now: now) }
      begin(replica, cursor, now)
    } catch {
      // Who has clients waits for a better one.
      guard edge != nil else { return fail(error) }
      counts.malformed.count()
    }
  }

  private func world(of bytes: [UInt8]) throws(ClusterError) -> (Replica, LogCursor) {
    let message: WorldMessage
    do throws(WireError) { message = try WorldMessage(bytes) } catch {
      throw .damaged(world: settings.world, what: "the world beside it: \(error)")
    }
    guard message.core == CoreVersion.goldens else { throw .otherCore(world: settings.world) }
    let replica: Replica
    do throws(ReplicaError) { replica = try Replica(snapshot: message.world) } catch {
      throw .damaged(world: settings.world, what: "the world beside it: \(error)")
    }
    guard replica.pit.tick == UInt32(truncatingIfNeeded: message.position) else {
      let what = "the world beside it is of tick \(replica.pit.tick), not \(message.position)"
      throw .damaged(world: settings.world, what: what)
    }
    return (replica, LogCursor(message))
  }

  private func beginNew(_ now: UInt64) {
    do throws(PitError) {
      let start = try newWorld()
      let replica = Replica(start.pit, start.coder)
      // The log must have no ticks: records of another world don't fit this one. Leaders may have
      // begun there that ended before their first one.
      begin(replica, LogCursor(), now)
      counts.isNewWorld = true
    } catch {
      fail(.damaged(world: settings.world, what: error.explanation))
    }
  }

  private func begin(_ replica: Replica, _ cursor: LogCursor, _ now: UInt64) {
    reader = LogReader(cursor, now: now)
    counts.isNewWorld = false
    wantsToLead = leadership.isHeld
    if edge != nil {
      counts.rejoins.count()
      edge!.begin(replica, now: now)
    } else {
      self.replica = replica
    }
    phase = .catchingUp
  }

  // MARK: The log

  /// Takes a message of the log.
  func read(_ sequence: UInt64, _ bytes: [UInt8], _ now: UInt64) {
    guard reader != nil else { return }
    do {
      let problem = try reader!.receive(bytes, sequence, now: now) { try apply($0, now) }
      if let problem { return stop(by: problem, now) }
    } catch {
      counts.mismatches.count()
      return rejoin("\(error)", now)
    }
    checkEnd(now)
  }

  /// A world was made here, and the log has ticks of one that is gone.
  private func foundTicks(_ message: LogMessage) {
    guard message.isTick else { return }
    fail(.damaged(world: settings.world, what: "it has ticks and no world beside them"))
  }

  private func apply(_ message: LogMessage, _ now: UInt64) throws(ReplicaError) {
    if let entry = message.taken.first(where: { $0.member == id }) {
      forwarder.taken(entry.count, now: now)
    }
    guard message.isTick, !counts.isNewWorld else { return foundTicks(message) }
    if edge != nil {
      try edge!.apply(message, now: now)
      // Sooner than without a tick, which it may be waiting for.
      forwardAt = min(forwardAt ?? .max, now + Self.forwardDelay)
      attachment?.wake()
    } else {
      try replica!.receive(message.record)
    }
  }

  /// The log can't be read on.
  private func stop(by problem: LogReader.Problem, _ now: UInt64) {
    // Another log is in its place: NATS lost the end of it. Ticks that people saw here come again
    // as others, and so do numbers of messages that count as taken here. A process that knows
    // nothing of them begins with what there is.
    if case .broken(let why) = problem, edge != nil {
      return fail(.damaged(world: settings.world, what: why))
    }
    rejoin("\(problem)", now)
  }

  /// Too much of the log came at once to carry all of it out: the newest world is nearer. A new
  /// leader reads to the end all the same, and who has just begun with that world has no better
  /// one.
  func fallBehind(by ticks: Int, _ now: UInt64) {
    guard case .following = phase, !leadership.isHeld else { return }
    rejoin("\(ticks) ticks behind", now)
  }

  /// Goes on with the newest world, because this one can't.
  private func rejoin(_ why: String, _ now: UInt64) {
    log.write(.error, "the log can't be followed: taking its newest world", ["why": "\(why)"])
    guard !leadership.isHeld else {
      return fail(.damaged(world: settings.world, what: why))
    }
    reader = nil
    phase = .askingWorld(since: now)
  }

  /// Takes how far the log goes.
  func sawEnd(_ token: UInt64, _ first: UInt64, _ last: UInt64, _ now: UInt64) {
    if case .leading = phase { return found(token, end: last, now) }
    if let problem = reader?.receiveEnd(token: token, first: first, last: last) {
      return stop(by: problem, now)
    }
    if let missing = reader?.missing, missing > Self.mostReplayed { fallBehind(by: missing, now) }
    checkEnd(now)
  }

  /// Goes on from reading when the end is reached.
  func checkEnd(_ now: UInt64) {
    guard case .catchingUp = phase, let reader, reader.isAtEnd else { return }
    guard leadership.isHeld else {
      phase = .following
      return
    }
    fence(reader.cursor, now)
  }
}
