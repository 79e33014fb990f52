import Testing
import Wire

@testable import Simulation

@Suite struct CaptaincyTests {
  private static let unit = Int16(QuantizedGravity.unit)

  /// A blend of people who each repeat a tilt ten times a second, and whose pit it was in a tick.
  private struct Pit {
    var blend = TiltBlend(hasCaptain: true)
    var tick: UInt32 = 0
    var captains: [UInt16?] = []
    var gravity = QuantizedGravity.down

    var captain: Captain? {
      if case .captain(let captain) = blend.rule { captain } else { nil }
    }

    mutating func run(_ ticks: Int, _ people: [UInt16: Int16]) {
      for _ in 0..<ticks {
        tick &+= 1
        if tick % 6 == 1 {
          for (person, x) in people.sorted(by: { $0.key < $1.key }) {
            blend.add(person: person, x: x, y: 0, tick: tick)
          }
        }
        gravity = blend.gravity(at: tick)
        captains.append(captain?.person)
      }
    }

    /// Who had the pit, and for how many ticks.
    var turns: [(person: UInt16?, ticks: Int)] {
      captains.reduce(into: []) { turns, person in
        if let last = turns.indices.last, turns[last].person == person {
          turns[last].ticks += 1
        } else {
          turns.append((person, 1))
        }
      }
    }
  }

  @Test func everybodyHasTenSecondsInTheirOrder() {
    var pit = Pit()
    pit.run(6000, [3: Self.unit, 5: 0, 9: -Self.unit])
    #expect(pit.turns.map(\.person) == [3, 5, 9, 3, 5, 9, 3, 5, 9, 3])
    #expect(pit.turns.allSatisfy { $0.ticks == 600 })
    #expect(pit.blend.count == 1)
  }

  /// Only the captain's tilt counts, in full.
  @Test func theOthersTiltsDontCount() {
    var pit = Pit()
    pit.run(300, [3: Self.unit, 5: -Self.unit, 9: -Self.unit])
    #expect(pit.gravity == QuantizedGravity(x: Self.unit, y: 0))
    pit.run(600, [3: Self.unit, 5: -Self.unit, 9: -Self.unit])
    #expect(pit.gravity == QuantizedGravity(x: -Self.unit, y: 0))
  }

  @Test func whoTiltsAloneKeepsThePit() {
    var pit = Pit()
    pit.run(599, [4: 100])
    let first = pit.captain
    pit.run(10, [4: 100])
    #expect(pit.captain?.person == 4 && pit.captain != first)
    #expect(pit.captain?.ends.ticks(since: first!.ends) == 600)
  }

  @Test func whoComesLaterWaitsForEverybodyWhoWaitsAlready() {
    var pit = Pit()
    pit.run(300, [5: 0, 9: 0])
    pit.run(2100, [2: 0, 5: 0, 9: 0])
    #expect(pit.turns.map(\.person) == [5, 9, 2, 5])
  }

  @Test func whoStopsTiltingOrLeavesGivesItUp() {
    var pit = Pit()
    pit.run(60, [5: 0, 9: 0])
    // The last sample counts for two seconds.
    pit.run(130, [9: 0])
    #expect(pit.captain?.person == 9)
    pit.blend.remove(person: 9)
    pit.run(1, [:])
    #expect(pit.captain == nil && pit.blend.rule == .captain(nil) && pit.blend.count == 0)
    pit.run(120, [:])
    #expect(pit.gravity == .down)
    pit.run(60, [7: 0])
    #expect(pit.captain?.person == 7)
  }

  /// A page among others foretells its own tilt while the pit is its own, and none of it while it
  /// is another's.
  @Test func aPageKnowsWhenItsTiltCounts() throws {
    var world = try Simulation.Pit(PitConfiguration(bodies: 5, maxBodies: 50, seed: 3))
    var coder = RecordCoder(tick: world.tick, gravity: world.gravity)
    var blend = TiltBlend(hasCaptain: true)
    var prediction = Prediction(Replica(world, coder), person: 1, after: 0)
    var foretold: [UInt32: QuantizedGravity] = [:]
    var (wrong, own) = (0, 0)
    for tick in UInt32(1)...1500 {
      if tick % 20 == 1 {
        prediction.tilt(x: -Self.unit, y: 0, for: tick)
        blend.add(person: 1, x: -Self.unit, y: 0, tick: tick)
        blend.add(person: 2, x: Self.unit, y: 0, tick: tick)
      }
      let gravity = blend.gravity(at: tick)
      var record = world.tick(TickInputs(gravity: gravity)).record
      if UInt16(blend.count) != coder.tilting { record.tilting = UInt16(blend.count) }
      if blend.rule != coder.tiltRule { record.tiltRule = blend.rule }
      var bytes: [UInt8] = []
      coder.encode(record, into: &bytes)
      try bytes.withUnsafeBytes { try prediction.receive($0) }
      // Six ticks after the pit was passed on it is known to whom.
      if case .captain(let captain?) = blend.rule, captain.ends.ticks(since: tick) < 570,
        let said = foretold[tick]
      {
        if (Int(said.x) - Int(gravity.x)).magnitude > 200 { wrong += 1 }
        if captain.person == 1 { own += 1 }
      }
      prediction.advance(to: tick &+ 6) { foretold[$0.tick] = $0.gravity }
    }
    #expect(wrong == 0 && own > 500)
  }
}
