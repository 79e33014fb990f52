import Physics
import Testing
import Transport
import Wire

@testable import Server
@testable import Simulation

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
    #expect((5...7).contains(reader.snapshots), "two in 4 s, in 10 s")
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
    #expect((5...7).contains(reader.snapshots), "two in 4 s, in 10 s")
  }

  /// Packing the largest world takes longer than a tick, on a busy machine much longer: nothing but
  /// the joining waits for it.
  @Test(arguments: [0.03, 0.4, 3])
  func ticksGoOnWhileASnapshotIsPacked(_ seconds: Double) throws {
    let pit = try VirtualServer(workNanoseconds: UInt64(seconds * 1e9))
    let reader = LogReader()
    pit.network.clients(reader).connect()
    pit.advance(seconds: seconds)
    #expect(pit.tick == UInt32(seconds * 60) && reader.snapshots == 0)
    pit.advance(seconds: 1)
    let replica = try #require(try reader.replica())
    #expect(replica.pit.tick == pit.tick && reader.snapshots == 1)
  }

  /// Nothing is put together at every tick for somebody who takes nothing.
  @Test func whoReadsNothingIsTriedSeldom() throws {
    let pit = try VirtualServer()
    let reader = LogReader()
    let stuck = NetworkFaults(slowShare: 1, slowBytesPerSecond: 20, budgetBytes: 2000)
    pit.network.clients(reader).connect(faults: stuck)
    let other = join(pit)
    for count in 0..<240 {
      other.say(.tilt(x: Int16(count * 50), y: 12_000))
      pit.advance(seconds: 0.05)
    }
    let before = pit.hub.traffic.skipped.total
    pit.advance(seconds: 2)
    let tried = pit.hub.traffic.skipped.total - before
    #expect((15...21).contains(tried), "ten a second: \(tried)")
  }

  /// Twenty people who sway, drop and throw are told of each other in two kilobits a second. Nobody
  /// drags: a finger that does adds five.
  @Test func twentyPhonesAreTwoKilobitsASecond() throws {
    let pit = try VirtualServer(bodies: 30)
    let phones = (0..<20).map { _ in LogReader() }
    for phone in phones { pit.network.clients(phone).connect() }
    pit.advance(seconds: 2)
    let before = phones[0].recordMessages.reduce(0) { $0 + $1.count }
    let seconds = 20
    for step in 0..<(15 * seconds) {
      for (index, phone) in phones.enumerated() {
        let turn = Float(step) * (0.06 + 0.004 * Float(index)) + Float(index)
        let lean = DeterministicMath.sine(Corrections.turn(turn)) * 9000
        phone.say(.tilt(x: Int16(lean), y: 13_000))
        // Each does something every three seconds.
        guard (step + 2 * index) % 45 == 0 else { continue }
        let x = Int16(400 + 250 * index)
        phone.say(
          index % 2 == 0
            ? .drop(kind: 3, x: x, y: 400)
            : .throwSticker(x: x, y: 4000, velocityX: 300, velocityY: -900))
      }
      pit.advance(seconds: 1.0 / 15)
    }
    let bytes = phones[0].recordMessages.reduce(0) { $0 + $1.count } - before
    #expect(bytes > 100 * seconds && 8 * bytes <= 2000 * seconds, "\(8 * bytes / seconds) bit/s")
    #expect(try phones[0].replica()?.pit.tick == pit.tick)
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
    // Each of the others at each of those ticks: 59, 58 and so on, less who waits for a newer one.
    #expect(pit.hub.traffic.skipped[.waiting] > 10 * served)
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
    #expect(greedy.snapshots == 2 && pit.hub.traffic.refused[.snapshots] > 4)
    let other = join(pit, from: "192.0.2.2")
    #expect(try other.replica()?.pit.tick == pit.tick)
    #expect(try greedy.replica()?.pit.tick == pit.tick, "its records go on")
    pit.advance(seconds: 40)
    #expect(greedy.snapshots == 3, "the rest of one's bytes came back")
  }

  /// What a full pipe does not take, its address does not pay for: somebody else behind the same
  /// router gets a snapshot as if nobody was stuck there.
  @Test func aSnapshotThatAFullPipeRefusesCostsTheAddressNothing() throws {
    let one = try #require(join(try VirtualServer()).messages.map(\.count).max())
    var limits = Limits()
    // One at once, though those of a pit that has settled are larger, and the next in a minute.
    limits.snapshotBurstBytesPerAddress = 3 * one
    limits.snapshotBytesPerSecondPerAddress = one / 60
    let pit = try VirtualServer(limits: limits)
    let stuck = LogReader()
    pit.network.clients(stuck).connect(
      faults: NetworkFaults(budgetBytes: 1), from: "192.0.2.1")
    pit.advance(seconds: 0.005)
    try #require(stuck.messages.count == 1, "its welcome")
    stuck.connection?.isReading = false
    // The answer fills the pipe that is not read.
    stuck.say(.clock(stamp: 1))
    pit.advance(seconds: 5)
    let tries = pit.hub.traffic.skipped[.full]
    #expect((30...60).contains(tries), "ten a second at most: \(tries)")
    let other = join(pit, from: "192.0.2.1")
    #expect(other.snapshots == 1 && pit.hub.traffic.refused[.snapshots] == 0)
    #expect(try other.replica()?.pit.tick == pit.tick)
    #expect(stuck.messages.count == 1 && stuck.closed == nil)
  }

  /// A crowd behind one router may wait for its address's bytes longer than anybody may take
  /// nothing. Nobody is closed for that but who takes nothing when its turn comes.
  @Test func whoIsMadeToWaitForASnapshotMayStay() throws {
    let one = try #require(join(try VirtualServer()).messages.map(\.count).max())
    var limits = Limits()
    // Two at once, then one in six seconds.
    limits.snapshotBurstBytesPerAddress = 2 * one + one / 2
    limits.snapshotBytesPerSecondPerAddress = one / 6
    limits.stalledSeconds = 3
    let pit = try VirtualServer(limits: limits)
    pit.advance(seconds: 1)
    let stuck = LogReader()
    let crowd = (0..<5).map { _ in LogReader() }
    for reader in crowd { pit.network.clients(reader).connect(from: "192.0.2.1") }
    pit.network.clients(stuck).connect(
      faults: NetworkFaults(budgetBytes: 1), from: "192.0.2.1")
    pit.advance(seconds: 0.005)
    try #require(stuck.connection != nil)
    stuck.connection?.isReading = false
    // Somebody else comes, and the news of it fills the pipe that is not read.
    _ = Probe(pit)
    pit.advance(seconds: 8)
    let waiting = crowd.filter { $0.snapshots == 0 }
    #expect(waiting.count >= 2 && waiting.allSatisfy { $0.closed == nil })
    pit.advance(seconds: 60)
    for reader in crowd {
      #expect(reader.closed == nil && reader.snapshots == 1)
      #expect(try reader.replica()?.pit.tick == pit.tick)
    }
    #expect(pit.hub.traffic.ended[.stalling] == 1 && pit.hub.sessions.count == 6)
  }

  /// A pipe that was full for a moment is not taken for one that is full all the time: an answer
  /// that it takes while its client waits for a snapshot shows that somebody reads.
  @Test func whoReadsAgainWhileWaitingForASnapshotMayStay() throws {
    let one = try #require(join(try VirtualServer()).messages.map(\.count).max())
    var limits = Limits()
    limits.snapshotBurstBytesPerAddress = 3 * one
    limits.snapshotBytesPerSecondPerAddress = max(1, one / 600)
    limits.stalledSeconds = 3
    let pit = try VirtualServer(limits: limits)
    let (again, stuck) = (LogReader(), LogReader())
    for reader in [again, stuck] {
      pit.network.clients(reader).connect(
        faults: NetworkFaults(budgetBytes: 1), from: "192.0.2.1")
    }
    pit.advance(seconds: 0.005)
    for reader in [again, stuck] {
      reader.connection?.isReading = false
      // The answer fills the pipe that is not read.
      reader.say(.clock(stamp: 1))
    }
    pit.advance(seconds: 0.5)
    #expect(pit.hub.traffic.skipped[.full] > 4 && pit.hub.traffic.refused[.snapshots] == 0)
    // Now others of the address use up what there is for it.
    let address = AddressPrefix("192.0.2.1")
    while pit.hub.addresses.takeSnapshot(bytes: 1, from: address, at: pit.network.now) {}
    pit.advance(seconds: 0.5)
    #expect(pit.hub.traffic.refused[.snapshots] > 0)
    again.connection?.isReading = true
    for stamp: UInt32 in 2..<12 {
      again.say(.clock(stamp: stamp))
      pit.advance(seconds: 1)
    }
    #expect(again.snapshots == 0 && again.closed == nil)
    #expect(stuck.closed == .policy && pit.hub.traffic.ended[.stalling] == 1)
  }

  /// Others join, and the world is saved for each of them: the log says so before, and a page that
  /// predicts has nothing to make anew. So also where a tick is so dear that rollbacks wait and are
  /// spread.
  @Test(arguments: [0, 1.3]) func joiningMovesNothingThatLiesStill(cost: Double) throws {
    let pit = try VirtualServer(seed: 3, bodies: 60)
    let page = PredictingPage(pit, latency: 40_000_000...40_000_000, cost: cost)
    pit.advance(seconds: 15)
    let before = try #require(page.playback()?.prediction).statistics.rollbacks
    let corrections = page.corrections
    for _ in 0..<20 {
      let reader = LogReader()
      pit.network.clients(reader).connect()
      pit.advance(seconds: 0.6)
      #expect(reader.snapshots == 1)
    }
    let after = try #require(page.playback()?.prediction).statistics.rollbacks
    #expect(after == before && page.corrections == corrections)
    #expect(page.failures.isEmpty && page.healed == 0)
  }

  /// So it is where all is on its way, in a pit that the page's person sways. Somebody on so long a
  /// line that more is predicted than the notice is long is corrected by less than 4 pt, a tenth of
  /// a sticker: a saved world's contacts remember their impulses to 8 bits.
  @Test(arguments: [(40, 8), (130, 16)]) func joiningDisturbsNobody(way: UInt64, most: Int) throws {
    let pit = try VirtualServer(seed: 3, bodies: 60)
    let nanoseconds = way * 1_000_000
    let page = PredictingPage(
      pit, latency: nanoseconds...nanoseconds, cost: most > 8 ? 0.1 : 0)
    pit.advance(seconds: most > 8 ? 30 : 4)
    #expect(try #require(page.playback()).budget.most == most)
    let before = try #require(page.playback()?.prediction).statistics.rollbacks
    for step in 0..<360 {
      if step % 18 == 0 { pit.network.clients(LogReader()).connect() }
      let lean = DeterministicMath.sine(Float(step) / 15)
      page.tilt(x: Int16(9000 * lean), y: 13_000)
      pit.advance(seconds: 1.0 / 30)
    }
    let playback = try #require(page.playback())
    let rollbacks = try #require(playback.prediction).statistics.rollbacks - before
    #expect(most > 8 ? (1...20).contains(rollbacks) : rollbacks == 0, "\(rollbacks)")
    #expect(page.failures.isEmpty && page.healed == 0)
    let largest = playback.statistics.largestCorrection
    #expect(most > 8 ? largest < 4 : largest == 0, "\(largest) pt")
  }

  @Test func noStateStreamRunsForThoseWhoFollow() throws {
    let pit = try VirtualServer()
    _ = join(pit)
    let health = pit.server.exchange.health
    #expect(health.encoded.own == 0, "no state stream runs for those who follow")
  }
}
