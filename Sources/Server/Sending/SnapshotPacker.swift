import Simulation
import Synchronization
import Transport
import Wire

/// Packs saved worlds into snapshots for those who follow the log, away from the threads that must
/// keep time: it takes five microseconds a body.
///
/// All network threads use it; the packing happens elsewhere, one world at a time.
final class SnapshotPacker: Sendable {
  /// The world after a tick, ready to be sent.
  struct Snapshot: Sendable {
    let tick: UInt32
    let frame: OutgoingFrame
    /// The server's tick when it was ready.
    let readyTick: UInt32
  }

  /// How far it is.
  struct State: Sendable {
    /// The last one that was packed.
    var newest: Snapshot?
    /// The tick of the world that is being packed.
    var packing: UInt32?
    fileprivate var packed: [UInt8]?
  }

  private let state = Mutex(State())
  private let run: Worker.Run

  init(run: @escaping Worker.Run) {
    self.run = run
  }

  /// How far it is now.
  var progress: State { state.withLock { $0 } }

  /// Begins to pack a world. While another one is being packed it does nothing: nobody wants one
  /// then. The same world is packed once, whichever network thread sees it first.
  func pack(_ world: SavedWorld) {
    let begins = state.withLock {
      guard $0.packing == nil, $0.newest.map({ world.tick.ticks(since: $0.tick) > 0 }) ?? true
      else { return false }
      $0.packing = world.tick
      return true
    }
    guard begins else { return }
    run { [self] in
      let bytes = world.packed(behind: [ServerMessageType.snapshot.rawValue])
      state.withLock { $0.packed = bytes }
    }
  }

  /// Takes what was packed meanwhile.
  /// - Parameter tick: the server's tick now.
  func collect(at tick: UInt32) {
    state.withLock {
      guard let packing = $0.packing, let bytes = $0.packed.take() else { return }
      $0.newest = Snapshot(
        tick: packing, frame: OutgoingFrame(copying: bytes), readyTick: tick)
      $0.packing = nil
    }
  }
}
