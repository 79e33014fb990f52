import Simulation
import Wire

// Following a log with a world that is made wrong on the way: a test outside flips a word of the
// saved pit, and sees whether the next hash tells and whether a snapshot heals it. What is passed
// in and out stands in the room of `pit_room`.

extension PitCopyDesk {
  /// The room's first bytes; nil if there are not so many.
  private func content(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count > 0, count <= room.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: room[..<count])
  }

  private func put(_ bytes: [UInt8]) -> Int {
    reserve(bytes.count)
    bytes.withUnsafeBytes { room.copyMemory(from: $0) }
    return bytes.count
  }

  fileprivate func beginFollowing(_ count: Int) -> Bool {
    guard let snapshot = content(count) else { return false }
    do throws(ReplicaError) {
      follower = try Replica(snapshot: [UInt8](snapshot))
      return true
    } catch {
      return false
    }
  }

  fileprivate func follow(_ count: Int) -> Int32 {
    guard let records = content(count) else { return -1 }
    do throws(ReplicaError) {
      return Int32(try follower?.receive(records) ?? -1)
    } catch .diverged {
      return -2
    } catch {
      return -1
    }
  }

  /// Writes the bytes of the follower's pit into the room; returns how many, 0 without one.
  fileprivate func saveFollower() -> Int {
    guard let replica = follower else { return 0 }
    var bytes: [UInt8] = []
    replica.pit.save(into: &bytes)
    return put(bytes)
  }

  /// Writes a snapshot of the follower's world into the room; returns how many bytes.
  fileprivate func packFollower() -> Int {
    guard let replica = follower else { return 0 }
    return put(SavedWorld(replica.pit, replica.coder).packed())
  }

  /// The follower goes on with the pit in the room, if it is one of the same tick.
  fileprivate func exchangePit(_ count: Int) -> Bool {
    guard let bytes = content(count), let replica = follower else { return false }
    do throws(PitError) {
      let pit = try Pit.restore(from: [UInt8](bytes))
      guard pit.tick == replica.pit.tick else { return false }
      follower = Replica(pit, replica.coder)
      return true
    } catch {
      return false
    }
  }
}

/// Begins to follow with the room's first bytes, a snapshot. Returns 1, or 0 for what is none.
@_expose(wasm, "follow_begin") @c(follow_begin)
public func followBegin(_ count: Int32) -> Int32 { copies.beginFollowing(Int(count)) ? 1 : 0 }

/// Carries out the records in the room's first bytes. Returns how many; −1 if they are none, −2 if
/// the world is another one than it was.
@_expose(wasm, "follow_records") @c(follow_records)
public func followRecords(_ count: Int32) -> Int32 { copies.follow(Int(count)) }

/// Saves the follower's pit into the room. Returns how many bytes.
@_expose(wasm, "follow_save") @c(follow_save)
public func followSave() -> Int32 { Int32(copies.saveFollower()) }

/// Goes on with the pit in the room's first bytes. Returns 1, or 0 for what is none of this tick.
@_expose(wasm, "follow_exchange") @c(follow_exchange)
public func followExchange(_ count: Int32) -> Int32 { copies.exchangePit(Int(count)) ? 1 : 0 }

/// Packs a snapshot of the follower's world into the room. Returns how many bytes.
@_expose(wasm, "follow_pack") @c(follow_pack)
public func followPack() -> Int32 { Int32(copies.packFollower()) }

/// The tick of the follower's world.
@_expose(wasm, "follow_tick") @c(follow_tick)
public func followTick() -> UInt32 { copies.follower?.pit.tick ?? 0 }

/// The hash of the follower's world.
@_expose(wasm, "follow_hash") @c(follow_hash)
public func followHash() -> UInt64 { copies.follower?.pit.stateHash() ?? 0 }
