import Foundation
import Testing
import Wire

@testable import Simulation

/// Half a minute of each scene with hands in it gives the same bits here, in debug builds, and
/// under node from the WebAssembly module, which reads the same file (`Tests/Node/pit.test.mjs`).
///
/// Whoever changes the physics or a scene's rules on purpose writes the file anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenSceneTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/scenes.json")

  @Test func everySceneEndsInItsGoldenHashes() throws {
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      try write(
        Scene.allCases.map { scene in
          var script = SceneScript.random(scene)
          script.stateHashes = try run(script).hashes
          return script
        })
    }
    let golden = try JSONDecoder().decode([SceneScript].self, from: Data(contentsOf: Self.file))
    #expect(golden.count == Scene.allCases.count)
    for (script, scene) in zip(golden, Scene.allCases) {
      #expect(script.rows == SceneScript.random(scene).rows)
      let (hashes, accepted) = try run(script)
      #expect(hashes == script.stateHashes, "\(scene)")
      #expect(hashes.count == script.ticks / 30)
      for type in [6, 7, 8, 9] {
        #expect(accepted.contains(type), "\(scene): no message of type \(type) did anything")
      }
    }
  }

  private func run(_ script: SceneScript) throws -> (hashes: [String], accepted: Set<Int>) {
    let scene = try #require(Scene(rawValue: UInt8(script.scene)))
    var pit = try Pit(
      PitConfiguration(scene: scene, bodies: script.bodies, seed: UInt64(script.seed)))
    var blend = TiltBlend()
    var hashes: [String] = []
    var accepted: Set<Int> = []
    var next = 0
    for tick in UInt32(1)...UInt32(script.ticks) {
      var inputs = TickInputs()
      let first = next
      while next < script.rows.count, script.rows[next][0] == Int(tick) {
        let row = script.rows[next]
        next += 1
        let person = UInt16(row[2])
        if let command = SceneScript.command(row) {
          inputs.commands.append(
            StampedCommand(person: person, sequence: UInt32(row[3]), command: command))
        } else {
          blend.add(person: person, x: Int16(row[3]), y: Int16(row[4]), tick: tick)
        }
      }
      inputs.gravity = blend.gravity(at: tick)
      let outcome = pit.tick(inputs)
      if let hash = outcome.record.stateHash { hashes.append(String(hash, radix: 16)) }
      for row in script.rows[first..<next] {
        let isCarriedOut = outcome.carriedOut.contains {
          Int($0.person) == row[2] && Int($0.sequence) == row[3]
        }
        if isCarriedOut { accepted.insert(row[1]) }
      }
    }
    return (hashes, accepted)
  }

  /// One row a line, so that a change of the script can be read.
  private func write(_ scripts: [SceneScript]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(scripts), as: UTF8.self)
    let lines = text.replacingOccurrences(of: "],[", with: "],\n[")
      .replacingOccurrences(of: "\",\"", with: "\",\n\"")
    try Data((lines + "\n").utf8).write(to: Self.file)
  }
}
