import ArgumentParser
import Foundation
import Physics
import Simulation
import Wire

/// Writes the log of a party and follows it, and reports its bits and its hashes.
struct BenchReplica: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replica",
    abstract: "Follow the log of a party with a world that runs ahead, and compare every hash.",
    discussion: """
      The party is that of the traces: phones that sway and report 15 times a second, a drop each
      1.8 s, a throw each 2 s. Bits are those of the records, one message a tick. One of the
      phones has the second world, which knows what that phone does at once and all else when the
      log brings it.
      """)

  @Option(help: "How long, in seconds of the world's time, 1 to 1000000.")
  var seconds = 60

  @Option(help: "Phones that tilt, 1 to 1000.")
  var clients = 20

  @Option(help: "Stickers at the start, 1 to 4096.")
  var bodies = 331

  @Option(help: "Ticks by which the second world is ahead of the log, 0 to 16.")
  var ahead = 6

  @Option(help: "The seed of everything left to chance.")
  var seed: UInt64 = 1

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func validate() throws {
    guard (1...1_000_000).contains(seconds), (1...1000).contains(clients),
      (1...4096).contains(bodies), (0...Prediction.mostTicks).contains(ahead)
    else {
      throw ValidationError(
        "--seconds must be 1 to 1000000, --clients 1 to 1000, --bodies 1 to 4096, --ahead 0 to 16")
    }
  }

  func run() throws {
    var party = try ReplicaParty(
      clients: clients, bodies: bodies, ahead: ahead, seed: seed)
    try party.run(ticks: seconds * 60)
    let values = party.values
    if json {
      Output.result(
        "{" + values.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}")
    } else {
      for (name, value) in values { Output.result("\(name) \(value)") }
    }
    guard party.mismatches == 0 else { throw Failure("the second world differs") }
  }
}

/// A party's world, its log, and who follows it.
private struct ReplicaParty {
  private let clients: Int
  private var party: BenchParty
  private let ahead: Int
  private var prediction: Prediction
  /// Records on their way, the oldest first.
  private var line: [[UInt8]] = []
  private var bytes: [UInt8] = []
  private var byteCount = 0
  private var tickTimes: [Double] = []
  private var followTimes: [Double] = []
  /// Of the ticks in which the world ahead was made anew.
  private var rollbackTimes: [Double] = []
  private let snapshotBytes: Int
  private(set) var mismatches = 0

  /// The phone that has the second world.
  private static let own: UInt16 = 1

  init(clients: Int, bodies: Int, ahead: Int, seed: UInt64) throws {
    self.clients = clients
    self.ahead = ahead
    party = try BenchParty(clients: clients, bodies: bodies, seed: seed)
    bytes = SavedWorld(party.pit, party.coder).packed()
    snapshotBytes = bytes.count
    prediction = Prediction(try Replica(snapshot: bytes), person: Self.own, after: 0)
  }

  mutating func run(ticks: Int) throws {
    let clock = ContinuousClock()
    for _ in 0..<ticks {
      let inputs = act()
      let start = clock.now
      bytes.removeAll(keepingCapacity: true)
      party.tick(inputs, into: &bytes)
      let written = clock.now
      byteCount += bytes.count
      line.append(bytes)
      guard try follow() else { return }
      let took = (clock.now - written) / .microseconds(1)
      tickTimes.append((written - start) / .microseconds(1))
      followTimes.append(took)
      if hasRolledBack { rollbackTimes.append(took) }
    }
  }

  private var hasRolledBack = false

  /// One tick of the second world, which gets the record of `ahead` ticks ago.
  /// - Returns: whether it is the server's world.
  private mutating func follow() throws -> Bool {
    hasRolledBack = false
    guard line.count > ahead else {
      prediction.advance(to: party.pit.tick)
      return true
    }
    let record = line.removeFirst()
    let result: Result<Void, ReplicaError> = record.withUnsafeBytes { raw in
      do throws(ReplicaError) { return .success(try prediction.receive(raw)) } catch {
        return .failure(error)
      }
    }
    if case .failure(.diverged) = result {
      mismatches += 1
      return false
    }
    if case .failure(let error) = result { throw Failure("\(error)") }
    let before = prediction.statistics.rollbacks
    prediction.advance(to: party.pit.tick)
    hasRolledBack = prediction.statistics.rollbacks != before
    return true
  }

  /// What the people do in the next tick. The own phone's world knows what that one does.
  private mutating func act() -> TickInputs {
    let tick = party.pit.tick.nextTick
    var own: (x: Int16, y: Int16)?
    let inputs = party.act { person, x, y in if person == Self.own { own = (x, y) } }
    if let own { prediction.tilt(x: own.x, y: own.y, for: tick) }
    for command in inputs.commands where command.person == Self.own {
      prediction.act(command.command, for: tick)
    }
    return inputs
  }

  var values: [(name: String, value: String)] {
    [
      ("clients", "\(clients)"), ("bodies", "\(party.pit.bodyCount)"), ("ticks", "\(party.ticks)"),
      ("kbit_per_s", String(format: "%.3f", Double(byteCount) * 0.48 / Double(party.ticks))),
      ("hashes_compared", "\(prediction.replica.hashesMatched)"), ("mismatches", "\(mismatches)"),
      ("snapshot_bytes", "\(snapshotBytes)"), ("ahead", "\(ahead)"),
      ("rollbacks", "\(prediction.statistics.rollbacks)"),
      ("replayed", "\(prediction.statistics.replayed)"),
      ("tick_us_p50", Self.share(0.5, of: tickTimes)),
      ("follow_us_p50", Self.share(0.5, of: followTimes)),
      ("resim_ms_p50", Self.share(0.5, of: rollbackTimes, 1000)),
      ("resim_ms_p99", Self.share(0.99, of: rollbackTimes, 1000)),
    ]
  }

  private static func share(_ share: Double, of times: [Double], _ unit: Double = 1) -> String {
    guard !times.isEmpty else { return "0" }
    let index = min(times.count - 1, Int(Double(times.count) * share))
    return String(format: unit == 1 ? "%.1f" : "%.3f", times.sorted()[index] / unit)
  }
}
