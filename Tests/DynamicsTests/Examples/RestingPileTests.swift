import Dynamics
import Testing

@Suite struct RestingPileTests {
  @Test(arguments: [1, 6, 30, 54])
  func thePilePausesWithinASecondOfRest(_ count: Int) throws {
    var pile = try RestingPile(count: count)
    var (lastMove, ticks) = (0, 0)
    while try pile.step(gravity: Vector2(0, 1)), ticks < 1200 {
      ticks += 1
      if pile.speed >= 1 { lastMove = ticks }
    }
    #expect(pile.animator.isPaused && ticks - lastMove <= 60, "\(lastMove) of \(ticks)")
    let time = pile.animator.elapsedTime
    for _ in 0..<600 { #expect(try !pile.step(gravity: Vector2(0, 1))) }
    #expect(pile.animator.elapsedTime == time)
    #expect(try pile.step(gravity: Vector2(1, 0)), "a real change wakes it")
    #expect(pile.animator.events.willResume)
  }
}
