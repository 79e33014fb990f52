import Testing
import Transport
import Wire

@testable import Server

/// Everybody who said hello stands in one group, and with those who need the same.
@Suite struct AudienceTests {
  private func tilt(_ probe: Probe, _ second: Int) {
    probe.say(.tilt(x: second % 2 == 0 ? 16_384 : -16_384, y: 0))
  }

  /// Each session's group knows it, and nobody stands in two.
  private func expectOrder(_ pit: VirtualServer) {
    let audience = pit.hub.audience
    let groups = audience.byStream + audience.following + [audience.behind, audience.catchingUp]
    for group in groups {
      for (place, member) in group.members.enumerated() {
        #expect(member.session.group === group && member.session.place == place)
        #expect(member.session.person != nil)
      }
    }
    let placed = groups.reduce(0) { $0 + $1.members.count }
    #expect(placed == pit.hub.sessions.count { $0.person != nil })
  }

  @Test func whoKeepsUpStandsWithTheOthers() throws {
    let pit = try VirtualServer(bodies: 60)
    let audience = pit.hub.audience
    let fast = (0..<5).map { _ in Probe(pit) }
    let calm = (0..<3).map { _ in Probe(pit, hello: Hello(rate: .hz20)) }
    let followers = (0..<4).map { LogReader(rate: $0 < 3 ? .hz60 : .hz10) }
    for follower in followers { pit.network.clients(follower).connect() }
    for second in 0..<12 {
      pit.advance(seconds: 1)
      tilt(fast[0], second)
      expectOrder(pit)
    }
    func together(_ rate: FrameRate) -> Int {
      audience.byStream[StreamKey(rate: rate, profile: .strict).index].members.count
    }
    #expect(together(.hz60) == 5 && together(.hz20) == 3)
    func following(_ rate: FrameRate) -> Int {
      FollowerTurn.all.filter { $0.rate == rate }.reduce(0) {
        $0 + audience.following[$1.index].members.count
      }
    }
    #expect(FrameRate.allCases.map(following) == [3, 0, 0, 1])
    #expect(audience.behind.members.isEmpty && audience.catchingUp.members.isEmpty)

    // Another stream, and the other kind of stream, are begun anew.
    fast[1].say(.stream(kind: .state, rate: .hz20, profile: .strict))
    fast[2].say(.stream(kind: .replica, rate: .hz60, profile: .strict))
    calm[1].leave()
    followers[0].say(.stream(kind: .replica, rate: .hz20, profile: .strict))
    followers[1].say(.stream(kind: .state, rate: .hz60, profile: .visual))
    pit.advance(seconds: 0.1)
    expectOrder(pit)
    for second in 0..<12 {
      pit.advance(seconds: 1)
      tilt(fast[0], second)
    }
    expectOrder(pit)
    #expect(together(.hz60) == 3 && together(.hz20) == 3)
    #expect(FrameRate.allCases.map(following) == [2, 0, 1, 1])
    #expect(audience.byStream[StreamKey(rate: .hz60, profile: .visual).index].members.count == 1)
    let changed = try #require(try followers[0].replica())
    #expect(pit.tick.ticks(since: changed.pit.tick) <= 3 && changed.hashesMatched > 10)
    let frames = fast[0].frames.filter { $0.skipped > 0 }
    #expect(frames.isEmpty && fast[0].failures.isEmpty && fast[1].failures.isEmpty)
  }

  /// Each tick has its share of the followers of a slower rate, and every one of them gets all.
  @Test func followersTakeTurns() throws {
    let pit = try VirtualServer(bodies: 20)
    let readers = (0..<12).map { LogReader(rate: $0 < 6 ? .hz20 : .hz10) }
    for reader in readers { pit.network.clients(reader).connect() }
    pit.advance(seconds: 12)
    expectOrder(pit)
    for turn in FollowerTurn.all where turn.rate == .hz20 || turn.rate == .hz10 {
      let members = pit.hub.audience.following[turn.index].members
      #expect(members.count == (turn.rate == .hz20 ? 2 : 1), "\(turn)")
    }
    for index in FollowerTurn.all.indices { #expect(FollowerTurn.all[index].index == index) }
    for tick: UInt32 in 0..<12 {
      let due = FollowerTurn.all.filter { $0.isDue(at: tick) }
      #expect(due.map(\.rate) == FrameRate.allCases)
    }
    for reader in readers {
      let replica = try #require(try reader.replica())
      #expect(pit.tick.ticks(since: replica.pit.tick) <= 6 && replica.hashesMatched > 10)
    }
  }

  /// A follower whose pipe was full is led on by all that it missed, and nobody else waits for it.
  @Test func whoPausesComesBackToTheOthers() throws {
    let pit = try VirtualServer(faults: NetworkFaults(budgetBytes: 1_024), bodies: 60)
    let audience = pit.hub.audience
    let readers = (0..<3).map { _ in LogReader(rate: .hz60) }
    let probes = (0..<3).map { _ in Probe(pit) }
    for reader in readers { pit.network.clients(reader).connect() }
    pit.advance(seconds: 12)
    #expect(audience.following[0].members.count == 3)
    let one = try #require(readers[1].connection)
    let other = try #require(probes[1].connection)
    (one.isReading, other.isReading) = (false, false)
    for second in 0..<8 {
      pit.advance(seconds: 1)
      tilt(probes[0], second)
      expectOrder(pit)
    }
    #expect(audience.behind.members.count == 1 && audience.catchingUp.members.count == 1)
    (one.isReading, other.isReading) = (true, true)
    for second in 0..<20 {
      pit.advance(seconds: 1)
      tilt(probes[0], second)
      expectOrder(pit)
    }
    #expect(audience.following[0].members.count == 3 && audience.catchingUp.members.isEmpty)
    #expect(audience.behind.members.isEmpty)
    let replica = try #require(try readers[1].replica())
    #expect(pit.tick.ticks(since: replica.pit.tick) < 3 && replica.hashesMatched > 10)
    #expect(probes.allSatisfy { $0.failures.isEmpty && $0.closed == nil })
  }

  /// The network thread is late just when those come into step who joined with a keyframe, which is
  /// once in eight seconds: they need not wait for the next time.
  @Test func whoEntersWhileTheThreadIsLateStaysInStep() throws {
    let pit = try VirtualServer(bodies: 60)
    let group = pit.hub.audience.byStream[StreamKey(rate: .hz10, profile: .strict).index]
    // The stream begins with the first of them, who is in step at once.
    let first = Probe(pit, hello: Hello(rate: .hz10))
    let shaker = Probe(pit)
    pit.advance(seconds: 3)
    let probes = (0..<3).map { _ in Probe(pit, hello: Hello(rate: .hz10)) }
    var second = 0
    pit.advance(seconds: 0.5)
    first.leave()
    // Ticks of this rate are 476 and 482, and the second of them is the one to enter at.
    while pit.tick % 480 != 477 {
      pit.advance(seconds: 1.0 / 60)
      if pit.tick % 60 == 0 {
        tilt(shaker, second)
        second += 1
      }
    }
    #expect(group.members.isEmpty)
    pit.heldThreads = [0]
    pit.advance(seconds: 0.15)
    pit.heldThreads = []
    pit.advance(seconds: 0.6)
    expectOrder(pit)
    #expect(pit.hub.traffic.collapsed > 0)
    #expect(group.members.count == 3)
    #expect(probes.allSatisfy { $0.failures.isEmpty && $0.closed == nil })
  }
}
