import Testing
import Transport
import Wire

@testable import Server

/// Client numbers whose block a server could not keep: they go on if nobody else has them, and
/// their people join anew if somebody does.
@Suite struct LostNumbersTests {
  private static let second: UInt64 = 1_000_000_000

  /// Somebody joins a member of a simulated cluster.
  private func join(_ member: VirtualMember) throws -> PersonRecord {
    let address = ClientAddress(text: "192.0.2.1", prefix: AddressPrefix("192.0.2.1"))
    let admission = member.directory.admit(Hello(), from: address, to: 0, at: 0, awake: 0)
    guard case .admitted(let person) = admission else { throw NobodyWasAdmitted() }
    return person
  }

  private struct NobodyWasAdmitted: Error {}

  private func edge(of cluster: VirtualCluster) throws -> VirtualMember {
    try #require(cluster.running.last { $0.member.settings.role == .edge })
  }

  @Test func anEdgeThatWasAwayForLongKeepsNumbersThatNobodyElseHas() throws {
    let cluster = try VirtualCluster(seed: 0)
    let edge = try edge(of: cluster)
    let blocks = edge.member.blocks.blocks
    let person = try join(edge)
    edge.link.isCut = true
    cluster.network.advance(by: 130 * Self.second)
    #expect(edge.member.blocks.blocks.isEmpty && edge.member.blocks.hasDoubts)
    edge.link.isCut = false
    cluster.network.advance(by: 5 * Self.second)
    #expect(edge.member.blocks.blocks == blocks && !edge.member.blocks.hasDoubts)
    #expect(edge.directory.knows(person.token, awake: 0))
    #expect(edge.handOvers.take(for: 0).isEmpty)
    #expect(cluster.violations() + cluster.complaints() == [])
  }

  @Test func whoseNumberSomebodyElseHasJoinsAnew() throws {
    let cluster = try VirtualCluster(seed: 0)
    let edge = try edge(of: cluster)
    let block = try #require(edge.member.blocks.blocks.first)
    let (here, away) = (try join(edge), try join(edge))
    edge.directory.left(away, from: .unknown, expires: 1000 * Self.second)
    edge.link.isCut = true
    cluster.network.advance(by: 121 * Self.second)
    // A member begins its search for numbers where its own number says.
    let other = try cluster.start(.edge, id: 7 << 8 | UInt32(block.index))
    cluster.network.advance(by: 5 * Self.second)
    #expect(other.member.blocks.blocks == [block])
    edge.link.isCut = false
    cluster.network.advance(by: 5 * Self.second)
    #expect(!edge.member.blocks.blocks.contains(block) && !edge.member.blocks.blocks.isEmpty)
    #expect(!edge.directory.knows(here.token, awake: 0))
    #expect(!edge.directory.knows(away.token, awake: 0))
    let letters = edge.handOvers.take(for: 0)
    guard case .removed(here.id, .numberLost)? = letters.first, letters.count == 1 else {
      Issue.record("\(letters)")
      return
    }
    let new = try join(edge)
    #expect(edge.member.blocks.blocks.contains(NumberBlock(of: new.id)))
    #expect(cluster.violations() + cluster.complaints() == [])
  }

  /// What a member's clients do with numbers that another one gives now does not count.
  @Test func nobodyActsWithTheNumbersOfOthers() throws {
    let cluster = try VirtualCluster(seed: 0)
    let edges = cluster.running.filter { $0.member.settings.role == .edge }
    let theirs = try #require(edges[0].firstNumber) + 9
    let sequence = cluster.drop(at: edges[1], theirs)
    cluster.network.advance(by: Self.second)
    for member in cluster.running {
      #expect(!member.outcomes.contains { $0.person == theirs && $0.sequence == sequence })
    }
    #expect(cluster.violations() + cluster.complaints() == [])
  }

  /// The connection ends with a code after which a client tries again, and gets another number.
  @Test func theirConnectionsEndAndTheyComeBackAsNewPeople() throws {
    let pit = try VirtualServer(networkThreads: 2)
    let probes = [Probe(pit), Probe(pit)]
    pit.advance(seconds: 0.5)
    let welcomes = try probes.map { try #require($0.welcome) }
    for one in pit.server.directory.lose(NumberBlock(index: 0)) {
      pit.hub.handOvers.put(.removed(person: one.person.id, .numberLost), for: one.thread)
    }
    pit.advance(seconds: 0.5)
    for (probe, welcome) in zip(probes, welcomes) {
      #expect(probe.closed?.code == .tryAgainLater)
      #expect(probe.closed?.reason == "another server has this number")
      let again = Probe(pit, hello: Hello(resumeToken: welcome.token))
      pit.advance(seconds: 0.5)
      let new = try #require(again.welcome)
      #expect(new.clientID != welcome.clientID && new.token != welcome.token)
    }
    #expect(pit.server.hubs.map { $0.traffic.ended[.numberLost] }.reduce(0, +) == 2)
  }

  // MARK: Far behind

  /// A process that stood still for long takes the newest world instead of all ticks in between;
  /// after a short while it carries out what it missed.
  @Test(arguments: [(seconds: 5, rejoins: 0), (seconds: 15, rejoins: 1)])
  func whoIsFarBehindTakesTheNewestWorld(stood: (seconds: Int, rejoins: Int)) throws {
    let cluster = try VirtualCluster(seed: 0)
    let edge = try edge(of: cluster)
    let before = edge.member.counts.rejoins
    edge.link.isPaused = true
    cluster.network.advance(by: UInt64(stood.seconds) * Self.second)
    edge.link.isPaused = false
    cluster.network.advance(by: Self.second)
    #expect(edge.member.counts.rejoins - before == stood.rejoins)
    #expect(cluster.violations() + cluster.complaints() == [])
  }

  /// The same by the log's own word, when the messages themselves are gone.
  @Test func whoseLineWasDeadForLongTakesTheNewestWorld() throws {
    let cluster = try VirtualCluster(seed: 0)
    let edge = try edge(of: cluster)
    let asked = edge.member.counts.asked
    edge.link.isCut = true
    cluster.network.advance(by: 30 * Self.second)
    edge.link.isCut = false
    cluster.network.advance(by: 2 * Self.second)
    #expect(edge.member.counts.rejoins == 1)
    // Those since the world was kept, five seconds of ticks at most, and not all of thirty.
    #expect(edge.member.counts.asked - asked < 600)
    #expect(cluster.violations() + cluster.complaints() == [])
  }
}
