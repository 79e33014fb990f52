import ArgumentParser
import Foundation
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
