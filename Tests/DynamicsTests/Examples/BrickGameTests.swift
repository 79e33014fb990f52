import Dynamics
import Testing

@Suite struct BrickGameTests {
  /// A player who never misses, and aims a little beside the ball.
  @Test func allBricksFallAndTheBallKeepsItsSpeed() throws {
    var game = try BrickGame()
    let speed = game.animator.linearVelocity(of: game.ball).length
    var (fallen, ticks) = (0, 0)
    while !game.bricks.isEmpty && !game.isLost && ticks < 60 * 300 {
      let aim = Float(ticks % 50) - 25
      try game.movePaddle(to: game.animator.center(of: game.ball).x + aim * 0.6)
      fallen += try game.step()
      ticks += 1
      let velocity = game.animator.linearVelocity(of: game.ball)
      #expect(abs(velocity.length - speed) < 0.01 * speed, "tick \(ticks)")
    }
    #expect(!game.isLost && game.bricks.isEmpty && fallen == 32, "\(fallen) in \(ticks) ticks")
    #expect(game.animator.itemCount == 2)
  }

  @Test func aMissedBallIsLost() throws {
    var game = try BrickGame()
    var ticks = 0
    while !game.isLost && ticks < 600 {
      try game.movePaddle(to: game.animator.center(of: game.ball).x < 160 ? 284 : 36)
      _ = try game.step()
      ticks += 1
    }
    #expect(game.isLost)
  }
}
