import Physics
import Testing
import Wire

@testable import Simulation

/// A page among others who tilt: the log tells it how many they are, so its own tilt counts for one
/// of them in the ticks that it foretells.
@Suite struct ForetoldGravityTests {
  private static let ahead: UInt32 = 6
  private static let unit = Int16(QuantizedGravity.unit)

  @Test(arguments: [1, 2, 9]) func ownTiltIsOneAmongMany(others: UInt16) throws {
    var pit = try Pit(PitConfiguration(bodies: 20, maxBodies: 200, seed: 3))
    var coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    var blend = TiltBlend()
    var prediction = Prediction(Replica(pit, coder), person: 1, after: 0)
    var (foretold, wrong) = ([UInt32: QuantizedGravity](), 0)
    for tick in UInt32(1)...300 {
      let aim = tick &+ Self.ahead
      // It leans to the left, who came after it to the right; all say it again now and then.
      if tick % 20 == 1 {
        prediction.tilt(x: -Self.unit, y: 0, for: tick)
        blend.add(person: 1, x: -Self.unit, y: 0, tick: tick)
        if tick > 60 {
          for other in 2...(others + 1) {
            blend.add(person: other, x: Self.unit, y: 0, tick: tick)
          }
        }
      }
      let gravity = blend.gravity(at: tick)
      var record = pit.tick(TickInputs(gravity: gravity)).record
      let tilting = UInt16(blend.count)
      if tilting != coder.tilting { record.tilting = tilting }
      var bytes: [UInt8] = []
      coder.encode(record, into: &bytes)
      try bytes.withUnsafeBytes { try prediction.receive($0) }
      if tick > 70, let said = foretold[tick] {
        let error = Int(said.x) - Int(gravity.x)
        if error.magnitude > Self.unit.magnitude / 100 { wrong += 1 }
      }
      prediction.advance(to: aim) { foretold[$0.tick] = $0.gravity }
    }
    #expect(coder.tilting == others + 1)
    #expect(wrong == 0)
    let mean = (Float(others) - 1) / (Float(others) + 1)
    let goal = SharedTilt.gravity(ofMean: Vector2(mean, 0), people: Float(others) + 1)
    #expect(abs(Float(prediction.pit.gravity.x) - goal.x * QuantizedGravity.unit) < 50)
  }
}
