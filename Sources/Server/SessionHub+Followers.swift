import Simulation
import Transport
import Wire

/// What those are sent who follow the log of the world.
extension SessionHub {
  /// Takes a tick's record, if anybody follows.
  func keepRecord(_ publication: Publication) {
    guard sessions.contains(where: { $0.follower != nil }) else {
      logWitness = nil
      return log.removeAll()
    }
    log.append(publication.record, tick: publication.tick)
    if checksFrames { checkRecord(publication) }
  }

  /// Leads a follower on: by all records that it has not, or by a snapshot.
  func lead(_ session: Session, _ publication: Publication) {
    guard let follower = session.follower else { return }
    guard let position = follower.position, log.reaches(back: position) else {
      session.follower!.position = nil
      if publication.hasSnapshot, time.now >= follower.nextSnapshot {
        send(publication.snapshot, snapshotTo: session)
      }
      return
    }
    guard follower.rate.isDue(at: tick, profile: .strict), let frame = log.frame(after: position)
    else { return }
    guard session.connection.send(frame) == .sent else { return traffic.skipped.count() }
    session.followed(to: tick, awake: time.awake)
    traffic.records.count()
    traffic.bytes.count(frame.count)
  }

  private func send(_ snapshot: OutgoingFrame, snapshotTo session: Session) {
    guard session.connection.send(snapshot) == .sent else { return traffic.skipped.count() }
    session.followed(to: tick, awake: time.awake)
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
      return follower.position == nil && time.now >= follower.nextSnapshot
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
  /// No snapshot before this time, in monotonic nanoseconds.
  var nextSnapshot: UInt64 = 0
}

/// Follows the log as a client would, where frames are checked.
struct LogWitness {
  private var replica: Replica

  init(_ snapshot: [UInt8]) throws(ReplicaError) { replica = try Replica(snapshot: snapshot) }

  var nextTick: UInt32 { replica.pit.tick &+ 1 }

  mutating func take(_ record: [UInt8]) throws(ReplicaError) { try replica.receive(record) }
}
