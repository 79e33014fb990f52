import Foundation
import Testing
import Transport
import Wire

@testable import Server

/// A network thread that is late sends one frame for all that it missed, and what is shed comes in
/// an order.
@Suite struct OverloadTests {
  /// Between two deadlines, so that no rounding decides whether a tick has run.
  private let halfTick = 1.0 / 120

  /// Lets the thread be woken at every `ticks`-th tick only.
  private func crawl(_ pit: VirtualServer, ticks: Int, turns: Int) {
    for _ in 0..<turns {
      pit.heldThreads = [0]
      pit.advance(seconds: Double(ticks - 1) / 60)
      pit.heldThreads = []
      pit.advance(seconds: 1.0 / 60)
    }
  }

  /// What `/healthz` says of the server in one word.
  private func status(_ pit: VirtualServer) throws -> String? {
    let page = try #require(pit.ask("/healthz"))
    let object = try JSONSerialization.jsonObject(with: Data(page.body)) as? [String: Any]
    return object?["status"] as? String
  }

  @Test func aFewLateTicksAreSentOneByOne() throws {
    let pit = try VirtualServer(bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 10 + halfTick)
    probe.say(.tilt(x: 16_384, y: 0))
    pit.advance(seconds: 0.2)
    let before = probe.frames.count
    crawl(pit, ticks: LoadWatch.ticksTolerated, turns: 20)
    let got = probe.frames[before...]
    #expect(got.map { 1 + Int($0.held) }.reduce(0, +) == 60 && got.allSatisfy { $0.skipped == 0 })
    #expect(pit.hub.traffic.collapsed == 0)
  }

  @Test func aBacklogBecomesOneFrame() throws {
    let pit = try VirtualServer(bodies: 60)
    let shaker = Probe(pit)
    pit.advance(seconds: 10 + halfTick)
    shaker.say(.tilt(x: 16_384, y: 0))
    pit.advance(seconds: 0.2)
    let before = shaker.frames.count
    crawl(pit, ticks: 8, turns: 1)
    #expect(shaker.frames.count == before, "what there is does not fit")
    pit.advance(seconds: 1.0 / 60)
    let got = shaker.frames[before...]
    #expect(got.count == 1 && got.first?.skipped == 8 && got.first?.isKeyframe == false)
    #expect(pit.hub.traffic.collapsed == 7)
    #expect(shaker.failures.isEmpty)
  }

  @Test func aThreadThatIsAlwaysLateKeepsEverybodyInThePresent() throws {
    let pit = try VirtualServer(bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 2 + halfTick)
    for turn in 0..<40 {
      probe.say(.tilt(x: turn % 2 == 0 ? 16_384 : -16_384, y: 0))
      crawl(pit, ticks: 5, turns: 1)
      pit.advance(seconds: 1.0 / 60)
      #expect(probe.decoder.world.tick == pit.tick)
    }
    #expect(probe.failures.isEmpty && probe.frames.filter(\.isKeyframe).count == 1)
  }

  /// Who missed the same gets the same frames until the stream's next entry point: nobody is served
  /// alone for it, which would keep a late thread late.
  @Test func thoseWhoMissedTheSameStayTogether() throws {
    let pit = try VirtualServer(bodies: 60)
    let probes = (0..<5).map { _ in Probe(pit) }
    let audience = pit.hub.audience
    let group = audience.byStream[StreamKey(rate: .hz60, profile: .strict).index]
    for second in 0..<10 {
      probes[0].say(.tilt(x: second % 2 == 0 ? 16_384 : -16_384, y: 0))
      pit.advance(seconds: 1 + (second == 9 ? halfTick : 0))
    }
    #expect(group.members.count == 5 && group.position.isInStep)
    crawl(pit, ticks: 8, turns: 1)
    #expect(!group.position.isInStep)
    pit.advance(seconds: 1.0 / 60)
    let catchUps = pit.hub.traffic.catchUps
    for tick in 0..<30 {
      if tick % 10 == 0 { probes[0].say(.tilt(x: tick % 20 == 0 ? 16_384 : -16_384, y: 0)) }
      pit.advance(seconds: 1.0 / 60)
      #expect(group.members.count == 5 && audience.behind.members.isEmpty)
      #expect(probes.allSatisfy { $0.decoder.world.tick == pit.tick })
    }
    #expect(pit.hub.traffic.catchUps >= catchUps + 5 * 20)
    // The stream can be entered every eight seconds.
    for second in 0..<9 {
      probes[0].say(.tilt(x: second % 2 == 0 ? 16_384 : -16_384, y: 0))
      pit.advance(seconds: 1)
    }
    #expect(group.members.count == 5 && group.position.isInStep)
    #expect(probes.allSatisfy { $0.failures.isEmpty && $0.closed == nil })
  }

  /// Something else than frames keeps it busy, so that no turn is on time.
  @Test(arguments: [4, 5, 6, 9], [0, 1, 2, 3])
  func whoIsLateInEveryTurnStillMovesOn(ticks: Int, sendingTicks: Int) throws {
    let pit = try VirtualServer(bodies: 60)
    let rates: [FrameRate] = [.hz60, .hz30, .hz10]
    let probes = rates.map { Probe(pit, hello: Hello(rate: $0)) }
    pit.advance(seconds: 2 + halfTick)
    pit.sendingTicks = sendingTicks
    var worst = [0, 0, 0]
    for turn in 0..<60 {
      probes[0].say(.tilt(x: turn % 2 == 0 ? 16_384 : -16_384, y: 0))
      crawl(pit, ticks: ticks, turns: 1)
      for (index, probe) in probes.enumerated() {
        worst[index] = max(worst[index], pit.tick.ticks(since: probe.decoder.world.tick))
      }
    }
    for (index, probe) in probes.enumerated() {
      #expect(worst[index] < 4 * ticks + 12, "\(rates[index]): \(worst[index]) ticks behind")
      #expect(probe.failures.isEmpty)
      #expect(probe.frames.filter(\.isKeyframe).count <= 2)
    }
  }

  @Test func newcomersAreRefusedFirstAndOnlyWhileItLasts() throws {
    let pit = try VirtualServer(bodies: 60)
    let probe = Probe(pit)
    pit.advance(seconds: 2 + halfTick)
    let token = try #require(probe.welcome).token
    #expect(try status(pit) == "ok")
    crawl(pit, ticks: 5, turns: 12)
    #expect(pit.hub.load.isOverloaded(at: pit.hub.time.now))
    #expect(pit.ask("/readyz")?.status == 503)
    #expect(try status(pit) == "degraded")
    let newcomer = Probe(pit)
    let returning = Probe(pit, hello: Hello(resumeToken: token))
    pit.advance(seconds: 0.5)
    #expect(newcomer.closed?.code == .tryAgainLater && newcomer.welcome == nil)
    #expect(returning.welcome?.clientID == probe.welcome?.clientID)
    #expect(pit.hub.traffic.refused[.forLoad] == 1)
    pit.advance(seconds: 1)
    #expect(pit.ask("/readyz")?.status == 200)
    #expect(try status(pit) == "ok")
    let later = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(later.welcome != nil)
  }

  /// First frames are left out, then newcomers are refused; who is here is sent away by neither.
  @Test func framesAreGivenUpBeforeNewcomersAndNewcomersBeforeWhoIsHere() throws {
    let pit = try VirtualServer(bodies: 60)
    let present = [Probe(pit), Probe(pit, hello: Hello(stream: .replica))]
    pit.advance(seconds: 2 + halfTick)
    let lateTicks = LoadWatch.ticksTolerated + 1
    crawl(pit, ticks: lateTicks, turns: 5)
    #expect(pit.hub.traffic.collapsed == 5 * LoadWatch.ticksTolerated)
    #expect(!pit.hub.load.isOverloaded(at: pit.hub.time.now))
    let early = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(early.welcome != nil && early.closed == nil)
    // Nothing of that counts two seconds later.
    pit.advance(seconds: 2)
    var turns = 0
    while !pit.hub.load.isOverloaded(at: pit.hub.time.now), turns < 60 {
      crawl(pit, ticks: lateTicks, turns: 1)
      turns += 1
    }
    // The second in which they are counted may end before there are enough of them: once.
    let most = LoadWatch.turnsTolerated
    #expect((most + 1...2 * most + 1).contains(turns), "\(turns) late turns")
    let late = Probe(pit)
    pit.advance(seconds: 0.5)
    #expect(late.closed?.code == .tryAgainLater && late.welcome == nil)
    #expect(pit.hub.traffic.refused[.forLoad] == 1)
    pit.advance(seconds: 1)
    for probe in present + CollectionOfOne(early) {
      #expect(probe.closed == nil && probe.welcomes == 1)
    }
    for probe in [present[0], early] {
      #expect(probe.failures.isEmpty)
      // Of a calm pit, news comes twice a second.
      #expect(pit.tick.ticks(since: probe.decoder.world.tick) < 40)
    }
  }
}
