import Simulation
import Wire

// The world to draw, and how well it arrives.

@_expose(wasm, "page_world_width") @c(page_world_width)
public func pageWorldWidth() -> Float { Float(page.person?.worldWidth ?? 0) }

@_expose(wasm, "page_world_height") @c(page_world_height)
public func pageWorldHeight() -> Float { Float(page.person?.worldHeight ?? 0) }

/// A sum of the set that the world's stickers are of; 0 for those that every page has.
@_expose(wasm, "page_sticker_set") @c(page_sticker_set)
public func pageStickerSet() -> UInt64 { page.person?.stickers?.digest ?? 0 }

@_expose(wasm, "page_gravity_x") @c(page_gravity_x)
public func pageGravityX() -> Float {
  Float(page.gravity.x) / QuantizedGravity.unit
}

@_expose(wasm, "page_gravity_y") @c(page_gravity_y)
public func pageGravityY() -> Float {
  Float(page.gravity.y) / QuantizedGravity.unit
}

@_expose(wasm, "page_run") @c(page_run)
public func pageRun(_ now: Double) { page.run(to: now) }

@_expose(wasm, "page_sample") @c(page_sample)
public func pageSample(_ now: Double) -> Int32 { page.sample(at: now) }

@_expose(wasm, "page_instances") @c(page_instances)
public func pageInstances() -> UnsafeMutableRawPointer? { page.drawing.address() }

@_expose(wasm, "page_tick") @c(page_tick)
public func pageTick() -> Int32 { Int32(bitPattern: page.tick) }

@_expose(wasm, "page_round_trip_ms") @c(page_round_trip_ms)
public func pageRoundTrip() -> Double { page.clock.roundTrip }

@_expose(wasm, "page_delay_ms") @c(page_delay_ms)
public func pageDelay() -> Double {
  page.follower == nil ? page.playback.delay : 0
}

@_expose(wasm, "page_lead_ms") @c(page_lead_ms)
public func pageLead() -> Double { page.leadTime }

@_expose(wasm, "page_jitter_ms") @c(page_jitter_ms)
public func pageJitter() -> Double { page.jitter }

@_expose(wasm, "page_frames") @c(page_frames)
public func pageFrames() -> Int32 { Int32(bitPattern: page.frames) }

@_expose(wasm, "page_keyframes") @c(page_keyframes)
public func pageKeyframes() -> Int32 { Int32(bitPattern: page.keyframes) }

@_expose(wasm, "page_skipped") @c(page_skipped)
public func pageSkipped() -> Int32 { Int32(bitPattern: page.playback.statistics.skipped) }

@_expose(wasm, "page_gaps") @c(page_gaps)
public func pageGaps() -> Int32 { Int32(bitPattern: page.playback.statistics.gaps) }

@_expose(wasm, "page_quality") @c(page_quality)
public func pageQuality() -> Int32 { page.quality }
