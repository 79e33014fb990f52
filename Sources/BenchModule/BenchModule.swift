// The core as a WebAssembly module for tests and benchmarks: a pit that is driven from outside, and
// the hashes by which it is compared with the native one. Never shipped; the page has PageModule.

import Determinism
import Simulation
import Wire

/// The start of an executable that has none.
@main
enum Entry {
  /// Nothing runs by itself: the test calls.
  static func main() {}
}

/// A pit with everything that a server has around it.
final class Bench {
  private(set) var pit: Pit
  private var blend = TiltBlend()
  private var inputs = TickInputs()
  /// Worlds beside this one, in heavy mode.
  let twins = PitTwins()
  private var bodies: [StreamBody] = []
  private let encoder: StreamEncoder
  private var frame: [UInt8] = []
  private var frames = FNVHash()
  /// A running hash of all frames' bytes.
  var frameHash: UInt64 { frames.value }

  init(_ configuration: PitConfiguration) throws(PitError) {
    pit = try Pit(configuration)
    encoder = StreamEncoder(pit.shape(profile: .strict, rate: .hz60))
  }

  func tilt(person: UInt16, x: Int16, y: Int16) {
    blend.add(person: person, x: x, y: y, tick: pit.tick.nextTick)
  }

  func give(_ command: StampedCommand) {
    inputs.commands.append(command)
  }

  func tick() {
    inputs.gravity = blend.gravity(at: pit.tick.nextTick)
    pit.tick(inputs)
    if twins.isRunning { twins.tick(inputs) }
    inputs.commands.removeAll(keepingCapacity: true)
    pit.bodies(into: &bodies)
    frame.removeAll(keepingCapacity: true)
    encoder.encode(bodies, tick: pit.tick, gravity: pit.gravity, into: &frame)
    for byte in frame { frames.add(byte) }
  }

  var stateHash: UInt64 { pit.stateHash() }
  var bodyCount: Int { pit.bodyCount }
}

/// The one pit of this module; nil before `bench_pit`. WebAssembly modules have one thread.
nonisolated(unsafe) var bench: Bench?
