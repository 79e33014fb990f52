import ArgumentParser
import Foundation
import Physics
import Simulation
import Wire

/// Times what prediction and joining do with a whole pit.
struct BenchSnapshots: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshots",
    abstract: "Time saving, restoring, copying and hashing a whole pit.")

  @Option(help: "Stickers, 1 to 16384; several numbers one after the other.")
  var bodies: [Int] = [331, 1000, 4000]

  @Option(help: "Ticks before measuring.")
  var warmup = 600

  @Flag(help: "Turn gravity while it warms up, so that everything moves.")
  var tilt = false

  @Flag(help: "Print one JSON object a number on standard output.")
  var json = false

  func validate() throws {
    guard bodies.allSatisfy({ (1...16_384).contains($0) }), warmup >= 0 else {
      throw ValidationError("--bodies must be 1 to 16384, and --warmup at least 0")
    }
  }

  func run() throws {
    for count in bodies {
      let configuration = try PitConfiguration(
        bodies: count, maxBodies: PitConfiguration.bodyLimit, seed: 7)
      var pit = try Pit(configuration)
      for tick in 0..<warmup { pit.tick(TickInputs(gravity: tilt ? Self.gravity(tick) : nil)) }
      let values = try PitTimes(pit).values()
      Output.result(
        json
          ? "{" + values.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
          : values.map { "\($0.name) \($0.value)" }.joined(separator: "\n"))
    }
  }

  /// A quarter turn every second.
  private static func gravity(_ tick: Int) -> QuantizedGravity {
    let strength: Int16 = 16_384
    switch tick / 60 % 4 {
    case 0: return QuantizedGravity(x: 0, y: strength)
    case 1: return QuantizedGravity(x: strength, y: 0)
    case 2: return QuantizedGravity(x: 0, y: -strength)
    default: return QuantizedGravity(x: -strength, y: 0)
    }
  }
}

/// How long a world takes to be saved and restored, and how many bytes that is.
struct SnapshotTimes {
  private var world: PhysicsWorld
  private static let rounds = 200

  init(_ world: PhysicsWorld) { self.world = world }

  /// Medians in microseconds, into memory that is kept; then the bytes of a snapshot with all
  /// caches and of one right after they were dropped.
  mutating func values() throws -> [(name: String, value: String)] {
    var bytes: [UInt8] = []
    var copy = world
    let save = Median.of(Self.rounds) { copy.save(into: &bytes) }
    let restore = try Median.of(Self.rounds) { try copy.restore(from: bytes) }
    guard copy.stateHash() == world.stateHash() else {
      throw Failure("a restored world differs from the one that was saved")
    }
    let whole = bytes.count
    copy.dropCaches()
    copy.save(into: &bytes)
    return [
      ("save_us", save), ("restore_us", restore), ("snapshot_bytes", "\(whole)"),
      ("join_bytes", "\(bytes.count)"),
    ]
  }
}

/// How long a whole pit takes to be saved, restored, copied and hashed.
struct PitTimes {
  private let pit: Pit
  private static let rounds = 200
  private static let joins = 50

  init(_ pit: Pit) { self.pit = pit }

  /// Medians in microseconds, into memory that is kept.
  func values() throws -> [(name: String, value: String)] {
    var bytes: [UInt8] = []
    var ahead = pit
    let save = Median.of(Self.rounds) { pit.save(into: &bytes) }
    let restore = try Median.of(Self.rounds) { try ahead.restore(from: bytes) }
    let assign = Median.of(Self.rounds) { ahead.assign(pit) }
    var hash: UInt64 = 0
    let hashed = Median.of(Self.rounds) { hash = pit.stateHash() }
    guard ahead.stateHash() == hash else {
      throw Failure("a copied pit differs from the one that it is a copy of")
    }
    let assignAndTick = Median.of(Self.rounds) {
      ahead.assign(pit)
      ahead.tick(TickInputs())
    }
    let tick = Median.of(Self.rounds) { ahead.tick(TickInputs()) }
    return [
      ("bodies", "\(pit.bodyCount)"), ("bytes", "\(bytes.count)"), ("save_us", save),
      ("restore_us", restore), ("assign_us", assign), ("hash_us", hashed),
      ("assign_and_tick_us", assignAndTick), ("tick_us", tick),
    ] + (try joining())
  }

  /// What somebody who joins is sent, and how long it takes to be made and to become a world.
  private func joining() throws -> [(name: String, value: String)] {
    let whole = SavedWorld(pit, RecordCoder(tick: pit.tick, gravity: pit.gravity)).packed()
    var (dropped, inputs) = (pit, TickInputs())
    inputs.dropsCaches = true
    dropped.tick(inputs)
    let coder = RecordCoder(tick: dropped.tick, gravity: dropped.gravity)
    var (saved, bytes): ([UInt8], [UInt8]) = ([], [])
    dropped.save(into: &saved)
    var world = SavedWorld(dropped, coder)
    let save = Median.of(Self.joins) { world = SavedWorld(dropped, coder) }
    let pack = Median.of(Self.joins) { bytes = world.packed() }
    var joined = try Replica(snapshot: bytes)
    let join = try Median.of(Self.joins) { joined = try Replica(snapshot: bytes) }
    guard joined.pit.stateHash() == dropped.stateHash() else {
      throw Failure("a replica differs from the pit whose snapshot it began with")
    }
    return [
      ("join_saved_bytes", "\(saved.count)"), ("join_bytes", "\(bytes.count)"),
      ("join_bytes_with_caches", "\(whole.count)"), ("join_save_us", save),
      ("join_pack_us", pack), ("join_us", join),
    ]
  }
}

/// The middle one of many measurements.
private enum Median {
  /// In microseconds.
  static func of(_ rounds: Int, _ work: () throws -> Void) rethrows -> String {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = clock.now
      try work()
      times.append((clock.now - start) / .microseconds(1))
    }
    return String(format: "%.1f", times.sorted()[times.count / 2])
  }
}
