import Simulation
import Transport
import Wire

/// What those are sent who follow the log of the world.
extension SessionHub {
  /// Keeps a tick's record, also when nobody follows now: whoever comes back goes on with the log
  /// from there. The tick's world, if it was saved, is packed for those who join.
  func keep(_ publication: Publication) {
    log.append(publication.record, tick: publication.tick)
    if checksFrames { checkRecord(publication) }
    packer.collect(at: tick)
    if let world = publication.world { packer.pack(world) }
    snapshots = packer.progress
    if checksFrames { checkSnapshot() }
    snapshotBytesLeft = snapshotBytesPerTick
  }

  /// Gives a follower a snapshot if it wants one, and leads it on by all records that it has not.
  func lead(_ session: Session) {
    guard isWelcomed(session) else { return }
    sendSnapshot(to: session)
    sendRecords(to: session)
  }

  /// Leads all followers on who share a turn and have the same.
  func lead(_ group: SessionGroup) {
    guard !group.members.isEmpty, group.tick != tick else { return }
    guard log.reaches(back: group.tick), let frame = log.frame(after: group.tick) else {
      let members = group.members
      for member in members { audience.begin(member.session) }
      return traffic.skipped.count(.missing, members.count)
    }
    let sent = group.send(frame, at: time.now) { session, status in
      audience.begin(session)
      missed(session, status)
    }
    group.tick = tick
    traffic.wroteRecords(bytes: frame.count, to: sent)
  }

  /// A follower's pipe had no room for a message. One whose connection is ending misses nothing.
  private func missed(_ session: Session, _ status: SendStatus) {
    guard status == .backpressure else { return }
    session.follower!.blocked(at: time.now)
    traffic.skipped.count(.full)
  }

  // MARK: Records

  private func sendRecords(to session: Session) {
    guard let follower = session.follower, let position = follower.position else { return }
    guard log.reaches(back: position) else {
      session.follower!.position = nil
      session.follower!.wantsSnapshot = true
      return traffic.skipped.count(.missing)
    }
    let wants = wantsSnapshot(session)
    if wants, position == snapshots.packing || snapshot(for: follower) != nil { return }
    let isDue = wants || follower.turn.isDue(at: tick)
    guard isDue, time.now >= follower.nextTry else { return }
    let end = wants ? lastTickToWait : tick
    guard let frame = log.frame(after: position, through: end) else { return }
    let status = session.connection.send(frame)
    guard status == .sent else { return missed(session, status) }
    session.followed(to: end, awake: time.awake)
    traffic.wroteRecords(bytes: frame.count)
    audience.joinFollowers(session, at: tick)
  }

  /// Up to where somebody is led on who waits for the world that is being packed. That world may be
  /// of a tick that this thread has yet to send, if it came behind another one.
  private var lastTickToWait: UInt32 {
    guard let packing = snapshots.packing, tick.ticks(since: packing) >= 0 else { return tick }
    return packing
  }

  // MARK: Snapshots

  private func sendSnapshot(to session: Session) {
    guard wantsSnapshot(session), time.now >= session.follower!.nextTry,
      let snapshot = snapshot(for: session.follower!)
    else { return }
    let bytes = snapshot.frame.count
    // The first one of a tick always fits.
    guard snapshotBytesLeft == snapshotBytesPerTick || bytes <= snapshotBytesLeft else {
      session.wasHeldBack(awake: time.awake)
      return traffic.skipped.count(.waiting)
    }
    let address = session.connection.addressPrefix
    guard addresses.takeSnapshot(bytes: bytes, from: address, at: time.now) else {
      session.snapshots.refused(at: time.now)
      session.wasHeldBack(awake: time.awake)
      return traffic.refused.count(.snapshots)
    }
    let status = session.connection.send(snapshot.frame)
    guard status == .sent else {
      // It is tried ten times a second, which others of the address must not pay for.
      addresses.giveBack(snapshotBytes: bytes, to: address)
      return missed(session, status)
    }
    snapshotBytesLeft -= bytes
    session.followed(to: snapshot.tick, awake: time.awake)
    session.follower!.wantsSnapshot = false
    session.snapshots.took(at: time.now)
    traffic.snapshots.count()
    traffic.bytes.count(bytes)
  }

  /// The snapshot that a follower can begin with: a fresh one. Whoever found its world to be wrong
  /// is led on to the very tick of a snapshot and waits there until it is packed: so it can tell
  /// what is different, and has something to show until then.
  private func snapshot(for follower: Follower) -> SnapshotPacker.Snapshot? {
    guard let newest = snapshots.newest, tick.ticks(since: newest.readyTick) < Self.mostAge,
      log.reaches(back: newest.tick)
    else { return nil }
    return follower.position ?? newest.tick == newest.tick ? newest : nil
  }

  /// Ticks for which a snapshot is given to those who join, from when it was ready: running half a
  /// second's worth takes them less time than the next save would make them wait.
  private static let mostAge = 30

  /// Whether the world is to be saved for somebody.
  var needsSnapshot: Bool {
    guard snapshots.packing == nil else { return false }
    return audience.catchingUp.members.contains { needsSnapshot($0.session) }
  }

  /// Whether it is to be saved for this one.
  func needsSnapshot(_ session: Session) -> Bool {
    wantsSnapshot(session) && snapshot(for: session.follower!) == nil
  }

  /// This thread's part of what the server may send.
  private var snapshotBytesPerTick: Int {
    max(1, limits.snapshotBytesPerTick / exchange.lanes.count)
  }

  private func wantsSnapshot(_ session: Session) -> Bool {
    guard session.person != nil, let follower = session.follower else { return false }
    return follower.wantsSnapshot && session.snapshots.allows(at: time.now)
  }

  /// Whether a world of this size can be sent whole.
  var offersReplicas: Bool { world.capacity <= Self.mostReplicaBodies }

  /// A body with all that contacts and hands remember takes up to 240 bytes before packing, and a
  /// message holds a megabyte, packed or not.
  static let mostReplicaBodies = 4096

  // MARK: Checks

  /// Follows the log itself, and compares.
  private func checkRecord(_ publication: Publication) {
    logWitness.take(publication).map(foundFault)
  }

  /// Begins to follow with a snapshot, and the records since.
  private func checkSnapshot() {
    guard logWitness.hasNoWorld, let snapshot = snapshots.newest, log.reaches(back: snapshot.tick)
    else { return }
    logWitness.begin(snapshot, &log).map(foundFault)
  }
}
