import Play
import Simulation

/// What people do, chosen by the input: the first byte is the scene, the others are the decisions.
/// Every frame that anybody's client is sent must be read and be right.
enum PlayFuzzing {
  /// Ticks at most, and how many go on after the last decision: what was done has its effects.
  private static let mostTicks = 900
  private static let ticksAfter = 30

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first, let scene = Scene(rawValue: first % 5),
      var play = try? Play(scene: scene, chance: PlayChance(bytes: Array(bytes.dropFirst())))
    else { return }
    var left = ticksAfter
    for _ in 0..<mostTicks where left > 0 {
      if let fault = play.step() { fatalError("\(fault)") }
      if play.isOver { left -= 1 }
    }
  }

  /// Bytes without a pattern: any decisions are a play.
  static func seeds() -> [[UInt8]] {
    (0..<UInt64(10)).map { seed in
      var state = seed
      return [UInt8(seed % 5)]
        + (0..<2000).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
  }
}
