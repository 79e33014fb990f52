import Simulation
import Wire

// Following a log that was written down, for whoever compares it with the native core: no playback,
// no prediction, only the certain world.

/// Begins with a snapshot, whose bytes are in the input. Returns 1, or 0 if it is none.
@_expose(wasm, "log_begin") @c(log_begin)
public func logBegin(_ length: Int32) -> Int32 {
  page.checked = nil
  guard let snapshot = page.inputBytes(length) else { return 0 }
  page.checked = try? Replica(snapshot: [UInt8](snapshot))
  return page.checked == nil ? 0 : 1
}

/// Carries out records, whose bytes are in the input. Returns how many; −1 if they are none, −2 if
/// the world is another one than it was.
@_expose(wasm, "log_records") @c(log_records)
public func logRecords(_ length: Int32) -> Int32 {
  guard let records = page.inputBytes(length) else { return -1 }
  do throws(ReplicaError) {
    return Int32(try page.checked?.receive(records) ?? -1)
  } catch .diverged {
    return -2
  } catch {
    return -1
  }
}

/// The tick of the world.
@_expose(wasm, "log_tick") @c(log_tick)
public func logTick() -> UInt32 { page.checked?.pit.tick ?? 0 }

/// Hashes in the records that were the world's.
@_expose(wasm, "log_hashes") @c(log_hashes)
public func logHashes() -> Int32 { Int32(page.checked?.hashesMatched ?? 0) }

/// The hash of the world.
@_expose(wasm, "log_state_hash") @c(log_state_hash)
public func logStateHash() -> UInt64 { page.checked?.pit.stateHash() ?? 0 }

extension Page {
  /// The first bytes of the input; nil if there are not so many.
  fileprivate func inputBytes(_ length: Int32) -> UnsafeRawBufferPointer? {
    guard length > 0, Int(length) <= input.bytes.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: input.bytes[..<Int(length)])
  }
}
