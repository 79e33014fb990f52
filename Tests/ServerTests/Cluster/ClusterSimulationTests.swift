import Foundation
import Testing
import Transport
import Wire

@testable import Server

/// Servers that share a world, through everything that can happen to them: nobody ever shows a tick
/// that others show otherwise, and five seconds after the last fault all is well.
///
/// 50 seeds as a rule; STICKERPIT_CLUSTER_SEEDS is another number of them, STICKERPIT_CLUSTER_FIRST
/// where they begin.
@Suite struct ClusterSimulationTests {
  private static func number(_ name: String, or usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private static let seeds = number("STICKERPIT_CLUSTER_SEEDS", or: 50)
  private static let first = number("STICKERPIT_CLUSTER_FIRST", or: 0)

  @Test func whateverHappensTheLogIsOne() throws {
    var faults: [String: Int] = [:]
    var leaders = 0
    for seed in Self.first..<(Self.first + Self.seeds) {
      let cluster = try VirtualCluster(seed: UInt64(seed))
      try cluster.suffer(seconds: 15)
      try cluster.recover()
      let problems = cluster.violations() + cluster.complaints() + cluster.violations()
      for problem in Set(problems).sorted() {
        Issue.record(
          """
          seed \(seed): \(problem)
          again: make soak-cluster CLUSTER_SEEDS=1 CLUSTER_FIRST=\(seed)
          """)
      }
      faults.merge(cluster.faults) { $0 + $1 }
      leaders += Int(cluster.leaders.first?.member.health.epoch ?? 0)
    }
    print("\(Self.seeds) clusters, \(leaders) leaders, \(faults)")
    guard Self.seeds >= 50 else { return }
    #expect(faults.count == 9 && faults.values.allSatisfy { $0 > Self.seeds / 2 }, "\(faults)")
    #expect(leaders > 2 * Self.seeds)
  }

  /// A check that finds nothing may be none: each of these must be found within ten runs, by the
  /// check that is made for it.
  @Test(arguments: PlantedFault.allCases)
  func whatIsPlantedIsFound(_ fault: PlantedFault) throws {
    var others: Set<String> = []
    for seed in 0..<10 {
      let cluster = try VirtualCluster(seed: UInt64(seed), planted: fault)
      try cluster.suffer(seconds: 10)
      try cluster.recover()
      let problems = cluster.violations() + cluster.complaints() + cluster.violations()
      if problems.contains(where: { $0.contains(fault.complaint) }) {
        let others = problems.filter { !$0.contains(fault.complaint) }
        #expect(!fault.isForOneCheck || others.isEmpty, "\(others.prefix(3))")
        return
      }
      others.formUnion(problems.prefix(3))
    }
    Issue.record("nobody finds \(fault): \(others)")
  }

  /// Nothing happens, for two minutes: one leader, and nobody loses anything.
  @Test func withoutFaultsNothingChanges() throws {
    let cluster = try VirtualCluster(seed: 0)
    let numbers = cluster.running.map { $0.member.blocks.blocks }
    cluster.network.advance(by: 120_000_000_000)
    #expect(cluster.leaders.first?.member.health.epoch == 1)
    #expect(cluster.running.map { $0.member.blocks.blocks } == numbers)
    #expect(cluster.violations() + cluster.complaints() == [])
    #expect(cluster.running.allSatisfy { $0.longestStandstill < 0.1 })
  }

  /// What a client of an edge does is in one of the next two ticks of the world, which the edge
  /// shows a little later.
  @Test func anEdgesClientsWaitForTwoTicksAtMost() throws {
    let cluster = try VirtualCluster(seed: 0)
    let edge = try #require(cluster.running.last { $0.member.settings.role == .edge })
    let person = try #require(edge.firstNumber) + 9
    for phase in 0..<16 as Range<UInt64> {
      let sequence = cluster.drop(at: edge, person)
      // Two ticks, and four ways of a millisecond: to the leader, to the log, back, to the edge.
      cluster.network.advance(by: 2 * 16_666_667 + 4_000_000)
      let isThere = edge.outcomes.contains { $0.person == person && $0.sequence == sequence }
      #expect(isThere, "command \(sequence)")
      cluster.network.advance(by: 100_000_000 + phase * 1_000_000)
    }
  }

  /// The leader alone knows in which tick it took a tilt; the log tells the others' clients.
  @Test func anEdgesClientsLearnThatATiltCameLate() throws {
    let cluster = try VirtualCluster(seed: 0)
    let edge = try #require(cluster.running.last { $0.member.settings.role == .edge })
    let person = try #require(edge.firstNumber) + 9
    let meant = edge.lastShown &- 2
    edge.post(.tilt(person: person, x: 9000, y: 9000, at: meant))
    edge.post(.tilt(person: person, x: 9000, y: 9000, at: meant &+ 40))
    cluster.network.advance(by: 1_000_000_000)
    #expect(edge.lateTilts == [PersonsLateTilt(person: person, meant: meant)])
    #expect(cluster.violations() + cluster.complaints() == [])
  }

  @Test func oneSeedIsOneRun() throws {
    let runs = try [5, 5, 6 as UInt64].map { seed in
      let cluster = try VirtualCluster(seed: seed)
      try cluster.suffer(seconds: 6)
      return cluster.meeting.log
    }
    #expect(runs[0] == runs[1] && runs[0] != runs[2])
  }

  @Test func aStandbyGoesOnWithinTwoSeconds() throws {
    for seed in 100..<110 {
      let cluster = try VirtualCluster(seed: UInt64(seed))
      cluster.network.advance(by: 2_000_000_000)
      let leader = cluster.leaders[0]
      let edges = cluster.running.filter { $0 !== leader }
      let before = edges.map(\.lastShown)
      leader.kill()
      cluster.network.advance(by: 3_000_000_000)
      #expect(cluster.leaders.count == 1 && cluster.violations().isEmpty)
      for (edge, before) in zip(edges, before) {
        #expect(edge.lastShown > before + 60)
        #expect(edge.longestStandstill < 2, "\(edge.name): \(edge.longestStandstill) s")
      }
    }
  }
}
