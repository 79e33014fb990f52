import Dynamics
import Testing

@Suite struct SqueezedTests {
  /// Presses of many sizes and weights, at balls and boxes of many places: the wedge between a
  /// round press and the floor shoots some of them off at 10 000 pt/s.
  @Test func whatIsSqueezedStaysInTheBox() throws {
    var numbers = RandomGenerator(seed: 7)
    for run in 0..<1500 {
      let size = numbers.nextFloat(10, 60)
      let shape: ItemShape =
        run % 3 == 0 ? .rectangle(width: size, height: size) : .circle(diameter: size)
      let x = numbers.nextFloat(101 + size, 299 - size)
      var scene = try Squeezed(
        ball: shape, x: x, press: numbers.nextFloat(20, 180),
        density: numbers.nextFloat(0.5, 20))
      try scene.press(
        towards: Vector2(x + numbers.nextFloat(-20, 20), numbers.nextFloat(380, 430)))
      for tick in 0..<120 {
        scene.animator.step()
        let center = scene.animator.center(of: scene.ball)
        guard Squeezed.box.contains(center) else {
          Issue.record("run \(run), tick \(tick): \(center)")
          break
        }
      }
    }
  }
}
