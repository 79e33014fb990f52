import Determinism
import Foundation
import Simulation
import Testing

/// A journal says by this number which core wrote it, so it must change whenever the runs do.
@Suite struct CoreVersionTests {
  @Test func theNumberIsThatOfTheGoldenFiles() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    var running = FNVHash()
    for module in ["PhysicsTests", "DynamicsTests", "SimulationTests"] {
      let folder = tests.appendingPathComponent("\(module)/Golden")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(!files.isEmpty)
      for file in files {
        let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
        for byte in Array("\(module)/\(file)".utf8) + bytes {
          running.add(byte)
        }
      }
    }
    let hash = running.value
    #expect(
      hash == CoreVersion.goldens,
      "the golden files have changed: write 0x\(String(hash, radix: 16)) into CoreVersion.swift")
  }
}
