import Physics
import Testing
import Transport
import Wire

@testable import Server

/// Limits count time, and never what the server itself lost of it.
@Suite struct TimeTests {
  /// Somebody at a phone: the most that a page sends, without a pause.
  private func playOn(_ probes: [Probe], _ pit: VirtualServer, seconds: Int) {
    for step in 0..<(seconds * 60) {
      for probe in probes {
        probe.say(.tilt(x: Int16(step % 100) * 100, y: 16_000))
        probe.say(.move(slot: 0, x: 800, y: 800))
        if step % 4 == 0 { probe.say(.drop(kind: 1, x: 2000, y: 800)) }
        if step % 60 == 0 { probe.say(.clock(stamp: UInt32(step))) }
      }
      pit.advance(seconds: 1.0 / 60)
    }
  }

  @Test func nobodyIsClosedOnAnOverloadedWorld() throws {
    let pit = try VirtualServer()
    let probes = (0..<3).map { _ in Probe(pit) }
    pit.advance(seconds: 0.5)
    pit.deadlinesPerTick = 3
    let before = pit.tick
    playOn(probes, pit, seconds: 10)
    #expect((195...205).contains(pit.tick - before))
    #expect(probes.allSatisfy { $0.closed == nil })
    #expect(pit.hub.traffic.ended[.limits] == 0)
  }

  @Test func aStandstillOfTheServerIsForgiven() throws {
    let pit = try VirtualServer()
    let (phone, hasty) = (Probe(pit), Probe(pit))
    pit.advance(seconds: 1)
    pit.standStill(seconds: 5)
    for _ in 0..<300 { phone.say(.tilt(x: 0, y: 16_384)) }
    // More than anybody's phone sends in that time, and what is allowed besides.
    for _ in 0..<430 { hasty.say(.tilt(x: 0, y: 16_384)) }
    pit.advance(seconds: 0.5)
    #expect(phone.closed == nil)
    #expect(hasty.closed?.reason == "too many tilt samples")
    #expect(pit.hub.traffic.standstills == 1)
  }

  @Test func aStandstillMovesDeadlines() throws {
    let pit = try VirtualServer()
    let (silent, guest) = (Probe(pit, hello: nil), Probe(pit))
    pit.advance(seconds: 3)
    let token = try #require(guest.welcome).token
    guest.leave()
    pit.advance(seconds: 1)
    pit.standStill(seconds: 100)
    pit.advance(seconds: 0.5)
    // Four and a half seconds for it, whatever the clock on the wall says.
    #expect(silent.closed == nil)
    let back = Probe(pit, hello: Hello(resumeToken: token))
    pit.advance(seconds: 1)
    #expect(back.welcome?.clientID == guest.welcome?.clientID)
    #expect(silent.closed?.reason.contains("hello") == true)
  }

  @Test func theTransportsWordIsCountedOnce() {
    var now: UInt64 = 0
    var clock = AwakeClock { now }
    now = 100_000_000
    #expect(clock.look() == 0)
    now = 5_100_000_000
    #expect(clock.noteStandstill(nanoseconds: 5_000_000_000) == 5_000_000_000)
    #expect(clock.look() == 0)
    #expect(clock.awake == 100_000_000)
    now = 8_100_000_000
    #expect(clock.look() == 3_000_000_000)
    #expect(clock.noteStandstill(nanoseconds: 3_000_000_000) == 0)
    #expect(clock.awake == 100_000_000)
  }

  /// Deadlines count awake time: what has been seen to pass was awake, whatever the transport says
  /// about it afterwards.
  @Test func awakeTimeNeverRunsBack() {
    var now: UInt64 = 0
    var clock = AwakeClock { now }
    now = 300_000_000
    #expect(clock.look() == 0)
    now = 800_000_000
    // 600 ms that ended now; of them, 100 were looked at before.
    #expect(clock.noteStandstill(nanoseconds: 600_000_000) == 500_000_000)
    #expect(clock.awake == 300_000_000)
    // Of a standstill that is longer than time itself, none is left.
    #expect(clock.noteStandstill(nanoseconds: .max) == 0)
    now = 0
    #expect(clock.look() == 0)
    #expect(clock.now == 800_000_000 && clock.awake == 300_000_000)
  }

  @Test(arguments: 0..<200)
  func awakeTimeNeverRunsBackWhateverIsSaid(_ seed: UInt64) {
    var random = RandomGenerator(seed: seed)
    var now: UInt64 = 0
    var clock = AwakeClock { now }
    var told: UInt64 = 0
    for _ in 0..<200 {
      let before = (now: clock.now, awake: clock.awake)
      let step = random.next() % 1_500_000_000
      // Now and then the clock itself runs back a little.
      now = random.next() % 8 == 0 ? now - min(now, step / 2) : now + step
      told +=
        random.next() % 2 == 0
        ? clock.look() : clock.noteStandstill(nanoseconds: random.next() % 3_000_000_000)
      #expect(clock.now >= before.now && clock.awake >= before.awake)
      #expect(clock.awake + told == clock.now, "each standstill is told once")
    }
  }

  /// The ticks' numbers begin anew after 828 days; nobody notices.
  @Test func theTickCounterBeginsAnew() throws {
    let pit = try VirtualServer(bodies: 40, startTick: .max - 300)
    let probes = FrameRate.allCases.map { Probe(pit, hello: Hello(rate: $0)) }
    pit.network.faults = NetworkFaults(slowShare: 1, slowBytesPerSecond: 500, budgetBytes: 1_024)
    let slow = Probe(pit)
    pit.advance(seconds: 0.1)
    pit.network.faults = .none
    var guests: [Probe] = []
    for step in 0..<20 {
      probes[0].say(.tilt(x: step % 2 == 0 ? 16_384 : -16_384, y: 0))
      probes[1].say(.drop(kind: 2, x: 2880, y: 800))
      let resume = guests.last?.welcome?.token
      guests.last?.leave()
      pit.advance(seconds: 0.25)
      guests.append(Probe(pit, hello: Hello(resumeToken: resume)))
      pit.advance(seconds: 0.25)
    }
    #expect(pit.tick > 200 && pit.tick < 400)
    #expect(pit.server.exchange.worlds.moment(at: pit.tick &- 100)?.tick == pit.tick &- 100)
    for probe in probes + guests + [slow] { #expect(probe.failures.isEmpty) }
    #expect(Set(guests.compactMap { $0.welcome?.clientID }).count == 1)
    #expect(slow.frames.contains { $0.skipped > 0 } && slow.closed == nil)
    for (rate, probe) in zip(FrameRate.allCases, probes) {
      #expect(probe.decoder.world.tick.ticks(since: pit.tick) > -Int(rate.interval) - 1)
      #expect(probe.decoder.world.bodies.count == pit.server.exchange.health.bodies)
    }
  }

  @Test(arguments: [UInt32(1) << 31, 3_000_000_000, .max])
  func aWorldOfAnyAgeIsJoinedAtOnce(_ tick: UInt32) throws {
    let pit = try VirtualServer(startTick: tick)
    let probe = Probe(pit)
    let silent = Probe(pit, hello: nil)
    pit.advance(seconds: 6)
    #expect(probe.frames.count > 30 && probe.failures.isEmpty && probe.people != nil)
    #expect(silent.closed != nil)
  }
}
