import Simulation
import Wire

/// Worlds beside this module's pit, which began as the same and are given the same inputs.
final class PitTwins {
  private var restored: Pit?
  private var assigned: Pit?
  private var joined: Pit?
  private(set) var isRunning = false
  private var wanted: [UInt8] = []
  private var saved: [UInt8] = []

  /// Makes a world in each way that there is: by restoring what the pit saves, as a copy, and as
  /// somebody's who joins. From the second time on in the memory that is there. Returns false when
  /// a snapshot is refused.
  func begin(_ pit: Pit) -> Bool {
    do throws(PitError) {
      if restored == nil { restored = try Pit(PitConfiguration()) }
      if assigned == nil { assigned = try Pit(PitConfiguration()) }
      pit.save(into: &saved)
      try restored?.restore(from: saved)
    } catch {
      return false
    }
    assigned?.assign(pit)
    let world = SavedWorld(pit, RecordCoder(tick: pit.tick, gravity: pit.gravity))
    do throws(ReplicaError) { joined = try Replica(snapshot: world.packed()).pit } catch {
      return false
    }
    isRunning = true
    return true
  }

  func end() { isRunning = false }

  func tick(_ inputs: TickInputs) {
    restored?.tick(inputs)
    assigned?.tick(inputs)
    joined?.tick(inputs)
  }

  /// Which of them saves other bytes than the pit: 1 the restored one, 2 the copy, 4 the joined
  /// one, and their sums.
  func difference(from pit: Pit) -> Int32 {
    pit.save(into: &wanted)
    return differs(restored) | differs(assigned) << 1 | differs(joined) << 2
  }

  private func differs(_ pit: Pit?) -> Int32 {
    guard let pit else { return 1 }
    pit.save(into: &saved)
    return saved == wanted ? 0 : 1
  }
}

/// Begins worlds beside the pit, which from then on get its inputs. Returns 1, or 0 without a pit
/// and when its snapshot is refused.
@_expose(wasm, "heavy_begin") @c(heavy_begin)
public func heavyBegin() -> Int32 { bench.map { $0.twins.begin($0.pit) ? 1 : 0 } ?? 0 }

/// Which of the worlds beside the pit is another one, to the byte: 0 for none, 1 the restored one,
/// 2 the copy, 4 the joined one, and their sums.
@_expose(wasm, "heavy_difference") @c(heavy_difference)
public func heavyDifference() -> Int32 { bench.map { $0.twins.difference(from: $0.pit) } ?? -1 }

/// Lets the worlds beside the pit be.
@_expose(wasm, "heavy_end") @c(heavy_end)
public func heavyEnd() { bench?.twins.end() }
