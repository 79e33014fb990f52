import Physics
import Testing
import Wire

@testable import Simulation

@Suite struct SharedTiltTests {
  private static let crowds: [Float] = [0.3, 1, 1.5, 2, 5, 20, 100, 4096]

  private func vectors() -> [Vector2] {
    var chance = RandomGenerator(seed: 4)
    return (0..<400).map { _ in
      let length = chance.nextFloat(0, 1)
      let angle = chance.nextFloat(-DeterministicMath.pi, DeterministicMath.pi)
      return Vector2(DeterministicMath.cosine(angle), DeterministicMath.sine(angle)) * length
    }
  }

  /// What a page needs to tell its own share: every mean makes another gravity, and is found again.
  @Test(arguments: crowds) func theMeanIsFoundAgain(people: Float) {
    for mean in vectors() + [.zero, Vector2(0, 0.1), Vector2(0, -0.1), Vector2(0, 1)] {
      let gravity = SharedTilt.gravity(ofMean: mean, people: people)
      #expect(gravity.length < 1.0001)
      let again = SharedTilt.gravity(
        ofMean: SharedTilt.mean(ofGravity: gravity, people: people), people: people)
      #expect((again - gravity).length < 0.001, "\(mean)")
    }
  }

  @Test func onePersonIsAsEver() {
    for tilt in vectors() { #expect(SharedTilt.gravity(ofMean: tilt, people: 1) == tilt) }
  }

  @Test func whoAgreesMakesNoMoreThanTheyTilt() {
    for people in Self.crowds {
      let together = SharedTilt.gravity(ofMean: Vector2(-1, 0), people: people)
      #expect((together - Vector2(-1, 0)).length < 0.001)
    }
  }

  /// The table of the doc comment, by this code: crowds that sway at random are nearly as lively as
  /// one, and rarely hover.
  @Test func aCrowdIsAsLivelyAsOne() {
    func sway(_ people: Int) -> (length: Float, hovering: Float) {
      var chance = RandomGenerator(seed: 9)
      // The sum of three numbers of chance is near enough to what hands do.
      func normal(_ chance: inout RandomGenerator) -> Float {
        chance.nextFloat(-1, 1) + chance.nextFloat(-1, 1) + chance.nextFloat(-1, 1)
      }
      let (kept, pushed) = (Float(0.976_5), 0.6 * Float(1 - 0.976_5 * 0.976_5).squareRoot())
      var hands = (0..<people).map { _ in Vector2(normal(&chance), normal(&chance)) * 0.6 }
      var (smoothed, length, hovering) = (Vector2(0, 1), Float(0), Float(0))
      let ticks = 6000
      for _ in 0..<ticks {
        var sum = Vector2.zero
        for index in hands.indices {
          hands[index] =
            hands[index] * kept + Vector2(normal(&chance), normal(&chance)) * pushed
          let tilted = hands[index].length
          sum += tilted > 1 ? hands[index] / tilted : hands[index]
        }
        let goal = SharedTilt.gravity(ofMean: sum / Float(people), people: Float(people))
        smoothed += (goal - smoothed) * TiltBlend.share
        length += smoothed.length
        if smoothed.length < 0.1 { hovering += 1 }
      }
      return (length / Float(ticks), hovering / Float(ticks))
    }
    let alone = sway(1)
    for people in [2, 5, 20, 100] {
      let crowd = sway(people)
      #expect(crowd.length > 0.8 * alone.length, "\(people): \(crowd), alone \(alone)")
      #expect(crowd.length < 1.2 * alone.length)
      #expect(crowd.hovering < 0.04)
    }
  }

  @Test func whereTiltsCancelThingsFallSlowly() {
    for people: Float in [2, 4, 100] {
      let gravity = SharedTilt.gravity(ofMean: .zero, people: people)
      #expect(gravity.x == 0 && gravity.y > 0.2 && gravity.y < 0.4)
    }
  }
}
