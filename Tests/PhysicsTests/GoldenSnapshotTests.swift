import Foundation
import Physics
import PhysicsScenes
import Testing

/// Snapshots that were saved natively go on with the same bits in the WebAssembly module
/// (`Tests/Node/snapshot.test.mjs` reads the same file), and are saved there as the same bytes.
///
/// Whoever changes the solver or the snapshot's layout on purpose writes the file anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenSnapshotTests {
  struct Run: Codable, Equatable {
    var scene: Int32
    var bodies: Int
    /// Ticks before the snapshot, and after it.
    var before: Int
    var ticks: Int
    var dropsCaches: Bool
    /// Base64.
    var snapshot = ""
    var hash = ""
    /// FNV-1a of the snapshot at the end.
    var savedHash = ""

    func measured() throws -> Run {
      var scene = try PhysicsScene(
        PhysicsScene.Kind(rawValue: scene)!, bodies: bodies, sleeps: true)
      for _ in 0..<before { scene.step() }
      if dropsCaches { scene.world.dropCaches() }
      var (run, bytes): (Run, [UInt8]) = (self, [])
      scene.world.save(into: &bytes)
      run.snapshot = Data(bytes).base64EncodedString()
      for _ in 0..<ticks { scene.world.step() }
      run.hash = String(scene.world.motionHash(), radix: 16)
      scene.world.save(into: &bytes)
      run.savedHash = String(Self.fnv(bytes), radix: 16)
      return run
    }

    /// The same from the bytes alone.
    func goneOn() throws -> Run {
      let bytes = [UInt8](try #require(Data(base64Encoded: snapshot)))
      var world = try PhysicsWorld.restore(from: bytes)
      for _ in 0..<ticks { world.step() }
      var (run, end): (Run, [UInt8]) = (self, [])
      run.hash = String(world.motionHash(), radix: 16)
      world.save(into: &end)
      run.savedHash = String(Self.fnv(end), radix: 16)
      return run
    }

    private static func fnv(_ bytes: [UInt8]) -> UInt64 {
      var hash = FNVHash()
      for byte in bytes { hash.add(byte) }
      return hash.value
    }
  }

  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/snapshots.json")

  private static let runs = [
    Run(scene: 4, bodies: 40, before: 205, ticks: 120, dropsCaches: false),
    Run(scene: 4, bodies: 40, before: 205, ticks: 120, dropsCaches: true),
    Run(scene: 2, bodies: 25, before: 60, ticks: 120, dropsCaches: false),
    Run(scene: 1, bodies: 30, before: 500, ticks: 120, dropsCaches: true),
  ]

  @Test func everySnapshotIsAndEndsAsItWas() throws {
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try encoder.encode(try Self.runs.map { try $0.measured() }).write(to: Self.file)
    }
    let golden = try JSONDecoder().decode([Run].self, from: Data(contentsOf: Self.file))
    #expect(golden.count == Self.runs.count)
    for run in golden {
      #expect(try run.measured() == run)
      #expect(try run.goneOn() == run)
    }
  }
}
