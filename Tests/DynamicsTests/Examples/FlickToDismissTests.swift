import Dynamics
import Testing

@Suite struct FlickToDismissTests {
  private func held() throws -> FlickToDismiss {
    let screen = Rect2(x: 0, y: 0, width: 320, height: 568)
    var game = try FlickToDismiss(screen: screen, card: Vector2(254, 172))
    try game.touchBegan(at: game.home)
    for tick in 1...20 {
      try game.touchMoved(to: game.home + Vector2(Float(tick) * 2, 0))
      try game.step()
    }
    #expect((game.animator.center(of: game.card) - game.home - Vector2(40, 0)).length < 0.5)
    return game
  }

  @Test func aSlowReleaseSendsTheCardHome() throws {
    var game = try held()
    try game.touchEnded(velocity: Vector2(900, 0))
    for _ in 0..<120 { try game.step() }
    #expect(!game.isDismissed && game.animator.isPaused)
    #expect((game.animator.center(of: game.card) - game.home).length < 0.01)
    #expect(game.animator.angle(of: game.card) == 0)
  }

  /// From 200 the card has to go 120 + 127 pt until its left edge leaves the screen of 320: 12.35
  /// ticks at 1200 pt/s.
  @Test func aFlickDismissesIt() throws {
    var game = try held()
    try game.touchEnded(velocity: Vector2(1200, 0))
    var ticks = 0
    while !game.isDismissed && ticks < 60 {
      try game.step()
      ticks += 1
    }
    #expect(ticks == 13)
    #expect(game.animator.itemCount == 0 && game.animator.behaviorIDs.isEmpty)
    for _ in 0..<31 { try game.step() }
    #expect(game.animator.isPaused)
    try game.touchBegan(at: game.home)
    #expect(game.animator.isPaused, "nobody is there to be touched")
  }

  @Test func whoIsCaughtOnItsWayHomeIsHeldByOneBehaviour() throws {
    var game = try held()
    for _ in 0..<50 {
      try game.touchEnded(velocity: .zero)
      try game.step()
      try game.touchBegan(at: game.animator.center(of: game.card))
      try game.step()
    }
    #expect(game.animator.behaviorIDs.count == 1)
  }
}
