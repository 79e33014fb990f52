import Foundation
import Testing

@testable import Server
@testable import Simulation

/// What a page's module was called with while it played in a fleet, and what it answered: the same
/// calls give the same answers here, in debug builds, and under node by the WebAssembly module
/// (`Tests/Node/tape.test.mjs` reads the same files). So a page in WebAssembly took part in the
/// same log: it predicts, aims its own commands at the same ticks, rolls back when the native page
/// did, spreads them over the same pictures, as its ticks are told to take 1.3 ms, shows the same
/// pictures to the bit, and finds every hash equal.
///
/// Whoever changes the physics, a scene's rules or the prediction on purpose writes the files anew:
/// `STICKERPIT_WRITE_GOLDEN=1 swift test --filter Golden`. A change of the server alone leaves them
/// as they are.
@Suite struct GoldenTapeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden")
  private static let ticks = 390

  @Test(arguments: Scene.allCases) func theModuleAnswersAsOnTheTape(scene: Scene) throws {
    let file = Self.folder.appendingPathComponent("tape-\(scene.rawValue).txt")
    if ProcessInfo.processInfo.environment["STICKERPIT_WRITE_GOLDEN"] != nil {
      var fleet = try Fleet(seed: 12, scene: scene, ticks: Self.ticks, calm: 2.5, tapes: true)
      #expect(fleet.run().isEmpty)
      try Data(fleet.pages[0].driver.tape!.text.utf8).write(to: file)
    }
    let text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    let tape = try #require(PageTape(text: text))
    #expect(tape.text == text)
    let again = tape.replayed()
    for (line, wanted) in zip(again.lines, tape.lines) where line != wanted {
      Issue.record("\(scene): \(line), not \(wanted)")
      break
    }
    #expect(again.lines.count == tape.lines.count)
    #expect(tape.pictures > 300)
    #expect(again.spread > 0, "the device is slow enough to spread rollbacks: \(again.spread)")
  }
}
