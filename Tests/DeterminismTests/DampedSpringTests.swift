import Testing

@testable import Determinism

@Suite struct DampedSpringTests {
  private static let step: Float = 1.0 / 360

  /// Half the square of the speed, and of the displacement times ω: for a mass of 1.
  private func energy(_ place: Float, _ speed: Float, frequency: Float) -> Float {
    let omega = 2 * DeterministicMath.pi * frequency
    return 0.5 * (speed * speed + omega * omega * place * place)
  }

  @Test(arguments: [Float(0.1), 1, 4, 30, 60, 500], [Float(0), 0.2, 1, 5])
  func theImplicitMethodNeverAddsEnergy(frequency: Float, ratio: Float) {
    let spring = ImplicitSpring(frequency: frequency, dampingRatio: ratio, step: Self.step)
    for (start, startSpeed) in [(Float(10), Float(0)), (0, 300), (7, -200), (-3, -900)] {
      var (place, speed) = (start, startSpeed)
      for _ in 0..<2000 {
        let before = energy(place, speed, frequency: frequency)
        speed = spring.speed(place, speed)
        place += speed * Self.step
        #expect(energy(place, speed, frequency: frequency) <= before * 1.000_01)
      }
    }
  }

  /// Under a constant pull it comes to rest where the spring's own pull is as large.
  @Test func theImplicitMethodRestsWhereTheExactOneDoes() {
    let spring = ImplicitSpring(frequency: 4, dampingRatio: 0.5, step: Self.step)
    let omega = 2 * DeterministicMath.pi * 4
    let pull: Float = 1000
    var (place, speed): (Float, Float) = (0, 0)
    for _ in 0..<3600 {
      speed = spring.speed(place, speed + pull * Self.step)
      place += speed * Self.step
    }
    #expect(abs(place - pull / (omega * omega)) < 0.001, "\(place)")
    #expect(abs(speed) < 0.001, "\(speed)")
  }

  /// The kicks keep the frequency: after whole periods an undamped one is where it began.
  @Test(arguments: [Float(0.1), 1, 4, 10, 30])
  func kicksKeepTheFrequency(frequency: Float) {
    let kick = DampedSpring(frequency: frequency, dampingRatio: 0, step: Self.step).kick
    #expect(kick.left == 1)
    var (place, speed): (Float, Float) = (50, 0)
    for _ in 0..<3600 {
      speed -= kick.pull * place
      place += Self.step * speed
      speed -= kick.pull * place
    }
    #expect(abs(place - 50) < 0.05, "\(place)")
    #expect(abs(speed) < 0.05 * 2 * DeterministicMath.pi * frequency, "\(speed)")
  }

  /// And the decay, of a damped one: what is left after a second has shrunk by e^(−ζωt) or slower.
  @Test(arguments: [Float(0.5), 4, 30, 60], [Float(0.1), 1, 5, 100])
  func kicksDecay(frequency: Float, ratio: Float) {
    let kick = DampedSpring(frequency: frequency, dampingRatio: ratio, step: Self.step).kick
    #expect(kick.left >= 0 && kick.left < 1 && kick.pull > 0)
    var (place, speed): (Float, Float) = (50, 0)
    var last = Float(50)
    for _ in 0..<20 {
      var most: Float = 0
      for _ in 0..<Int(360 / frequency) {
        speed = speed * kick.left - kick.pull * place
        place += Self.step * speed
        speed = (speed - kick.pull * place) * kick.left
        most = max(most, abs(place))
      }
      #expect(most <= last, "\(most) after \(last)")
      last = most
    }
    #expect(last < 50)
  }
}
