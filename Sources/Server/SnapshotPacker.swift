import Simulation
import Synchronization
import Transport
import Wire

/// Packs saved worlds into snapshots for those who follow the log, away from the threads that must
/// keep time: it takes five microseconds a body.
///
/// Belongs to the network thread; only the packing happens elsewhere, one world at a time.
final class SnapshotPacker {
  /// The world after a tick, ready to be sent.
  struct Snapshot {
    let tick: UInt32
    let frame: OutgoingFrame
    /// The server's tick when it was ready.
    let readyTick: UInt32
  }

  /// The last one that was packed.
  private(set) var newest: Snapshot?
  /// The tick of the world that is being packed.
  private(set) var packing: UInt32?

  private let run: Worker.Run
  private let finished = Finished()

  private final class Finished: Sendable {
    let bytes = Mutex<[UInt8]?>(nil)
  }

  init(run: @escaping Worker.Run) {
    self.run = run
  }

  /// Begins to pack a world. While another one is being packed it does nothing: nobody wants one
  /// then.
  func pack(_ world: SavedWorld) {
    guard packing == nil else { return }
    packing = world.tick
    let finished = finished
    run {
      let bytes = world.packed(behind: [ServerMessageType.snapshot.rawValue])
      finished.bytes.withLock { $0 = bytes }
    }
  }

  /// Takes what was packed meanwhile.
  /// - Parameter tick: the server's tick now.
  /// - Returns: whether there is a new snapshot.
  func collect(at tick: UInt32) -> Bool {
    guard let packing, let bytes = finished.bytes.withLock({ $0.take() }) else { return false }
    newest = Snapshot(
      tick: packing, frame: OutgoingFrame(copying: bytes), readyTick: tick)
    self.packing = nil
    return true
  }
}
