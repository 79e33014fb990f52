import ArgumentParser
import Foundation
import Physics
import Simulation
import Wire

/// Writes the log of a party and follows it, and reports its bits and its hashes.
struct BenchReplica: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replica",
    abstract: "Follow the log of a party with a second world, and compare every hash.",
    discussion: """
      The party is that of the traces: phones that sway and report 15 times a second, a drop each
      1.8 s, a throw each 2 s. Bits are those of the records, one message a tick.
      """)

  @Option(help: "How long, in seconds of the world's time, 1 to 1000000.")
  var seconds = 60

  @Option(help: "Phones that tilt, 1 to 1000.")
  var clients = 20

  @Option(help: "Stickers at the start, 1 to 4096.")
  var bodies = 331

  @Option(help: "The seed of everything left to chance.")
  var seed: UInt64 = 1

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func validate() throws {
    guard (1...1_000_000).contains(seconds), (1...1000).contains(clients),
      (1...4096).contains(bodies)
    else {
      throw ValidationError(
        "--seconds must be 1 to 1000000, --clients 1 to 1000, --bodies 1 to 4096")
    }
  }

  func run() throws {
    var party = try ReplicaParty(clients: clients, bodies: bodies, seed: seed)
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
  private let bodies: Int
  private var pit: Pit
  private var replica: Replica
  private var coder: RecordCoder
  private var phones: TracePhones
  private var blend = TiltBlend()
  private var chance: RandomGenerator
  private var sequence: UInt32 = 0
  private var bytes: [UInt8] = []
  private var byteCount = 0
  private var ticks = 0
  private var tickTimes: [Double] = []
  private var followTimes: [Double] = []
  private let snapshotBytes: Int
  private(set) var mismatches = 0

  /// Ticks before the log is written, in which the first stickers come to rest.
  private static let settling = 360

  init(clients: Int, bodies: Int, seed: UInt64) throws {
    self.clients = clients
    self.bodies = bodies
    pit = try Pit(PitConfiguration(bodies: bodies, seed: seed))
    for _ in 0..<Self.settling { pit.tick(TickInputs()) }
    var inputs = TickInputs()
    inputs.dropsCaches = true
    pit.tick(inputs)
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
    Replica.snapshot(of: pit, coder, into: &bytes)
    snapshotBytes = bytes.count
    replica = try Replica(snapshot: bytes)
    var chance = RandomGenerator(seed: seed ^ 0x5EED)
    phones = TracePhones(count: clients, sways: true, chance: &chance)
    self.chance = chance
  }

  mutating func run(ticks: Int) throws {
    let clock = ContinuousClock()
    for _ in 0..<ticks {
      let inputs = act()
      let start = clock.now
      let outcome = pit.tick(inputs)
      bytes.removeAll(keepingCapacity: true)
      coder.encode(outcome.record, into: &bytes)
      let written = clock.now
      byteCount += bytes.count
      do throws(ReplicaError) {
        try replica.receive(bytes)
      } catch .diverged {
        mismatches += 1
        return
      } catch {
        throw Failure("\(error)")
      }
      tickTimes.append((written - start) / .microseconds(1))
      followTimes.append((clock.now - written) / .microseconds(1))
      self.ticks += 1
    }
  }

  /// What the people do in the next tick.
  private mutating func act() -> TickInputs {
    let tick = pit.tick &+ 1
    _ = phones.gravity(at: ticks, chance: &chance)
    for (phone, angle) in phones.reports(at: ticks) {
      blend.add(
        client: UInt16(phone + 1), x: Int16(DeterministicMath.sine(angle) * 16_384),
        y: Int16(DeterministicMath.cosine(angle) * 16_384), tick: tick)
    }
    var inputs = TickInputs(gravity: blend.gravity(at: tick))
    let size = (x: pit.worldSize.x * 8, y: pit.worldSize.y * 8)
    if ticks % 108 == 54 {
      give(
        .drop(
          kind: UInt8(chance.next(below: 16)), x: Int16(chance.nextFloat(320, size.x - 320)),
          y: 240), to: &inputs)
    }
    if ticks % 120 == 60 {
      give(
        .throwSticker(
          x: Int16(chance.nextFloat(0, size.x)), y: Int16(chance.nextFloat(0, size.y)),
          velocityX: Int16(chance.nextFloat(-1000, 1000)),
          velocityY: Int16(chance.nextFloat(-1500, 0))), to: &inputs)
    }
    inputs.commands.sort { $0.precedes($1) }
    return inputs
  }

  private mutating func give(_ command: Command, to inputs: inout TickInputs) {
    sequence += 1
    inputs.commands.append(
      StampedCommand(
        client: UInt16(1 + chance.next(below: UInt32(clients))), sequence: sequence,
        command: command))
  }

  var values: [(name: String, value: String)] {
    [
      ("clients", "\(clients)"), ("bodies", "\(pit.bodyCount)"), ("ticks", "\(ticks)"),
      ("kbit_per_s", String(format: "%.3f", Double(byteCount * 8 * 60) / Double(ticks) / 1000)),
      ("hashes_compared", "\(replica.hashesMatched)"), ("mismatches", "\(mismatches)"),
      ("snapshot_bytes", "\(snapshotBytes)"), ("tick_us_p50", Self.median(tickTimes)),
      ("follow_us_p50", Self.median(followTimes)),
    ]
  }

  private static func median(_ times: [Double]) -> String {
    times.isEmpty ? "0" : String(format: "%.1f", times.sorted()[times.count / 2])
  }
}
