import Foundation
import Testing
import Wire

@testable import Simulation

/// What is sent to somebody who joins is packed to the same bytes here and in debug builds, and
/// under node it unpacks to the same world (`Tests/Node/join.test.mjs` reads the same file).
///
/// Whoever changes the physics, a snapshot's layout or its packing on purpose writes the file anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenJoinTests {
  struct Run: Codable, Equatable {
    var scene: UInt8
    /// Base64.
    var snapshot: String
    /// Ticks after it, in the middle of which person 1 opens the hands, and the hash then.
    var ticks: Int
    var hash: String
  }

  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/joins.json")
  private static let ticks = 60

  @Test func everySnapshotIsPackedAndEndsAsItWas() throws {
    let measured = try Scene.allCases.map(measure)
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try encoder.encode(measured).write(to: Self.file)
    }
    let golden = try JSONDecoder().decode([Run].self, from: Data(contentsOf: Self.file))
    #expect(measured == golden)
    for run in golden {
      let snapshot = [UInt8](try #require(Data(base64Encoded: run.snapshot)))
      #expect(hash(of: try Replica(snapshot: snapshot).pit) == run.hash)
    }
  }

  private func measure(_ scene: Scene) throws -> Run {
    var (pit, inputs) = (try ForgedSnapshotTests.busy(scene, seed: 11), TickInputs())
    inputs.dropsCaches = true
    pit.tick(inputs)
    let bytes = SavedWorld(pit, RecordCoder(tick: pit.tick, gravity: pit.gravity)).packed()
    return Run(
      scene: scene.rawValue, snapshot: Data(bytes).base64EncodedString(), ticks: Self.ticks,
      hash: hash(of: pit))
  }

  private func hash(of pit: Pit) -> String {
    var pit = pit
    let leave = StampedCommand(person: 1, sequence: 1, command: .leave)
    for tick in 0..<Self.ticks {
      pit.tick(TickInputs(commands: tick == Self.ticks / 2 ? [leave] : []))
    }
    return String(pit.stateHash(), radix: 16)
  }
}
