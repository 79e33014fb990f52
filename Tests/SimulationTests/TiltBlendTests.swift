import Physics
import Testing
import Wire

@testable import Simulation

@Suite struct TiltBlendTests {
  /// Runs the blend until the low-pass has arrived, repeating the samples as pages do.
  private func settled(_ samples: [(UInt16, Int16, Int16)]) -> QuantizedGravity {
    var blend = TiltBlend()
    var gravity = QuantizedGravity.down
    for tick in UInt32(0)..<120 {
      for (person, x, y) in samples { blend.add(person: person, x: x, y: y, tick: tick) }
      gravity = blend.gravity(at: tick)
    }
    return gravity
  }

  @Test func straightDownWhenNobodyTilts() {
    #expect(settled([]) == .down)
  }

  @Test func onePersonDecidesAlone() {
    #expect(settled([(7, 16_384, 0)]) == QuantizedGravity(x: 16_384, y: 0))
  }

  /// … and what they lean against each other on falls slowly, instead of hovering.
  @Test func opposingPeopleCancel() {
    let gravity = settled([(1, 16_384, 0), (2, -16_384, 0)])
    #expect(abs(gravity.x) <= 1 && abs(gravity.y - 16_384 / 4) <= 2)
  }

  @Test func aFlatPhoneFloats() {
    let gravity = settled([(1, 0, 0)])
    #expect(abs(gravity.x) <= 1 && abs(gravity.y) <= 1)
  }

  @Test func longVectorsAreShortened() {
    let gravity = settled([(1, 32_767, -32_768)])
    #expect(abs(gravity.x - 11_585) <= 2 && abs(gravity.y + 11_585) <= 2)
  }

  @Test func theOrderOfArrivalDoesNotMatter() {
    let samples: [(UInt16, Int16, Int16)] = [(9, 100, 7000), (3, -900, 80), (5, 16_000, 3)]
    #expect(settled(samples) == settled(samples.reversed()))
  }

  @Test func lowPassOfAHundredMilliseconds() {
    var blend = TiltBlend()
    _ = blend.gravity(at: 0)
    blend.add(person: 1, x: 16_384, y: 0, tick: 1)
    var gravity = QuantizedGravity.down
    for tick in UInt32(1)...6 { gravity = blend.gravity(at: tick) }
    // 6 ticks are 100 ms: 1 − 1/e of the way.
    #expect(abs(Int(gravity.x) - 10_357) <= 4)
    #expect(abs(Int(gravity.y) - 6_027) <= 4)
  }

  @Test func freshnessFadesFromHalfASecondToTwo() {
    // Person 1 stays fresh and points right, person 2 said left once, at tick 0. 75 ticks later its
    // weight is half: the mean is (1 − 0.5) / 1.5, of one person and a half.
    var blend = TiltBlend()
    blend.add(person: 2, x: -16_384, y: 0, tick: 0)
    var probe = blend
    func mean(at tick: UInt32) -> Double {
      probe = blend
      for step in UInt32(0)..<200 {
        probe.add(person: 1, x: 16_384, y: 0, tick: tick &+ step)
        probe.add(person: 2, x: -16_384, y: 0, tick: step)
        _ = probe.gravity(at: tick &+ step)
      }
      probe.add(person: 1, x: 16_384, y: 0, tick: tick &+ 200)
      return Double(probe.gravity(at: tick &+ 200).x) / 16_384
    }
    #expect(abs(mean(at: 30)) < 0.002)
    let expected = SharedTilt.gravity(ofMean: Vector2(1.0 / 3, 0), people: 1.5)
    #expect(abs(mean(at: 75) - Double(expected.x)) < 0.01 && expected.x > 0.4)
    #expect(mean(at: 120) > 0.999)
  }

  @Test func afterTwoSecondsOfSilenceItIsDownAgain() {
    var blend = TiltBlend()
    blend.add(person: 1, x: 16_384, y: 0, tick: 0)
    for tick in UInt32(0)..<119 { _ = blend.gravity(at: tick) }
    #expect(blend.gravity(at: 119).x > 16_000)
    for tick in UInt32(120)..<240 { _ = blend.gravity(at: tick) }
    #expect(blend.gravity(at: 240) == .down)
  }

  @Test func whoLeavesNoLongerCounts() {
    var blend = TiltBlend()
    blend.add(person: 1, x: 16_384, y: 0, tick: 0)
    blend.remove(person: 1)
    blend.remove(person: 4)
    #expect(blend.gravity(at: 1) == .down)
  }

  @Test func whoTiltsIsToldAsLongAsItCounts() {
    var blend = TiltBlend()
    var tilts = [PersonTilt(person: 9, x: 1, y: 1)]
    blend.tilts(at: 0, into: &tilts)
    #expect(tilts == [])
    for person in UInt16(1)...20 { blend.add(person: 21 - person, x: 0, y: 16_384, tick: 0) }
    blend.add(person: 2, x: -32_768, y: 0, tick: 10)
    blend.tilts(at: 119, into: &tilts)
    #expect(tilts.map(\.person) == Array(1...12))
    #expect(tilts[0] == PersonTilt(person: 1, x: 0, y: 64))
    #expect(tilts[1] == PersonTilt(person: 2, x: -64, y: 0))
    blend.tilts(at: 120, into: &tilts)
    #expect(tilts.map(\.person) == [2])
    blend.tilts(at: 130, into: &tilts)
    #expect(tilts == [])
  }

  @Test func callsMayLeaveTicksOut() {
    var everyTick = TiltBlend()
    var third = TiltBlend()
    everyTick.add(person: 1, x: 5000, y: -5000, tick: 0)
    third.add(person: 1, x: 5000, y: -5000, tick: 0)
    for tick in UInt32(0)...30 {
      let gravity = everyTick.gravity(at: tick)
      if tick % 3 == 0 { #expect(third.gravity(at: tick) == gravity) }
    }
  }
}
