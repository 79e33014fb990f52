import Simulation
import Wire

/// Snapshots of this module's pit, and a second pit that goes back to the first one's state as
/// prediction does.
final class PitCopyDesk {
  private var saved: [UInt8] = []
  private var packed: [UInt8] = []
  private(set) var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var ahead: Pit?
  /// Who follows a log; see `FollowExports.swift`.
  var follower: Replica?

  /// Makes room for as many bytes from outside.
  func reserve(_ count: Int) {
    guard count > room.count else { return }
    room.deallocate()
    room = .allocate(byteCount: count, alignment: 8)
  }

  /// Writes the pit's snapshot into the room; returns how many bytes it has.
  func save(_ pit: Pit) -> Int {
    pit.save(into: &saved)
    reserve(saved.count)
    saved.withUnsafeBytes { room.copyMemory(from: $0) }
    return saved.count
  }

  /// Whether the room's first `count` bytes are a pit, which is the one ahead from then on.
  func restore(_ count: Int) -> Bool {
    guard count >= 0, count <= room.count else { return false }
    let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: room[..<count]))
    do throws(PitError) {
      if ahead == nil { ahead = try Pit(PitConfiguration()) }
      try ahead?.restore(from: bytes)
      return true
    } catch {
      return false
    }
  }

  /// Whether the room's first `count` bytes are a snapshot for somebody who joins; its pit is the
  /// one ahead from then on.
  func join(_ count: Int) -> Bool {
    guard count >= 0, count <= room.count else { return false }
    let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: room[..<count]))
    do throws(ReplicaError) {
      ahead = try Replica(snapshot: bytes).pit
      return true
    } catch {
      return false
    }
  }

  /// Lets the pit ahead run on, with a hand that opens; returns its hash.
  func run(_ ticks: Int) -> UInt64 {
    let leave = StampedCommand(person: 1, sequence: 1, command: .leave)
    for tick in 0..<ticks {
      ahead?.tick(TickInputs(commands: tick == ticks / 2 ? [leave] : []))
    }
    return ahead?.stateHash() ?? 0
  }

  /// Does one kind of work `times` times, for a clock outside: 0 saves, 1 restores what was saved
  /// last, 2 becomes a copy, 3 hashes, 4 becomes a copy and ticks once, 5 packs a snapshot for
  /// somebody who joins, 6 joins with the last one.
  func work(_ kind: Int32, times: Int32, _ pit: Pit) -> UInt64 {
    var hash: UInt64 = 0
    for _ in 0..<times {
      switch kind {
      case 0: pit.save(into: &saved)
      case 1: do throws(PitError) { try ahead?.restore(from: saved) } catch { return 0 }
      case 2: ahead?.assign(pit)
      case 3: hash ^= pit.stateHash()
      case 5:
        packed = SavedWorld(pit, RecordCoder(tick: pit.tick, gravity: pit.gravity)).packed()
        hash = UInt64(packed.count)
      case 6:
        do throws(ReplicaError) { ahead = try Replica(snapshot: packed).pit } catch { return 0 }
      default:
        ahead?.assign(pit)
        ahead?.tick(TickInputs())
      }
    }
    return hash
  }
}

/// The one desk of this module.
nonisolated(unsafe) let copies = PitCopyDesk()

/// Where a snapshot of `count` bytes is to be written before `pit_restore`, or stands after
/// `pit_save`.
@_expose(wasm, "pit_room") @c(pit_room)
public func pitRoom(_ count: Int32) -> UnsafeMutableRawPointer? {
  copies.reserve(Int(count))
  return copies.room.baseAddress
}

/// Saves the pit into the room. Returns how many bytes, 0 without a pit.
@_expose(wasm, "pit_save") @c(pit_save)
public func pitSave() -> Int32 { Int32(bench.map { copies.save($0.pit) } ?? 0) }

/// Restores another pit from the room's first bytes. Returns 1, or 0 for what is no snapshot.
@_expose(wasm, "pit_restore") @c(pit_restore)
public func pitRestore(_ count: Int32) -> Int32 { copies.restore(Int(count)) ? 1 : 0 }

/// Restores another pit from the room's first bytes, a snapshot for somebody who joins. Returns 1,
/// or 0 for what is none.
@_expose(wasm, "pit_join") @c(pit_join)
public func pitJoin(_ count: Int32) -> Int32 { copies.join(Int(count)) ? 1 : 0 }

/// Lets the restored pit run; returns its hash.
@_expose(wasm, "pit_run") @c(pit_run)
public func pitRun(_ ticks: Int32) -> UInt64 { copies.run(Int(ticks)) }

/// Saves, restores, copies or hashes many times, for a benchmark.
@_expose(wasm, "pit_work") @c(pit_work)
public func pitWork(_ kind: Int32, _ times: Int32) -> UInt64 {
  bench.map { copies.work(kind, times: times, $0.pit) } ?? 0
}
