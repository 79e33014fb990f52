import Physics

/// Bytes that come from outside and go there, and the world that was restored from them.
final class SnapshotDesk {
  var world: PhysicsWorld?
  private(set) var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
  private var capacity = 1

  /// Makes room for as many bytes.
  func reserve(_ count: Int) {
    guard count > capacity else { return }
    bytes.deallocate()
    bytes = .allocate(capacity: count)
    capacity = count
  }

  /// Becomes the world that the first `count` bytes say. A world that is there takes them into its
  /// own memory.
  func restore(_ count: Int) -> Bool {
    guard count >= 0, count <= capacity else { return false }
    let saved = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    do throws(PhysicsError) {
      if world == nil { world = try PhysicsWorld() }
      try world?.restore(from: saved)
      return true
    } catch {
      return false
    }
  }

  /// Writes the world's snapshot; returns how many bytes it has, 0 without a world.
  func save() -> Int {
    guard let world else { return 0 }
    var saved: [UInt8] = []
    world.save(into: &saved)
    reserve(saved.count)
    for k in 0..<saved.count { bytes[k] = saved[k] }
    return saved.count
  }
}

/// The one desk of this module.
nonisolated(unsafe) let desk = SnapshotDesk()

/// Where a snapshot of `count` bytes is to be written before `snapshot_restore`, or stands after
/// `snapshot_save`.
@_expose(wasm, "snapshot_room") @c(snapshot_room)
public func snapshotRoom(_ count: Int32) -> UnsafeMutablePointer<UInt8> {
  desk.reserve(Int(count))
  return desk.bytes
}

/// Restores a world from the room's first bytes. Returns 1, or 0 for what is no snapshot.
@_expose(wasm, "snapshot_restore") @c(snapshot_restore)
public func snapshotRestore(_ count: Int32) -> Int32 { desk.restore(Int(count)) ? 1 : 0 }

/// Steps the restored world.
@_expose(wasm, "snapshot_step") @c(snapshot_step)
public func snapshotStep(_ ticks: Int32) {
  for _ in 0..<ticks { desk.world?.step() }
}

/// The restored world's hash.
@_expose(wasm, "snapshot_hash") @c(snapshot_hash)
public func snapshotHash() -> UInt64 { desk.world?.motionHash() ?? 0 }

/// Saves the restored world into the room. Returns how many bytes.
@_expose(wasm, "snapshot_save") @c(snapshot_save)
public func snapshotSave() -> Int32 { Int32(desk.save()) }
