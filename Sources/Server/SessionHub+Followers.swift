import Simulation
import Transport
import Wire

/// What those are sent who follow the log of the world.
extension SessionHub {
  /// Takes a tick's record, also when nobody follows: whoever comes back takes up the log.
  func keepRecord(_ publication: Publication) {
    log.append(publication.record, tick: publication.tick)
    if checksFrames { checkRecord(publication) }
  }

  /// Leads a follower on, by all records that it has not; and gives it a snapshot if it wants one.
  /// Whoever found its world to be wrong gets both: so it can tell what is different in the tick of
  /// the snapshot, and has something to show until then.
  func lead(_ session: Session, _ publication: Publication) {
    guard let follower = session.follower else { return }
    sendRecords(to: session, follower)
    if follower.wantsSnapshot, publication.hasSnapshot, time.now >= follower.nextSnapshot {
      send(publication.snapshot, snapshotTo: session)
    }
  }

  private func sendRecords(to session: Session, _ follower: Follower) {
    guard let position = follower.position else { return }
    guard log.reaches(back: position) else {
      session.follower!.position = nil
      session.follower!.wantsSnapshot = true
      return
    }
    let isDue = follower.rate.isDue(at: tick, profile: .strict) || follower.wantsSnapshot
    guard isDue, let frame = log.frame(after: position) else { return }
    guard session.connection.send(frame) == .sent else { return traffic.skipped.count() }
    session.followed(to: tick, awake: time.awake)
    traffic.records.count()
    traffic.bytes.count(frame.count)
  }

  private func send(_ snapshot: OutgoingFrame, snapshotTo session: Session) {
    guard session.connection.send(snapshot) == .sent else { return traffic.skipped.count() }
    session.followed(to: tick, awake: time.awake)
    session.follower!.wantsSnapshot = false
    session.follower!.nextSnapshot = time.now + Self.snapshotPause
    traffic.snapshots.count()
    traffic.bytes.count(snapshot.count)
  }

  /// Whether a world of this size can be sent whole.
  var offersReplicas: Bool { world.bodyCap <= Self.mostBodies }

  /// A body takes about 240 bytes in a snapshot, and a message holds a megabyte.
  private static let mostBodies = 4096

  /// Whether somebody waits for a snapshot.
  var wantsSnapshot: Bool {
    sessions.contains { session in
      guard session.participant != nil, let follower = session.follower else { return false }
      return follower.wantsSnapshot && time.now >= follower.nextSnapshot
    }
  }

  /// Nanoseconds from one snapshot to the next of a session: five bytes ask for some hundred
  /// thousand, and whoever needs one so often can't follow.
  private static let snapshotPause: UInt64 = 2_000_000_000

  /// Follows the log itself, and compares.
  private func checkRecord(_ publication: Publication) {
    do throws(ReplicaError) {
      // Publications may be lost when this thread stands still: then followers begin anew too.
      if let next = logWitness?.nextTick, next != publication.tick { logWitness = nil }
      try logWitness?.take(publication.record)
      if logWitness == nil, publication.hasSnapshot {
        logWitness = try LogWitness(publication.snapshot.withPayload { Array($0.dropFirst()) })
      }
    } catch {
      foundFault("tick \(publication.tick), the log: \(error)")
    }
  }
}

/// Somebody who follows the log instead of the state stream.
struct Follower {
  /// How often it wants to be led on.
  var rate: FrameRate
  /// The tick after which it has the world; nil for nothing yet.
  var position: UInt32?
  /// Whether it needs the world whole: it has none, or a wrong one.
  var wantsSnapshot: Bool
  /// No snapshot before this time, in monotonic nanoseconds.
  var nextSnapshot: UInt64 = 0

  init(rate: FrameRate, position: UInt32?) {
    self.rate = rate
    self.position = position
    wantsSnapshot = position == nil
  }
}

/// Follows the log as a client would, where frames are checked.
struct LogWitness {
  private var replica: Replica

  init(_ snapshot: [UInt8]) throws(ReplicaError) { replica = try Replica(snapshot: snapshot) }

  var nextTick: UInt32 { replica.pit.tick &+ 1 }

  mutating func take(_ record: [UInt8]) throws(ReplicaError) { try replica.receive(record) }
}
