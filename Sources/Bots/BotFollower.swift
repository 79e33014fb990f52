import Simulation
import Wire

/// A bot's own copy of the world, which follows the server's log and compares every hash in it.
struct BotFollower {
  private var replica: Replica?
  private var bodies: [StreamBody] = []
  /// What the bot sees of it.
  private(set) var world = LatticeWorld()
  /// The tick after which it has the world.
  var tick: UInt32? { replica?.pit.tick }

  /// Begins with a snapshot: a message, type byte included.
  /// - Returns: both worlds, if its own was found to be another one than the server's and the
  ///   snapshot is of the very tick at which it stands.
  mutating func begin(_ message: UnsafeRawBufferPointer) throws(ReplicaError) -> Divergence? {
    let wrong = replica?.hasDiverged == true ? replica : nil
    replica = nil
    replica = try Replica(snapshot: Array(message.dropFirst()))
    look()
    return wrong.flatMap { Divergence($0.pit, servers: replica!.pit) }
  }

  /// Carries records out.
  /// - Returns: how many ticks, and how many hashes were compared; nil if it has no world yet.
  mutating func follow(
    _ records: UnsafeRawBufferPointer
  ) throws(ReplicaError) -> (ticks: Int, hashes: Int)? {
    guard let before = replica?.hashesMatched else { return nil }
    let ticks = try replica!.receive(records)
    look()
    return (ticks, replica!.hashesMatched - before)
  }

  private mutating func look() {
    replica!.pit.bodies(into: &bodies)
    let steps = Float(world.profile.stepsPerPoint)
    world.bodies = bodies.map {
      LatticeBody(
        slot: $0.slot, generation: $0.generation, kind: $0.kind, size: $0.size,
        x: Int32($0.x * steps), y: Int32($0.y * steps), angle: 0)
    }
  }
}
