import Simulation
import Wire

/// The world that a server begins with, and the log's coder before the first record.
struct WorldStart {
  let pit: Pit
  let coder: RecordCoder

  /// A new world.
  /// - Parameter tick: ticks before the first one.
  init(_ configuration: PitConfiguration, tick: UInt32 = 0) throws(PitError) {
    pit = try Pit(configuration, tick: tick)
    coder = RecordCoder(tick: pit.tick, gravity: pit.gravity)
  }

  /// One that is gone on with.
  init(_ replica: Replica) {
    pit = replica.pit
    coder = replica.coder
  }
}
