import DequeModule
import Simulation
import Transport
import Wire

/// The records of the last half minute, for those who follow the log: who skipped some, or comes
/// back, gets all of them in one message, and everybody who needs the same gets the same bytes.
struct RecordLog {
  /// Half as much again as a snapshot of 4096 bodies takes, which is the largest world that is
  /// followed (a thousand take 43 kB): for who has more to catch up on, it is certainly shorter.
  private static let mostBytes = 1 << 18

  private var records: Deque<[UInt8]> = []
  private var byteCount = 0
  /// The tick of the last record.
  private var tick: UInt32 = 0
  /// Messages made in this tick that end with it, by how many records they hold.
  private var frames: [Int: OutgoingFrame] = [:]

  /// Takes the record of the next tick. Of any other tick it means that some are lost, so that
  /// nobody can be led on from before.
  mutating func append(_ record: [UInt8], tick: UInt32) {
    if tick != self.tick.nextTick { removeAll() }
    self.tick = tick
    records.append(record)
    byteCount += record.count
    while records.count > TickRecord.mostInMessage || byteCount > Self.mostBytes {
      byteCount -= records.removeFirst().count
    }
    if !frames.isEmpty { frames.removeAll(keepingCapacity: true) }
  }

  /// Forgets everything.
  mutating func removeAll() {
    records.removeAll()
    byteCount = 0
    if !frames.isEmpty { frames.removeAll() }
  }

  /// All records after a tick, in one message; nil if they are not all here, or if there are none.
  mutating func frame(after tick: UInt32) -> OutgoingFrame? {
    let missing = self.tick.ticks(since: tick)
    guard missing > 0, missing <= records.count else { return nil }
    if let frame = frames[missing] { return frame }
    let frame = OutgoingFrame(copying: records.suffix(missing).flatMap { $0 })
    frames[missing] = frame
    return frame
  }

  /// The records after a tick, through another one that is not after the last.
  mutating func frame(after tick: UInt32, through end: UInt32) -> OutgoingFrame? {
    let left = self.tick.ticks(since: end)
    assert(left >= 0)
    guard left > 0 else { return frame(after: tick) }
    let missing = self.tick.ticks(since: tick)
    guard missing > left, missing <= records.count else { return nil }
    return OutgoingFrame(copying: records.suffix(missing).dropLast(left).flatMap { $0 })
  }

  /// Bytes of all records after a tick that the log reaches back to.
  func byteCount(after tick: UInt32) -> Int {
    assert(reaches(back: tick))
    return records.suffix(self.tick.ticks(since: tick)).reduce(0) { $0 + $1.count }
  }

  /// Whether somebody with the world after a tick can be led on.
  func reaches(back tick: UInt32) -> Bool {
    let missing = self.tick.ticks(since: tick)
    return missing >= 0 && missing <= records.count
  }
}

/// Follows the log as a client would, where what is written to sessions is checked.
struct LogWitness {
  private var replica: Replica?

  /// It has yet to be given a snapshot.
  var hasNoWorld: Bool { replica == nil }

  /// Carries a tick's record out, and compares.
  /// - Returns: what is wrong with it; nil for nothing.
  mutating func take(_ publication: Publication) -> String? {
    // Publications may be lost when this thread stands still: then followers begin anew too.
    if let tick = replica?.pit.tick, tick.nextTick != publication.tick { forget() }
    do throws(ReplicaError) {
      try replica?.receive(publication.record)
      return nil
    } catch {
      return "tick \(publication.tick), the log: \(error)"
    }
  }

  /// Begins with a snapshot, and the records since.
  /// - Returns: what is wrong with it; nil for nothing.
  mutating func begin(
    _ snapshot: SnapshotPacker.Snapshot, _ log: inout RecordLog
  ) -> String? {
    do throws(ReplicaError) {
      var replica = try Replica(snapshot: snapshot.frame.withPayload { Array($0.dropFirst()) })
      if let records = log.frame(after: snapshot.tick) {
        try replica.receive(records.withPayload { Array($0) })
      }
      self.replica = replica
      return nil
    } catch {
      return "the snapshot of tick \(snapshot.tick): \(error)"
    }
  }

  /// Begins anew with the next snapshot.
  mutating func forget() { replica = nil }
}
