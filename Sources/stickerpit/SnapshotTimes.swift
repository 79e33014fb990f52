import Foundation
import Physics
import Simulation

/// How long a world takes to be saved and restored, and how many bytes that is.
struct SnapshotTimes {
  private var world: PhysicsWorld
  private static let rounds = 200

  init(_ world: PhysicsWorld) { self.world = world }

  /// Medians in microseconds, into memory that is kept; then the bytes of a snapshot with all
  /// caches and of one right after they were dropped.
  mutating func values() throws -> [(name: String, value: String)] {
    var bytes: [UInt8] = []
    var copy = world
    let save = Median.of(Self.rounds) { copy.save(into: &bytes) }
    let restore = try Median.of(Self.rounds) { try copy.restore(from: bytes) }
    guard copy.stateHash() == world.stateHash() else {
      throw Failure("a restored world differs from the one that was saved")
    }
    let whole = bytes.count
    copy.dropCaches()
    copy.save(into: &bytes)
    return [
      ("save_us", save), ("restore_us", restore), ("snapshot_bytes", "\(whole)"),
      ("join_bytes", "\(bytes.count)"),
    ]
  }
}

/// How long a whole pit takes to be saved, restored, copied and hashed.
struct PitTimes {
  private let pit: Pit
  private static let rounds = 200

  init(_ pit: Pit) { self.pit = pit }

  /// Medians in microseconds, into memory that is kept.
  func values() throws -> [(name: String, value: String)] {
    var bytes: [UInt8] = []
    var ahead = pit
    let save = Median.of(Self.rounds) { pit.save(into: &bytes) }
    let restore = try Median.of(Self.rounds) { try ahead.restore(from: bytes) }
    let assign = Median.of(Self.rounds) { ahead.assign(pit) }
    var hash: UInt64 = 0
    let hashed = Median.of(Self.rounds) { hash = pit.stateHash() }
    guard ahead.stateHash() == hash else {
      throw Failure("a copied pit differs from the one that it is a copy of")
    }
    let assignAndTick = Median.of(Self.rounds) {
      ahead.assign(pit)
      ahead.tick(TickInputs())
    }
    let tick = Median.of(Self.rounds) { ahead.tick(TickInputs()) }
    return [
      ("bodies", "\(pit.bodyCount)"), ("bytes", "\(bytes.count)"), ("save_us", save),
      ("restore_us", restore), ("assign_us", assign), ("hash_us", hashed),
      ("assign_and_tick_us", assignAndTick), ("tick_us", tick),
    ]
  }
}

/// The middle one of many measurements.
private enum Median {
  /// In microseconds.
  static func of(_ rounds: Int, _ work: () throws -> Void) rethrows -> String {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = clock.now
      try work()
      times.append((clock.now - start) / .microseconds(1))
    }
    return String(format: "%.1f", times.sorted()[times.count / 2])
  }
}
