import Play
import Simulation
import Wire

/// Records of strangers, carried out by somebody who follows the log: the first byte is the scene.
/// They are refused or carried out, and what was read can be written and read again.
enum RecordFuzzing {
  /// A small world of each scene, as somebody who joins gets it.
  private static let snapshots: [[UInt8]] = Scene.allCases.compactMap { scene in
    let pit = try? Pit(
      PitConfiguration(scene: scene, bodies: scene == .pit ? 12 : nil, maxBodies: 24, seed: 5))
    return pit.map {
      SavedWorld($0, RecordCoder(tick: $0.tick, gravity: $0.gravity)).packed()
    }
  }

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first,
      var replica = try? Replica(snapshot: snapshots[Int(first) % snapshots.count])
    else { return }
    let records = Array(bytes.dropFirst())
    _ = try? replica.receive(records)
    // Whatever was carried out, the world can be saved and restored.
    var saved: [UInt8] = []
    replica.pit.save(into: &saved)
    let restored = try? Pit.restore(from: saved)
    precondition(restored?.stateHash() == replica.pit.stateHash(), "the world can't be restored")
    let read = decoded(records)
    var (again, coder): ([UInt8], RecordCoder) = ([], RecordCoder(tick: 0, gravity: .down))
    for record in read { coder.encode(record, into: &again) }
    precondition(decoded(again) == read, "what was read is written as something else")
  }

  /// All records up to the first bytes that are none.
  private static func decoded(_ bytes: [UInt8]) -> [TickRecord] {
    var coder = RecordCoder(tick: 0, gravity: .down)
    var (offset, records): (Int, [TickRecord]) = (0, [])
    bytes.withUnsafeBytes { raw in
      while let record = try? coder.decode(raw, at: &offset) { records.append(record) }
    }
    return records
  }

  /// The logs of plays: their commands mean something in these worlds, too.
  static func seeds() throws -> [[UInt8]] {
    try Scene.allCases.enumerated().flatMap { index, scene in
      try [10, 200].map { ticks in
        var play = try Play(scene: scene, chance: PlayChance(seed: UInt64(ticks)))
        var coder = RecordCoder(tick: play.tick, gravity: play.gravity)
        var bytes = [UInt8(index)]
        for _ in 0..<ticks {
          if let fault = play.step() { throw fault }
          if let record = play.outcome?.record { coder.encode(record, into: &bytes) }
        }
        return bytes
      }
    }
  }
}
