import Physics
import Testing
import Wire

@testable import Simulation

/// What is kept of two worlds that ought to be equal.
@Suite struct DivergenceTests {
  @Test func aFlippedBitIsAllThatDiffers() throws {
    var stage = try Stage(.pit, bodies: 40)
    stage.tick(200)
    let servers = stage.pit
    var mine = stage.pit
    mine.playground.chance.state ^= 1 << 9
    let divergence = try #require(Divergence(mine, servers: servers))
    #expect(divergence.tick == servers.tick && divergence.difference == "chance")
    try #require(divergence.mine.count == divergence.servers.count)
    let places = divergence.mine.indices.filter { divergence.mine[$0] != divergence.servers[$0] }
    try #require(places.count == 1, "\(places)")
    #expect(divergence.mine[places[0]] ^ divergence.servers[places[0]] == 2)
    // Each of them is the world that it was.
    for (bytes, pit) in [(divergence.mine, mine), (divergence.servers, servers)] {
      let restored = try Pit.restore(from: bytes)
      #expect(restored.stateHash() == pit.stateHash())
      #expect(restored.firstDifference(from: pit) == nil)
    }
  }

  @Test func equalWorldsAndThoseOfOtherTicksAreNotKept() throws {
    var stage = try Stage(.pit, bodies: 5)
    stage.tick(10)
    let earlier = stage.pit
    #expect(Divergence(earlier, servers: stage.pit) == nil)
    stage.tick()
    #expect(Divergence(earlier, servers: stage.pit) == nil)
  }

  /// A log, and a client that now and then begins with another world than the log's.
  private struct Misled {
    var stage: Stage
    var coder: RecordCoder
    let playback = PredictedPlayback(person: 1)

    init() throws {
      stage = try Stage(.pit, bodies: 0)
      coder = RecordCoder(tick: stage.pit.tick, gravity: stage.pit.gravity)
    }

    private var now: Double { Double(stage.pit.tick) * 1000 / 60 }

    func mislead() {
      var wrong = stage.pit
      wrong.playground.chance.state ^= 1
      playback.begin(Replica(wrong, coder), after: 0, now: now)
    }

    mutating func run(_ ticks: Int, isLost: Bool = false) {
      var records: [UInt8] = []
      for _ in 0..<ticks { coder.encode(stage.tick().record, into: &records) }
      guard !isLost else { return }
      let now = self.now
      _ = records.withUnsafeBytes { raw in try? playback.receive(raw, now: now) { _, _ in } }
    }

    func heal() throws {
      try playback.begin(SavedWorld(stage.pit, coder).packed(), after: 0, now: now)
    }
  }

  @Test func thePlaybackKeepsTheLastTwoThatCanBeCompared() throws {
    var client = try Misled()
    client.mislead()
    #expect(client.playback.divergence == nil)
    client.run(30)
    #expect(client.playback.statistics.isDiverged && client.playback.divergence == nil)
    try client.heal()
    let first = try #require(client.playback.divergence)
    #expect((first.tick, first.difference) == (30, "chance"))
    #expect(client.playback.difference == "chance, seen in tick 30")
    // Without the last record the two worlds are of different ticks.
    client.mislead()
    client.run(30)
    client.run(1, isLost: true)
    try client.heal()
    #expect(client.playback.difference == "records are missing: at tick 60 instead of 61")
    #expect(client.playback.divergence?.tick == 30)
    client.mislead()
    client.run(29)
    try client.heal()
    #expect(client.playback.divergence?.tick == 90)
    // A snapshot that nobody needed changes nothing.
    try client.heal()
    #expect(client.playback.divergence?.tick == 90 && client.playback.statistics.diverged == 3)
  }
}
