import Foundation
import Physics
import Testing

@Suite struct MathTests {
  @Test func sineAndCosineStayWithinTheirBound() {
    for i in -20000...20000 {
      let angle = Float(i) * 0.005
      #expect(abs(Double(DeterministicMath.sine(angle)) - sin(Double(angle))) < 2e-7)
      #expect(abs(Double(DeterministicMath.cosine(angle)) - cos(Double(angle))) < 2e-7)
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
