import Simulation

/// Makes a new pit. Returns 1, or 0 for a configuration that is not possible.
@_expose(wasm, "bench_pit") @c(bench_pit)
public func benchPit(_ bodies: Int32, _ maxBodies: Int32, _ seed: UInt32) -> Int32 {
  do throws(PitError) {
    bench = try Bench(
      PitConfiguration(bodies: Int(bodies), maxBodies: Int(maxBodies), seed: UInt64(seed)))
    return 1
  } catch {
    bench = nil
    return 0
  }
}

/// A tilt sample for the next tick, in 1/16 384.
@_expose(wasm, "bench_tilt") @c(bench_tilt)
public func benchTilt(_ client: Int32, _ x: Int32, _ y: Int32) {
  bench?.tilt(
    client: UInt16(truncatingIfNeeded: client), x: Int16(clamping: x), y: Int16(clamping: y))
}

/// A drop for the next tick; commands come in order of (client, sequence).
@_expose(wasm, "bench_drop") @c(bench_drop)
public func benchDrop(
  _ client: Int32, _ sequence: Int32, _ kind: Int32, _ x: Int32, _ y: Int32
) {
  let kind = UInt8(truncatingIfNeeded: kind)
  give(client, sequence, .drop(kind: kind, x: Int16(clamping: x), y: Int16(clamping: y)))
}

/// A throw for the next tick.
@_expose(wasm, "bench_throw") @c(bench_throw)
public func benchThrow(
  _ client: Int32, _ sequence: Int32, _ x: Int32, _ y: Int32, _ velocityX: Int32,
  _ velocityY: Int32
) {
  give(
    client, sequence,
    .throwSticker(
      x: Int16(clamping: x), y: Int16(clamping: y), velocityX: Int16(clamping: velocityX),
      velocityY: Int16(clamping: velocityY)))
}

@_expose(wasm, "bench_tick") @c(bench_tick)
public func benchTick() { bench?.tick() }

@_expose(wasm, "bench_state_hash") @c(bench_state_hash)
public func benchStateHash() -> UInt64 { bench?.stateHash ?? 0 }

@_expose(wasm, "bench_frame_hash") @c(bench_frame_hash)
public func benchFrameHash() -> UInt64 { bench?.frameHash ?? 0 }

@_expose(wasm, "bench_body_count") @c(bench_body_count)
public func benchBodyCount() -> Int32 { Int32(bench?.bodyCount ?? 0) }

private func give(_ client: Int32, _ sequence: Int32, _ command: Command) {
  bench?.give(
    StampedCommand(
      client: UInt16(truncatingIfNeeded: client), sequence: UInt32(bitPattern: sequence),
      command: command))
}
