import ArgumentParser
import Foundation
import Simulation
import TickLog

/// Writes a party's journal as a server does and reads it back, as fast as both go.
struct BenchJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Write a party's journal, then time its recovery and its verification.",
    discussion: """
      The party is that of 'bench replica'. Recovery replays the whole party behind the one \
      snapshot at its beginning; verification has one each ten seconds. Times of entries are those \
      of groups of three ticks, each written through to the disk of the temporary folder.
      """)

  @Option(help: "How long, in seconds of the world's time, 1 to 100000.")
  var seconds = 600

  @Option(help: "Phones that tilt, 1 to 1000.")
  var clients = 20

  @Option(help: "Stickers, 1 to 4096; for each new one the oldest goes.")
  var bodies = 100

  @Option(help: "How often, 1 to 100; the medians are told.")
  var rounds = 3

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  private struct Result: Encodable {
    var ticks = 0
    var bodies = 0
    var bytesPerTick = 0.0
    var entryUsP50 = 0.0
    var entryUsP99 = 0.0
    var snapshotBytes = 0
    var recoveryS = 0.0
    var recoveryTicksPerSecond = 0.0
    var verifyS = 0.0
    var verifyTimesRealTime = 0.0
    var mismatches = 0
  }

  func validate() throws {
    guard (1...100_000).contains(seconds), (1...1000).contains(clients),
      (1...4096).contains(bodies), (1...100).contains(rounds)
    else {
      throw ValidationError(
        "--seconds must be 1 to 100000, --clients 1 to 1000, --bodies 1 to 4096, --rounds 1 to 100")
    }
  }

  func run() throws {
    let folder = NSTemporaryDirectory() + "stickerpit-bench-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let result = try JournalPlace.explain { () throws -> Result in
      var result = Result()
      let once = try write(to: folder + "/once", snapshotTicks: .max, &result)
      let often = try write(to: folder + "/often", snapshotTicks: 600, &result)
      var recoveries: [Double] = []
      var verifications: [Double] = []
      for _ in 0..<rounds {
        recoveries.append(try Self.seconds { _ = try once.recover() })
        verifications.append(
          try Self.seconds { result.mismatches += try Verification(often).run().mismatches })
      }
      result.recoveryS = Self.share(0.5, of: recoveries)
      result.recoveryTicksPerSecond = Double(result.ticks) / result.recoveryS
      result.verifyS = Self.share(0.5, of: verifications)
      result.verifyTimesRealTime = Double(result.ticks) / 60 / result.verifyS
      return result
    }
    Output.result(try Output.json(result, isPretty: !json))
    guard result.mismatches == 0 else { throw Failure("the journal is not what was written") }
  }

  /// Writes the whole party.
  private func write(
    to path: String, snapshotTicks: Int, _ result: inout Result
  ) throws -> Journal {
    let journal = try Journal(JournalFolder(path, creates: true), durability: .full)
    var party = try BenchParty(clients: clients, bodies: bodies, most: bodies, seed: 1)
    let start = UInt64(party.pit.tick)
    var entry = LogEntry()
    entry.origin = LogOrigin(
      position: start, beginning: .snapshot, time: 0, version: "bench",
      world: WorldSettings(try PitConfiguration(bodies: bodies)))
    entry.snapshot = Self.snapshot(of: party)
    try journal.append(entry)
    var (bytes, times) = (0, [Double]())
    for group in 0..<(seconds * 20) {
      var records: [UInt8] = []
      let isSnapshot = (group + 1) % max(1, snapshotTicks / 3) == 0
      for index in 1...3 {
        var inputs = party.act()
        inputs.dropsCaches = isSnapshot && index == 3
        party.tick(inputs, into: &records)
      }
      var entry = LogEntry()
      entry.groups = [
        LogGroup(first: start + UInt64(group * 3 + 1), count: 3, time: 0, records: records)
      ]
      if isSnapshot { entry.snapshot = Self.snapshot(of: party) }
      bytes += records.count
      times.append(try Self.seconds { try journal.append(entry) } * 1e6)
      // As often as a server does.
      if group % 200 == 0 { try journal.prune(to: JournalLimits(age: .max, bytes: .max), at: 0) }
    }
    result.ticks = party.ticks
    result.bodies = party.pit.bodyCount
    result.bytesPerTick = Double(bytes) / Double(party.ticks)
    result.entryUsP50 = Self.share(0.5, of: times)
    result.entryUsP99 = Self.share(0.99, of: times)
    result.snapshotBytes = Self.snapshot(of: party).bytes.count
    return journal
  }

  private static func snapshot(of party: BenchParty) -> LogSnapshot {
    LogSnapshot(
      position: UInt64(party.pit.tick), time: 0,
      bytes: SavedWorld(party.pit, party.coder).packed())
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let began = ContinuousClock.now
    try work()
    return (ContinuousClock.now - began) / .seconds(1)
  }

  private static func share(_ share: Double, of times: [Double]) -> Double {
    let sorted = times.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
