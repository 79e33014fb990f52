import Dynamics
import Testing

@Suite struct RopeBridgeTests {
  @Test func theWalkerCrossesAndTheBridgeHolds() throws {
    var bridge = try RopeBridge(planks: 10)
    var ticks = 0
    while bridge.animator.center(of: bridge.walker).x < 370 {
      bridge.step()
      ticks += 1
      try #require(ticks < 1200)
      #expect(bridge.animator.center(of: bridge.walker).y < 215)
      for (one, next) in zip(bridge.planks, bridge.planks.dropFirst()) {
        let end = bridge.animator.convert(Vector2(15, 0), from: one)
        let start = bridge.animator.convert(Vector2(-15, 0), from: next)
        #expect((end - start).length < 0.5)
      }
    }
    #expect(ticks > 60)
  }
}
