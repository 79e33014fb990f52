import Dynamics
import Testing

@Suite struct FallenOffTests {
  /// From 100 the upper edge has to fall 385 pt to 480, the screen's end: after n ticks it has
  /// fallen n(n + 1)/7.2 pt, and so 53 ticks are enough.
  @Test func whoLeavesIsToldOnce() throws {
    var screen = try FallenOff()
    for i in 0..<10 { try screen.drop(at: Vector2(Float(20 + i * 30), 100)) }
    let pieces = screen.pieces
    var told: [Int: [ItemID]] = [:]
    for tick in 1...200 {
      let gone = try screen.step()
      if !gone.isEmpty { told[tick] = gone }
    }
    #expect(told.keys.sorted() == [53] && told[53] == pieces)
    #expect(screen.animator.itemCount == 0 && screen.animator.isPaused)
  }

  @Test func theAnimatorPausesHalfASecondAfterTheLastOne() throws {
    var screen = try FallenOff()
    try screen.drop(at: Vector2(100, 100))
    var ticks = 0
    while screen.animator.isRunning && ticks < 600 {
      _ = try screen.step()
      ticks += 1
    }
    #expect(ticks <= 53 + 31)
  }
}
