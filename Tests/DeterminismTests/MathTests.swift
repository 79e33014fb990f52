import Determinism
import Foundation
import Testing

@Suite struct MathTests {
  @Test func sineAndCosineStayWithinTheirBound() {
    for i in -20000...20000 {
      let angle = Float(i) * 0.005
      #expect(abs(Double(DeterministicMath.sine(angle)) - sin(Double(angle))) < 2e-7)
      #expect(abs(Double(DeterministicMath.cosine(angle)) - cos(Double(angle))) < 2e-7)
    }
  }

  @Test func bothAtOnceHaveTheBitsOfEach() {
    for angle in (-20000...20000).map({ Float($0) * 0.005 }) + [.nan, .infinity, -1e30, 99_999] {
      let (sine, cosine) = DeterministicMath.sineAndCosine(angle)
      #expect(sine.bitPattern == DeterministicMath.sine(angle).bitPattern, "\(angle)")
      #expect(cosine.bitPattern == DeterministicMath.cosine(angle).bitPattern, "\(angle)")
    }
  }

  @Test func sineOfNonsenseIsANumber() {
    #expect(DeterministicMath.sine(.nan) == 0)
    #expect(DeterministicMath.cosine(.infinity) == 1)
    #expect(DeterministicMath.sine(-1e30) == 0)
  }

  @Test func arcTangentStaysWithinItsBound() {
    for i in -2000...2000 {
      let angle = Double(i) * 0.00157
      for length in [0.001, 1, 5000] {
        let found = DeterministicMath.arcTangent(
          y: Float(sin(angle) * length), x: Float(cos(angle) * length))
        #expect(abs(Double(found) - angle) < 4e-7)
      }
    }
    #expect(DeterministicMath.arcTangent(y: 0, x: 0) == 0)
  }

  @Test func exponentialStaysWithinItsBound() {
    for i in -8700...8800 {
      let x = Float(i) * 0.01
      let known = exp(Double(x))
      #expect(abs(Double(DeterministicMath.exponential(x)) / known - 1) < 2e-7, "\(x)")
    }
    #expect(DeterministicMath.exponential(0) == 1)
  }

  @Test func exponentialIsKnownAtTheEndsOfItsRange() {
    // e⁻⁸⁷, e⁸⁷ and e⁸⁸ to ten digits.
    let known: [(x: Float, power: Double)] = [
      (-87, 1.645811431e-38), (87, 6.076030225e37), (88, 1.651636255e38),
    ]
    for (x, power) in known {
      let found = DeterministicMath.exponential(x)
      #expect(abs(Double(found) / power - 1) < 2e-7, "\(x): \(found)")
    }
    #expect(DeterministicMath.exponential(-87).isNormal)
  }

  @Test func exponentialBeyondItsRangeIsNothingOrStays() {
    let least = -87 as Float
    let most = 88 as Float
    for x in [least.nextDown, -100, -.greatestFiniteMagnitude, -.infinity, .nan] {
      #expect(DeterministicMath.exponential(x) == 0, "\(x)")
    }
    let last = DeterministicMath.exponential(most)
    #expect(last.isFinite)
    for x in [most.nextUp, 100, .greatestFiniteMagnitude, .infinity] {
      #expect(DeterministicMath.exponential(x) == last, "\(x)")
    }
  }

  @Test func generatorIsSplitMix64() {
    // First numbers for seed 1234567 as published with the algorithm.
    var random = RandomGenerator(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    for _ in 0..<1000 {
      let x = random.nextFloat()
      #expect(x >= 0 && x < 1)
      #expect(random.next(below: 7) < 7)
    }
  }
}
