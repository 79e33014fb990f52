import Foundation
import Physics
import PhysicsScenes
import Testing

/// Long runs of all scenes give the same bits in debug, in release, and under node from the
/// WebAssembly module, which reads the same file (`Tests/Node/physics.test.mjs`).
///
/// Whoever changes the solver on purpose writes the file anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenSceneTests {
  struct Run: Codable, Equatable {
    var scene: Int32
    var shapes: Int32
    var bodies: Int
    var sleeps: Bool
    var ticks: Int
    var hash: String

    func measured() throws -> Run {
      var run = self
      var scene = try PhysicsScene(
        PhysicsScene.Kind(rawValue: scene)!, shapes: PhysicsScene.Shapes(rawValue: shapes)!,
        bodies: bodies, sleeps: sleeps)
      for _ in 0..<ticks { scene.step() }
      run.hash = String(scene.world.motionHash(), radix: 16)
      return run
    }
  }

  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/scenes.json")

  private static let runs = [
    Run(scene: 0, shapes: 0, bodies: 120, sleeps: false, ticks: 600, hash: ""),
    Run(scene: 0, shapes: 3, bodies: 80, sleeps: true, ticks: 400, hash: ""),
    Run(scene: 1, shapes: 0, bodies: 100, sleeps: true, ticks: 900, hash: ""),
    Run(scene: 2, shapes: 0, bodies: 60, sleeps: true, ticks: 600, hash: ""),
    Run(scene: 3, shapes: 0, bodies: 60, sleeps: true, ticks: 600, hash: ""),
    Run(scene: 4, shapes: 0, bodies: 60, sleeps: true, ticks: 600, hash: ""),
    Run(scene: 5, shapes: 0, bodies: 400, sleeps: false, ticks: 300, hash: ""),
    Run(scene: 6, shapes: 0, bodies: 160, sleeps: false, ticks: 300, hash: ""),
    Run(scene: 7, shapes: 0, bodies: 300, sleeps: true, ticks: 400, hash: ""),
    Run(scene: 8, shapes: 0, bodies: 5, sleeps: false, ticks: 600, hash: ""),
  ]

  @Test func everySceneEndsInItsGoldenHash() throws {
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try encoder.encode(try Self.runs.map { try $0.measured() }).write(to: Self.file)
    }
    let golden = try JSONDecoder().decode([Run].self, from: Data(contentsOf: Self.file))
    #expect(golden.count == Self.runs.count)
    for run in golden { #expect(try run.measured() == run) }
  }
}
