import Simulation
import Testing
import Wire

@testable import Server
@testable import Transport

/// With many clients a tick is still being sent when the next one is encoded. What clients need is
/// known too late then, and everybody must get every frame all the same.
@Suite struct LateFanOutTests {
  /// Ticks after the one that is being encoded until the network thread has sent it.
  @Test(arguments: [0, 1, 3]) func whoJustJoinedGetsEveryFrame(late: Int) throws {
    let exchange = Exchange(limits: Limits())
    let lane = exchange.lanes[0]
    var desk = StreamDesk(limits: Limits())
    var pit = try Pit(PitConfiguration(bodies: 60, maxBodies: 60, seed: 5))
    let stream = StreamKey(rate: .hz60, profile: .strict).index
    let offer = StreamOffer(bodyCap: 60, limits: Limits())
    let client = Session(
      connection: MemoryConnection(id: 1), limits: Limits(), offer: offer, awake: 0)
    var (got, missed) = (0, 0)
    var unsent: [Publication] = []
    for step in 0..<240 {
      var arrivals: [Arrival] = []
      var wanted = StreamKey.all.map { _ in StreamDemand() }
      exchange.takeInputs(into: &arrivals, &wanted, desk.steps)
      // The stream is there before the client, who joins in its second.
      wanted[stream].isWanted = true
      pit.tick(TickInputs())
      let publication = Publication()
      publication.tick = pit.tick
      var bodies: [StreamBody] = []
      pit.bodies(into: &bodies)
      desk.encode(pit, bodies: bodies, scenery: Scenery(), demand: wanted, into: publication)
      unsent.append(publication)
      guard unsent.count > late else { continue }
      let sent = unsent.removeFirst()
      let now = UInt64(step) * 16_666_667
      var demand = StreamKey.all.map { _ in StreamDemand() }
      if step > 60 {
        switch client.delivery(from: sent.editions[stream], at: sent.tick) {
        case .frame(_, _, let next):
          #expect(client.wrote(leadingTo: next, at: now, awake: now) == nil)
          got += 1
        case .nothing: got += 1
        case .wait: if got > 0 { missed += 1 }
        }
        client.addDemand(to: &demand[stream], at: now)
      }
      lane.demand(demand, after: sent.tick)
    }
    #expect(got > 160 && missed == 0)
  }

  @Test func whatWasNeededIsLedOn() {
    var steps = FrameSteps()
    let places = (0..<5).map { StreamPosition(tick: UInt32(100 + $0), isInStep: $0 == 4) }
    steps.begin(101)
    steps.add(2, from: places[0], to: places[1])
    steps.begin(102)
    steps.add(2, from: places[1], to: places[2])
    steps.add(3, from: places[1], to: places[3])
    steps.add(2, from: nil, to: places[3])
    func led(_ demand: StreamDemand, of stream: Int, after tick: UInt32) -> StreamDemand {
      var wanted = StreamDemand()
      steps.add(demand, of: stream, after: tick, to: &wanted)
      return wanted
    }
    var demand = StreamDemand()
    demand.isWanted = true
    demand.add(places[0])
    #expect(led(demand, of: 2, after: 100).positions == [places[2]])
    #expect(led(demand, of: 1, after: 100).positions == [places[0]], "another stream")
    #expect(led(demand, of: 2, after: 102) == demand, "it was heard in time")
    #expect(led(demand, of: 2, after: 50) == demand, "too long ago")
    demand.wantsKeyframe = true
    #expect(led(demand, of: 2, after: 101).positions == [places[0], places[3]])
    #expect(led(demand, of: 2, after: 101).wantsKeyframe)
    // Who is in step by now needs nothing.
    steps.begin(103)
    steps.add(2, from: places[2], to: places[4])
    demand.wantsKeyframe = false
    #expect(led(demand, of: 2, after: 100).positions.isEmpty)
  }
}
