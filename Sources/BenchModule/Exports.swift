import Simulation
import Wire

/// Makes a new pit. Returns 1, or 0 for a configuration that is not possible.
@_expose(wasm, "bench_pit") @c(bench_pit)
public func benchPit(_ bodies: Int32, _ maxBodies: Int32, _ seed: UInt32) -> Int32 {
  benchScene(0, bodies, maxBodies, seed)
}

/// Makes a new pit with a scene by its number. Returns 1, or 0 for what is not possible.
@_expose(wasm, "bench_scene") @c(bench_scene)
public func benchScene(
  _ scene: Int32, _ bodies: Int32, _ maxBodies: Int32, _ seed: UInt32
) -> Int32 {
  do throws(PitError) {
    guard let scene = UInt8(exactly: scene).flatMap({ Scene(rawValue: $0) }) else { return 0 }
    bench = try Bench(
      PitConfiguration(
        scene: scene, bodies: Int(bodies), maxBodies: Int(maxBodies), seed: UInt64(seed)))
    return 1
  } catch {
    bench = nil
    return 0
  }
}

/// A tilt sample for the next tick, in 1/16 384.
@_expose(wasm, "bench_tilt") @c(bench_tilt)
public func benchTilt(_ person: Int32, _ x: Int32, _ y: Int32) {
  bench?.tilt(
    person: UInt16(truncatingIfNeeded: person), x: Int16(clamping: x), y: Int16(clamping: y))
}

/// A drop for the next tick; commands come in order of (person, sequence).
@_expose(wasm, "bench_drop") @c(bench_drop)
public func benchDrop(
  _ person: Int32, _ sequence: Int32, _ kind: Int32, _ x: Int32, _ y: Int32
) {
  let kind = UInt8(truncatingIfNeeded: kind)
  give(person, sequence, .drop(kind: kind, x: Int16(clamping: x), y: Int16(clamping: y)))
}

/// A throw for the next tick.
@_expose(wasm, "bench_throw") @c(bench_throw)
public func benchThrow(
  _ person: Int32, _ sequence: Int32, _ x: Int32, _ y: Int32, _ velocityX: Int32,
  _ velocityY: Int32
) {
  give(
    person, sequence,
    .throwSticker(
      x: Int16(clamping: x), y: Int16(clamping: y), velocityX: Int16(clamping: velocityX),
      velocityY: Int16(clamping: velocityY)))
}

/// A grab for the next tick.
@_expose(wasm, "bench_grab") @c(bench_grab)
public func benchGrab(
  _ person: Int32, _ sequence: Int32, _ slot: Int32, _ generation: Int32, _ x: Int32, _ y: Int32
) {
  give(
    person, sequence,
    .grab(
      slot: UInt16(truncatingIfNeeded: slot), generation: UInt16(truncatingIfNeeded: generation),
      x: Int16(clamping: x), y: Int16(clamping: y)))
}

/// A move of a finger for the next tick.
@_expose(wasm, "bench_move") @c(bench_move)
public func benchMove(
  _ person: Int32, _ sequence: Int32, _ slot: Int32, _ x: Int32, _ y: Int32
) {
  give(
    person, sequence,
    .move(
      slot: UInt16(truncatingIfNeeded: slot), x: Int16(clamping: x), y: Int16(clamping: y)))
}

/// A release for the next tick.
@_expose(wasm, "bench_release") @c(bench_release)
public func benchRelease(
  _ person: Int32, _ sequence: Int32, _ slot: Int32, _ velocityX: Int32, _ velocityY: Int32
) {
  give(
    person, sequence,
    .release(
      slot: UInt16(truncatingIfNeeded: slot), velocityX: Int16(clamping: velocityX),
      velocityY: Int16(clamping: velocityY)))
}

/// A snap for the next tick.
@_expose(wasm, "bench_snap") @c(bench_snap)
public func benchSnap(
  _ person: Int32, _ sequence: Int32, _ slot: Int32, _ generation: Int32, _ x: Int32, _ y: Int32
) {
  give(
    person, sequence,
    .snap(
      slot: UInt16(truncatingIfNeeded: slot), generation: UInt16(truncatingIfNeeded: generation),
      x: Int16(clamping: x), y: Int16(clamping: y)))
}

/// A keyword, by its kind of sticker, for the next tick.
@_expose(wasm, "bench_say") @c(bench_say)
public func benchSay(_ person: Int32, _ sequence: Int32, _ keyword: Int32) {
  give(person, sequence, .say(keyword: UInt8(truncatingIfNeeded: keyword)))
}

/// A person leaves in the next tick.
@_expose(wasm, "bench_leave") @c(bench_leave)
public func benchLeave(_ person: Int32, _ sequence: Int32) {
  give(person, sequence, .leave)
}

@_expose(wasm, "bench_tick") @c(bench_tick)
public func benchTick() { bench?.tick() }

@_expose(wasm, "bench_state_hash") @c(bench_state_hash)
public func benchStateHash() -> UInt64 { bench?.stateHash ?? 0 }

@_expose(wasm, "bench_frame_hash") @c(bench_frame_hash)
public func benchFrameHash() -> UInt64 { bench?.frameHash ?? 0 }

@_expose(wasm, "bench_body_count") @c(bench_body_count)
public func benchBodyCount() -> Int32 { Int32(bench?.bodyCount ?? 0) }

private func give(_ person: Int32, _ sequence: Int32, _ command: Command) {
  bench?.give(
    StampedCommand(
      person: UInt16(truncatingIfNeeded: person), sequence: UInt32(bitPattern: sequence),
      command: command))
}
