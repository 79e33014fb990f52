import Simulation
import Testing
import Transport
import Wire

@testable import Server

/// Those who follow the log.
@Suite struct FollowerTests {
  private func join(_ pit: VirtualServer, from address: String = "127.0.0.1") -> LogReader {
    let reader = LogReader()
    pit.network.clients(reader).connect(from: address)
    pit.advance(seconds: 1)
    return reader
  }

  @Test func aFollowerGetsASnapshotAndEveryRecordOnce() throws {
    let pit = try VirtualServer()
    let reader = join(pit)
    let replica = try #require(try reader.replica())
    #expect(reader.recordTicks > 20 && replica.pit.tick == pit.tick)
    #expect(reader.messages.allSatisfy { !StreamDecoder.accepts($0[0]) }, "no frames")
  }

  /// Who takes fewer messages loses nothing: the same records, some of them later.
  @Test func everyRateCarriesTheSameRecords() throws {
    let pit = try VirtualServer()
    let rates: [FrameRate] = [.hz60, .hz30, .hz20, .hz10]
    let readers = rates.map { LogReader(rate: $0) }
    for reader in readers { pit.network.clients(reader).connect() }
    pit.advance(seconds: 1)
    let before = readers.map(\.recordMessages.count)
    for round in 0..<20 {
      readers[round % 4].say(.tilt(x: Int16(700 * round), y: 12_000))
      readers[round % 4].say(.drop(kind: 3, x: Int16(900 + 100 * round), y: 400))
      pit.advance(seconds: 0.3)
    }
    let logs = readers.map { $0.recordMessages.flatMap { $0 } }
    for (index, rate) in rates.enumerated() {
      let replica = try #require(try readers[index].replica())
      let behind = pit.tick.ticks(since: replica.pit.tick)
      #expect(behind <= 60 / Int(rate.rawValue) && replica.hashesMatched > 10)
      #expect(logs[0].starts(with: logs[index]), "all began with one snapshot")
      let messages = readers[index].recordMessages.count - before[index]
      let expected = 6 * Int(rate.rawValue)
      #expect((expected - 2...expected + 2).contains(messages), "\(rate): \(messages)")
    }
  }

  @Test func snapshotsHaveAPace() throws {
    let pit = try VirtualServer()
    let reader = join(pit)
    #expect(reader.snapshots == 1)
    for _ in 0..<10 {
      reader.askForReplica()
      pit.advance(seconds: 1)
    }
    #expect((4...6).contains(reader.snapshots), "one in 2 s, in 10 s")
    let before = reader.messages.count
    pit.advance(seconds: 3)
    #expect(reader.messages.count > before + 50, "and it follows again")
  }

  @Test func changingStreamsBuysNoSnapshots() throws {
    var limits = Limits()
    limits.streamsPerSecond = 100
    limits.streamBurst = 100
    let pit = try VirtualServer(limits: limits)
    let reader = join(pit)
    for _ in 0..<40 {
      reader.askForState()
      pit.advance(seconds: 0.125)
      reader.askForReplica()
      pit.advance(seconds: 0.125)
    }
    #expect((4...6).contains(reader.snapshots), "one in 2 s, in 10 s")
  }

  /// Packing the largest world takes longer than a tick: nothing but the joining waits for it.
  @Test(arguments: [0.03, 0.4, 3])
  func ticksGoOnWhileASnapshotIsPacked(_ seconds: Double) throws {
    let pit = try VirtualServer(workNanoseconds: UInt64(seconds * 1e9))
    let reader = LogReader()
    pit.network.clients(reader).connect()
    pit.advance(seconds: seconds)
    #expect(pit.tick == UInt32(seconds * 60) && reader.snapshots == 0)
    pit.advance(seconds: 1)
    // What took longer than half a second is too old when it is there.
    guard seconds < 0.5 else {
      return #expect(pit.tick == UInt32((seconds + 1) * 60) && reader.snapshots == 0)
    }
    let replica = try #require(try reader.replica())
    #expect(replica.pit.tick == pit.tick && reader.snapshots == 1)
  }

  @Test func aCrowdSharesSnapshotsAndIsServedInTurn() throws {
    var limits = Limits()
    limits.snapshotBytesPerTick = 1
    let pit = try VirtualServer(limits: limits)
    _ = join(pit)
    let crowd = (0..<60).map { _ in LogReader() }
    for reader in crowd { pit.network.clients(reader).connect() }
    pit.advance(seconds: 0.5)
    let served = crowd.count { $0.snapshots == 1 }
    #expect((20...30).contains(served), "one a tick, after the first was packed")
    pit.advance(seconds: 2)
    for reader in crowd {
      #expect(reader.snapshots == 1)
      #expect(try reader.replica()?.pit.tick == pit.tick)
    }
    let snapshots = Set(
      crowd.flatMap { $0.messages.filter { $0[0] == ServerMessageType.snapshot.rawValue } })
    #expect((2...6).contains(snapshots.count), "one in half a second at most")
  }

  @Test func anAddressHasSoManyBytesOfSnapshots() throws {
    let one = try #require(join(try VirtualServer()).messages.map(\.count).max())
    var limits = Limits()
    limits.snapshotBurstBytesPerAddress = 2 * one + one / 2
    limits.snapshotBytesPerSecondPerAddress = one / 40
    let pit = try VirtualServer(limits: limits)
    let greedy = join(pit, from: "192.0.2.1")
    for _ in 0..<4 {
      greedy.askForReplica()
      pit.advance(seconds: 2)
    }
    #expect(greedy.snapshots == 2 && pit.server.hub.traffic.refusedSnapshots > 4)
    let other = join(pit, from: "192.0.2.2")
    #expect(try other.replica()?.pit.tick == pit.tick)
    #expect(try greedy.replica()?.pit.tick == pit.tick, "its records go on")
    pit.advance(seconds: 40)
    #expect(greedy.snapshots == 3, "the rest of one's bytes came back")
  }

  @Test func nobodyElsesFramesChange() throws {
    let pit = try VirtualServer()
    _ = join(pit)
    let health = pit.server.exchange.health
    #expect(health.encoded.own == 0, "no state stream runs for those who follow")
  }
}
