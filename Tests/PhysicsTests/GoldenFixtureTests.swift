import Foundation
import Physics
import PhysicsScenes
import Testing

/// What worlds tell, hits, sensors, breaks and answers to questions, has the same bits natively and
/// in the WebAssembly module, which reads the same file (`Tests/Node/physics.test.mjs`).
///
/// Whoever changes the solver on purpose writes the file anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenFixtureTests {
  struct Run: Codable, Equatable {
    var scene: Int32 = PhysicsScene.Kind.fixtures.rawValue
    var bodies: Int
    var sleeps: Bool
    var ticks: Int
    var hash = ""
    var told = ""

    func measured() throws -> Run {
      var run = self
      var scene = try PhysicsScene(
        PhysicsScene.Kind(rawValue: scene)!, bodies: bodies, sleeps: sleeps)
      for _ in 0..<ticks { scene.step() }
      run.hash = String(scene.world.motionHash(), radix: 16)
      run.told = String(scene.told, radix: 16)
      return run
    }
  }

  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/fixtures.json")

  private static let runs = [
    Run(bodies: 60, sleeps: false, ticks: 500), Run(bodies: 25, sleeps: true, ticks: 400),
    Run(
      scene: PhysicsScene.Kind.compounds.rawValue, bodies: 50, sleeps: true, ticks: 500),
  ]

  @Test func everythingIsToldAsItWas() throws {
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try encoder.encode(try Self.runs.map { try $0.measured() }).write(to: Self.file)
    }
    let golden = try JSONDecoder().decode([Run].self, from: Data(contentsOf: Self.file))
    #expect(golden.count == Self.runs.count)
    for run in golden { #expect(try run.measured() == run) }
  }

  /// A world that is saved and restored at any tick goes on as the one that was not, and tells the
  /// same.
  @Test(arguments: [PhysicsScene.Kind.fixtures, .compounds], [false, true])
  func aSnapshotGoesOnAndTellsTheSame(_ kind: PhysicsScene.Kind, drops: Bool) throws {
    var scene = try PhysicsScene(kind, bodies: kind == .compounds ? 20 : 40, sleeps: true)
    for tick in 0..<300 {
      if tick % 20 == 7 {
        if drops { scene.world.dropCaches() }
        var bytes: [UInt8] = []
        scene.world.save(into: &bytes)
        var other = scene
        other.world = try PhysicsWorld.restore(from: bytes)
        var one = scene
        for _ in 0..<15 {
          one.step()
          other.step()
          #expect(one.told == other.told)
        }
        #expect(one.world.stateHash() == other.world.stateHash())
      }
      scene.step()
    }
    #expect(scene.world.jointCount < 40)
  }
}
