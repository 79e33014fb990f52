import Simulation
import Wire

/// Follows the log as a client would, where what is written to sessions is checked.
struct LogWitness {
  private var replica: Replica?

  /// It has yet to be given a snapshot.
  var hasNoWorld: Bool { replica == nil }

  /// Carries a tick's record out, and compares.
  /// - Returns: what is wrong with it; nil for nothing.
  mutating func take(_ publication: Publication) -> String? {
    // Publications may be lost when this thread stands still: then followers begin anew too.
    if let tick = replica?.pit.tick, tick &+ 1 != publication.tick { forget() }
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
