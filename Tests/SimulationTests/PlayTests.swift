import Foundation
import Play
import Simulation
import Testing

/// Random legal people in all scenes, at all rates and in both profiles: every frame that any of
/// their clients is sent is decoded and compared.
///
/// 200 seeds as a rule; STICKERPIT_PLAY_SEEDS is another number of them, STICKERPIT_PLAY_FIRST
/// where they begin, STICKERPIT_PLAY_TICKS how long each goes on. A failure names what repeats it.
@Suite struct PlayTests {
  private static func number(_ name: String, or usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private static let seeds = number("STICKERPIT_PLAY_SEEDS", or: 200)
  private static let first = number("STICKERPIT_PLAY_FIRST", or: 1)
  private static let ticks = number("STICKERPIT_PLAY_TICKS", or: 1000)

  @Test(arguments: Scene.allCases) func everyFrameIsWhatTheEncoderHas(scene: Scene) throws {
    var played = 0
    var carriedOut = 0
    for seed in Self.first..<(Self.first + Self.seeds) where seed % 5 == Int(scene.rawValue) {
      var play = try Play(scene: scene, chance: PlayChance(seed: UInt64(seed)))
      for _ in 0..<Self.ticks {
        if let fault = play.step() {
          Issue.record("seed \(seed), \(fault)")
          break
        }
        carriedOut += play.outcome?.carriedOut.count ?? 0
      }
      played += 1
    }
    #expect(played == Self.seeds / 5)
    #expect(carriedOut > played * 20, "nothing happened")
  }
}
