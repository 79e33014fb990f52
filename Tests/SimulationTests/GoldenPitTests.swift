import Determinism
import Foundation
import Testing
import Wire

@testable import Simulation

/// A long run of the pit gives the same bits here, in debug builds, and under node from the
/// WebAssembly module, which reads the same file (`Tests/Node/pit.test.mjs`).
///
/// Whoever changes the physics or the pit's rules on purpose writes the file anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`.
@Suite struct GoldenPitTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/pit.json")

  @Test func aPartyEndsInTheGoldenHashes() throws {
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      var script = PartyScript.random()
      (script.stateHashes, script.frameHash) = try run(script)
      try write(script)
    }
    let golden = try JSONDecoder().decode(PartyScript.self, from: Data(contentsOf: Self.file))
    #expect(golden.rows == PartyScript.random().rows)
    let (stateHashes, frameHash) = try run(golden)
    #expect(stateHashes.count == golden.ticks / 30)
    #expect(stateHashes == golden.stateHashes)
    #expect(frameHash == golden.frameHash)
  }

  /// Runs a script as a server would and decodes every frame as a client would.
  private func run(_ script: PartyScript) throws -> (states: [String], frames: String) {
    var pit = try Pit(
      PitConfiguration(
        bodies: script.bodies, maxBodies: script.maxBodies, seed: UInt64(script.seed)))
    var blend = TiltBlend()
    var bodies: [StreamBody] = []
    let encoder = StreamEncoder(pit.shape(profile: .strict, rate: .hz60))
    let decoder = StreamDecoder()
    var states: [String] = []
    var frames = FNVHash()
    var next = 0
    for tick in UInt32(1)...UInt32(script.ticks) {
      var inputs = TickInputs()
      while next < script.rows.count, script.rows[next][0] == Int(tick) {
        take(script.rows[next], at: tick, &blend, &inputs)
        next += 1
      }
      inputs.gravity = blend.gravity(at: tick)
      if let hash = pit.tick(inputs).record.stateHash { states.append(String(hash, radix: 16)) }
      pit.bodies(into: &bodies)
      var frame: [UInt8] = []
      encoder.encode(bodies, tick: tick, gravity: pit.gravity, into: &frame)
      for byte in frame { frames.add(byte) }
      try decoder.decode(frame)
      #expect(decoder.world.bodies == bodies.map { $0.onLattice(of: .strict) })
    }
    return (states, String(frames.value, radix: 16))
  }

  private func take(
    _ row: [Int], at tick: UInt32, _ blend: inout TiltBlend, _ inputs: inout TickInputs
  ) {
    let values = row.dropFirst(3).map { Int16(clamping: $0) }
    let person = UInt16(row[2])
    if row[1] == 2 { return blend.add(person: person, x: values[0], y: values[1], tick: tick) }
    let command: Command =
      row[1] == 3
      ? .drop(kind: UInt8(values[1]), x: values[2], y: values[3])
      : .throwSticker(x: values[1], y: values[2], velocityX: values[3], velocityY: values[4])
    inputs.commands.append(
      StampedCommand(person: person, sequence: UInt32(row[3]), command: command))
  }

  /// One row a line, so that a change of the script can be read.
  private func write(_ script: PartyScript) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(script), as: UTF8.self)
    let lines = text.replacingOccurrences(of: "],[", with: "],\n[")
      .replacingOccurrences(of: "\",\"", with: "\",\n\"")
    try FileManager.default.createDirectory(
      at: Self.file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((lines + "\n").utf8).write(to: Self.file)
  }
}
