import DynamicsScenes
import Foundation
import Testing

/// Fifteen seconds of every behaviour at once give the same bits here, in debug builds, and under
/// node from the WebAssembly module, which reads the same file (`Tests/Node/dynamics.test.mjs`).
///
/// Whoever changes the physics or a behaviour on purpose writes the file anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenEverythingTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/everything.json")

  private func run() throws -> [String] {
    var scene = try EverythingScene()
    var hashes: [String] = []
    for _ in 0..<30 {
      for _ in 0..<30 { try scene.step() }
      hashes.append(String(scene.animator.stateHash(), radix: 16))
    }
    return hashes
  }

  @Test func everythingEndsInItsGoldenHashes() throws {
    let hashes = try run()
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      let lines = hashes.map { "\"\($0)\"" }.joined(separator: ",\n")
      try Data("[\n\(lines)\n]\n".utf8).write(to: Self.file)
    }
    let golden = try JSONDecoder().decode([String].self, from: Data(contentsOf: Self.file))
    #expect(golden == hashes)
    #expect(Set(golden).count == golden.count)
  }

  /// Were a kind of behaviour missing, all of this would say nothing about it.
  @Test func theSceneHasEveryKind() throws {
    let animator = try EverythingScene().animator
    var kinds: Set<String> = []
    for id in animator.behaviorIDs {
      switch try animator.behavior(id) {
      case .gravity: kinds.insert("gravity")
      case .collision(let value): kinds.insert("collision \(value.mode)")
      case .item: kinds.insert("item")
      case .push(let value): kinds.insert("push \(value.mode)")
      case .attachment(let value):
        kinds.insert("\(value.kind) \(value.attachedBehaviorType) \(value.frequency > 0)")
      case .snap: kinds.insert("snap")
      case .field(let value): kinds.insert("field \(value.kind)")
      case .composite: kinds.insert("composite")
      }
    }
    let expected: Set<String> = [
      "gravity", "collision items", "collision boundaries", "collision everything", "item",
      "push continuous", "push instantaneous", "snap", "composite", "distance anchor false",
      "distance anchor true", "distance item false", "limit anchor false", "limit item false",
      "fixed item false", "pin anchor false", "pin item false", "sliding anchor false",
      "sliding item false", "field linearGravity", "field radialGravity", "field spring",
      "field electric", "field magnetic", "field vortex", "field drag", "field velocity",
      "field noise", "field turbulence", "field custom",
    ]
    #expect(kinds == expected)
  }

  /// A snapshot taken anywhere, and a copy, replay the same changes to the same bits.
  @Test func snapshotsAndCopiesReplayEverything() throws {
    var scene = try EverythingScene()
    var bytes: [UInt8] = []
    for run in 0..<12 {
      for _ in 0..<37 { try scene.step() }
      scene.animator.save(into: &bytes)
      var copy = scene
      var restored = scene
      restored.animator = try Animator.restore(from: bytes)
      for tick in 0..<130 {
        try copy.step()
        try restored.step()
        #expect(copy.animator.events == restored.animator.events)
        #expect(
          copy.animator.stateHash() == restored.animator.stateHash(), "run \(run), tick \(tick)")
      }
    }
  }
}
