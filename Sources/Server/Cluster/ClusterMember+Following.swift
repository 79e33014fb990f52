import Simulation
import TickLog
import Wire

/// Finding the world and following its log.
extension ClusterMember {
  /// Nanoseconds from a tick's arrival until inputs are forwarded: about half a tick, so that they
  /// reach the leader in time for its next one.
  private static let forwardDelay: UInt64 = 8_000_000
  /// Nanoseconds until they are forwarded without a tick: who left must not hold on for ever.
  private static let longestForwardDelay: UInt64 = 100_000_000

  // MARK: A world to begin with

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

  // MARK: Clients

  /// Begins to show the world to clients.
  func attach(_ attachment: Attachment, now: UInt64) {
    self.attachment = attachment
    if case .leading(let leading) = phase, let replica {
      attachment.lead(WorldStart(replica), leading.desk)
    } else if let replica {
      edge = EdgeWorld(
        replica, limits: attachment.limits, checksFrames: attachment.checksFrames,
        exchange: attachment.exchange)
    }
    replica = nil
    for block in blocks.blocks { attachment.directory.add(block) }
  }

  /// Sends the leader what clients did, when it is time.
  func forward(_ now: UInt64) {
    forwarder.turn(link, now: now)
    let at = forwardAt ?? now + Self.longestForwardDelay
    forwardAt = at
    // With a number that somebody else may have by now nothing is done in the world.
    guard edge != nil, now >= at, forwarder.hasRoom, !blocks.hasDoubts else { return }
    forwardAt = nil
    edge!.takeInputs()
    let wantsWorld = edge!.wantsWorld
    guard !edge!.outgoing.isEmpty || wantsWorld else { return }
    forwarder.send(edge!.outgoing, wantsWorld: wantsWorld, to: link, now: now)
    edge!.forwarded()
  }
}
