import Simulation
import Wire

/// Somebody who follows the log with a world of their own, over a line that stalls.
struct PlayedReplica {
  private var replica: Replica?
  /// Records that are on their way.
  private var line: [UInt8] = []
  /// Nothing arrives before this tick.
  private var stalledUntil: UInt32 = 0

  /// Whether it begins with a snapshot in the next tick.
  var isAway: Bool { replica == nil }

  /// Now and then the line stalls, or this one goes away and begins anew in the next tick.
  mutating func live(at tick: UInt32, _ chance: inout PlayChance) {
    switch chance.below(300) {
    case 0...5: stalledUntil = tick &+ UInt32(chance.from(1...20))
    case 6: stalledUntil = tick &+ UInt32(chance.from(60...480))
    case 7: replica = nil
    default: break
    }
  }

  /// Takes what the log says of a tick: at first a snapshot, which is about the tick before.
  mutating func receive(
    _ record: [UInt8], of pit: Pit, snapshot: [UInt8]
  ) -> PlayFault.Kind? {
    do throws(ReplicaError) {
      if replica == nil {
        line = []
        replica = try Replica(snapshot: snapshot)
      }
      line += record
      guard pit.tick.isDue(after: stalledUntil) else { return nil }
      try take()
    } catch {
      return .replica(error)
    }
    return replica?.pit.stateHash() == pit.stateHash() ? nil : .replicaDiffers
  }

  private mutating func take() throws(ReplicaError) {
    let bytes = line
    line = []
    try replica!.receive(bytes)
  }
}

extension UInt32 {
  /// Whether this tick is not before another.
  fileprivate func isDue(after other: UInt32) -> Bool { Int32(bitPattern: self &- other) >= 0 }
}

/// The log of a play's world.
struct PlayedLog {
  private var coder: RecordCoder
  /// What a replica begins with that joins now.
  private(set) var snapshot: [UInt8] = []
  /// The last tick's record.
  private(set) var record: [UInt8] = []

  init(of pit: Pit) {
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
  }

  /// Keeps the world as it is before the next tick, for those who join with it.
  mutating func keep(_ pit: Pit) { snapshot = SavedWorld(pit, coder).packed() }

  mutating func append(_ record: TickRecord) {
    self.record.removeAll(keepingCapacity: true)
    coder.encode(record, into: &self.record)
  }
}
