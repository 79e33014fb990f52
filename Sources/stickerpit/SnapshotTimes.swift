import Foundation
import Physics

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
    let save = median { copy.save(into: &bytes) }
    let restore = try median { try copy.restore(from: bytes) }
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

  private func median(_ work: () throws -> Void) rethrows -> String {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<Self.rounds {
      let start = clock.now
      try work()
      times.append((clock.now - start) / .microseconds(1))
    }
    return String(format: "%.1f", times.sorted()[times.count / 2])
  }
}
