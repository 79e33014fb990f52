import Simulation
import Testing
import Wire

@testable import Server

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
    var client = StreamPosition?.none
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
      let edition = sent.editions[stream]
      if step > 60, let next = edition.next(after: client, at: sent.tick) {
        client = next
        got += 1
      } else if client != nil {
        missed += 1
      }
      var demand = StreamKey.all.map { _ in StreamDemand() }
      demand[stream].wantsKeyframe = client == nil && step > 60
      if let client, !client.isInStep { demand[stream].add(client) }
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

extension Edition {
  /// Where a client at a place is after this tick; nil if there is no frame for it. As
  /// `Session.delivery` chooses.
  fileprivate func next(after position: StreamPosition?, at tick: UInt32) -> StreamPosition? {
    guard let position else { return keyframePosition }
    if position.isInStep, position.tick == base {
      return hasOwn ? StreamPosition(tick: tick, isInStep: true) : position
    }
    return catchUp(from: position)?.to
  }
}
