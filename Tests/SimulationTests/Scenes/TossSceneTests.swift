import Dynamics
import Physics
import Testing
import Wire

@testable import Simulation

/// "Toss (320×568)" of the facts about the five scenes, number by number.
@Suite struct TossSceneTests {
  @Test func cardsLieInTheirPlacesAndNothingFalls() throws {
    var stage = try Stage(.toss)
    #expect(stage.pit.worldSize == Vector2(320, 568))
    #expect(stage.pit.bodyCount == 3)
    #expect(stage.center(0) == Vector2(160, 223))
    #expect(stage.animator.shape(of: stage.item(0)).size == Vector2(254, 172))
    #expect(abs(stage.animator.mass(of: stage.item(0)) - 4.3688) < 0.0001)
    #expect(stage.animator.properties(of: stage.item(0)).friction == 0.2)
    stage.tick(120)
    for slot in 0..<3 { #expect(stage.center(slot) == Vector2(160, 223 + 60 * Float(slot))) }
    #expect(stage.boundaryIDs.isEmpty)
  }

  @Test func aHeldCardSwingsAboutTheTouchedPoint() throws {
    var stage = try Stage(.toss, bodies: 1)
    stage.grab(0, at: Vector2(220, 170))
    stage.tick()
    var turned: Float = 0
    for step in 1...60 {
      let finger = Vector2(220, 170) + Vector2(1, 2) * Float(step)
      stage.move(0, to: finger)
      stage.tick()
      let state = stage.state(0)
      let touched = state.center + Vector2(60, -53).rotated(by: state.rotation)
      #expect((touched - finger).length < 0.5)
      turned = max(turned, abs(state.angle))
    }
    #expect(turned > 0.2)
  }

  @Test func aFastReleasePushesSpinsAndReturnsAfter24And30Ticks() throws {
    var stage = try Stage(.toss, bodies: 1)
    stage.grab(0, at: Vector2(160, 223))
    stage.tick(10)
    #expect(stage.velocity(0) == .zero)
    stage.release(0, velocity: Vector2(1200, -900))
    stage.tick()
    let flying = stage.state(0)
    // Magnitude 1500/35 on mass 4.3688 adds 0.654 of the speed.
    #expect(abs(flying.velocity.x - 0.654 * 1200) < 1)
    #expect(abs(flying.velocity.y + 0.654 * 900) < 1)
    let spin = flying.angularVelocity
    #expect(abs(spin - spin.rounded()) < 0.001 && spin >= -10.001 && spin <= 9.001)
    let way = Vector2(0.654 * 1200, -0.654 * 900) / 60
    for ticks in 2...24 {
      stage.tick()
      let expected = Vector2(160, 223) + way * Float(ticks)
      #expect((stage.center(0) - expected).length < 1)
    }
    // Then 30 ticks of a way home that ends exactly there, upright.
    var distance = (stage.center(0) - Vector2(160, 223)).length
    for ticks in 1...30 {
      stage.tick()
      let left = (stage.center(0) - Vector2(160, 223)).length
      #expect(left < distance)
      #expect((left == 0) == (ticks == 30))
      distance = left
    }
    #expect(stage.state(0).angle == 0)
    stage.tick(60)
    #expect(stage.center(0) == Vector2(160, 223))
  }

  @Test func spinsAreWholeNumbersFromMinusTenToNine() throws {
    var spins: Set<Int> = []
    for seed in UInt64(1)...200 {
      var stage = try Stage(.toss, bodies: 1, seed: seed)
      stage.grab(0, at: Vector2(160, 223))
      stage.tick(2)
      stage.release(0, velocity: Vector2(0, -2000))
      stage.tick()
      spins.insert(Int(stage.state(0).angularVelocity.rounded()))
    }
    #expect(spins == Set(-10...9))
  }

  @Test func theThresholdIs1000PointsASecond() throws {
    for (speed, isTossed) in [(Float(1000), false), (1001, true)] {
      var stage = try Stage(.toss, bodies: 1)
      stage.grab(0, at: Vector2(160, 223))
      stage.tick()
      for step in 1...20 {
        stage.move(0, to: Vector2(160, 223 + Float(step)))
        stage.tick()
      }
      stage.tick(5)
      stage.release(0, velocity: Vector2(0, speed))
      stage.tick()
      let isBelow = stage.center(0).y > 243.5
      #expect(isBelow == isTossed)
      // Slower: it sets off at once and is there in the thirtieth tick.
      stage.tick(28)
      #expect(stage.center(0) != Vector2(160, 223))
      stage.tick()
      #expect((stage.center(0) == Vector2(160, 223)) == !isTossed)
    }
  }

  @Test func aFlickTossesTheTopmostCard() throws {
    var stage = try Stage(.toss)
    stage.give(.throwSticker(x: 160 * 8, y: 300 * 8, velocityX: 0, velocityY: -3000))
    stage.tick(5)
    #expect(stage.center(2).y < 343 - 30)
    #expect(stage.center(0) == Vector2(160, 223) && stage.center(1) == Vector2(160, 283))
  }

  @Test func aCardOnItsWayCanBeTakenAgain() throws {
    var stage = try Stage(.toss, bodies: 1)
    stage.grab(0, at: Vector2(160, 223))
    stage.tick()
    stage.release(0, velocity: Vector2(1100, 0))
    stage.tick(12)
    let center = stage.center(0)
    stage.grab(0, at: center, by: 2)
    stage.tick(100)
    #expect((stage.center(0) - center).length < 1)
    stage.give(.leave, by: 2)
    stage.tick(30)
    #expect(stage.center(0) == Vector2(160, 223))
  }
}
