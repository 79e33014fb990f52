import CAllocationCount
import Simulation
import Testing
import Wire

@testable import Server

/// A tick of a moving pit, from the bodies to the bytes that go out, allocates nothing.
@Suite struct StreamAllocationTests {
  /// The tick thread's and the network thread's side of a tick, without the pit's own step.
  private struct Desk {
    let exchange = Exchange(limits: Limits())
    var desk = StreamDesk(limits: Limits())
    var pit: Pit
    var blend = TiltBlend()
    var inputs = TickInputs()
    var bodies: [StreamBody] = []
    var scenery = Scenery()
    var taken: [Publication] = []
    var bytes = 0

    init(bodies count: Int) throws {
      pit = try Pit(PitConfiguration(bodies: count, maxBodies: count, seed: 3))
    }

    mutating func step() {
      let tick = pit.tick.nextTick
      let isLeft = tick / 60 % 2 == 0
      if tick % 20 == 1 { blend.add(person: 1, x: isLeft ? 16_384 : -16_384, y: 0, tick: tick) }
      inputs.gravity = blend.gravity(at: tick)
      pit.tick(inputs)
    }

    mutating func publish(_ demand: [StreamDemand]) {
      let publication = exchange.blankPublication()
      pit.bodies(into: &bodies)
      publication.tick = pit.tick
      desk.encode(pit, bodies: bodies, scenery: scenery, demand: demand, into: publication)
      exchange.worlds.record(
        tick: pit.tick, gravity: pit.gravity, bodies: bodies, scenery: scenery)
      exchange.publish(publication, health: TickHealth())
      exchange.lanes[0].exchange(&taken)
      for publication in taken {
        for edition in publication.editions where edition.hasOwn { bytes += edition.own.count }
      }
    }
  }

  /// All streams wanted; with `joiners`, in each somebody joins and others are one and five frames
  /// behind, all the time.
  private func demand(joiners: Bool, at tick: UInt32) -> [StreamDemand] {
    StreamKey.all.map { key in
      var demand = StreamDemand()
      demand.isWanted = true
      guard joiners else { return demand }
      demand.wantsKeyframe = true
      for frames: UInt32 in [1, 5] {
        let base = tick &- frames &* key.rate.interval
        demand.add(StreamPosition(tick: base, isInStep: false, isCoarse: frames > 1))
      }
      return demand
    }
  }

  @Test(arguments: [false, true])
  func encodingAMovingPitAllocatesNothing(joiners: Bool) throws {
    var desk = try Desk(bodies: 300)
    // Two rounds of the ring of worlds, and of all streams' histories.
    for _ in 0..<500 {
      desk.step()
      desk.publish(demand(joiners: joiners, at: desk.pit.tick))
    }
    desk.bytes = 0
    let before = desk.desk.encoded
    var counts: [Int] = []
    counts.reserveCapacity(120)
    for _ in 0..<120 {
      desk.step()
      let demand = demand(joiners: joiners, at: desk.pit.tick)
      allocation_count_begin()
      desk.publish(demand)
      counts.append(allocation_count_end())
    }
    // Eight streams of different rates, all of them with something to say.
    #expect(desk.bytes > 120 * 300)
    let frames = 2 * (120 + 60 + 40 + 20)
    #expect(desk.desk.encoded.own - before.own == frames)
    #expect(desk.desk.encoded.keyframes - before.keyframes == (joiners ? frames : 0))
    #expect(desk.desk.encoded.catchUps - before.catchUps == (joiners ? 2 * frames : 0))
    // Debug builds box closures and temporaries; the promise is about release builds.
    #if !DEBUG
      #expect(counts.allSatisfy { $0 == 0 }, "\(counts)")
    #endif
  }
}
