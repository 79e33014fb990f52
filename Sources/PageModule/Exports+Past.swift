import Physics
import Simulation

// The past: the last minute of what the page followed, or a journal's stretches. While it is shown,
// gravity and scenery are the past's. Ticks are told by the low 32 bits of their numbers.

/// How many ticks are recorded after the first. Of a world alone nothing is.
@_expose(wasm, "page_past_count") @c(page_past_count)
public func pagePastCount() -> Int32 { page.alone == nil ? Int32(page.recording.count) : 0 }

/// Shows what is recorded up to now; returns how many ticks there are after the first.
@_expose(wasm, "page_past_enter") @c(page_past_enter)
public func pagePastEnter() -> Int32 { page.enterPast() }

/// The first tick that can be shown.
@_expose(wasm, "page_past_first") @c(page_past_first)
public func pagePastFirst() -> Int32 { Int32(bitPattern: page.past?.first ?? 0) }

/// Room for a stretch of so many bytes, nil if they are too many.
@_expose(wasm, "page_past_input") @c(page_past_input)
public func pagePastInput(_ size: Int32) -> UnsafeMutableRawPointer? {
  page.stretch.reserve(Int(size)) ? page.stretch.address() : nil
}

/// `Page.takePast`.
@_expose(wasm, "page_past_take") @c(page_past_take)
public func pagePastTake(_ snapshot: Int32, _ records: Int32) -> Int32 {
  page.takePast(snapshot: Int(snapshot), records: Int(records))
}

/// Runs the past towards a tick, so many ticks at most. Returns 1 when it is there, 0 when it is on
/// its way, −1 for a tick that is not known.
@_expose(wasm, "page_past_reach") @c(page_past_reach)
public func pagePastReach(_ tick: Int32, _ most: Int32) -> Int32 {
  guard most > 0 else { return 0 }
  return switch page.past?.reach(UInt32(bitPattern: tick), most: Int(most)) {
  case .there: 1
  case .onTheWay: 0
  case .missing, nil: -1
  }
}

/// `Page.samplePast`.
@_expose(wasm, "page_past_sample") @c(page_past_sample)
public func pagePastSample(_ tick: Int32, _ share: Double) -> Int32 {
  page.samplePast(UInt32(bitPattern: tick), share: Float(share))
}

/// The scene of what was sampled last: the host may have begun another one since.
@_expose(wasm, "page_past_scene") @c(page_past_scene)
public func pagePastScene() -> Int32 { Int32(page.past?.scene.rawValue ?? 0) }

/// The size in points of the world that was sampled last.
@_expose(wasm, "page_past_world_width") @c(page_past_world_width)
public func pagePastWorldWidth() -> Int32 { Int32(page.past?.worldSize.x ?? 0) }

@_expose(wasm, "page_past_world_height") @c(page_past_world_height)
public func pagePastWorldHeight() -> Int32 { Int32(page.past?.worldSize.y ?? 0) }

/// Whether what is shown turned out not to be what was.
@_expose(wasm, "page_past_diverged") @c(page_past_diverged)
public func pagePastDiverged() -> Int32 { page.past?.hasDiverged == true ? 1 : 0 }

/// Shows the present again.
@_expose(wasm, "page_past_leave") @c(page_past_leave)
public func pagePastLeave() { page.past = nil }
