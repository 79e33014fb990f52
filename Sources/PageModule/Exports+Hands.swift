import Simulation
import Wire

// Hands and words, and what happened.

/// Events that wait for the page at most: ten seconds of a lively gallery.
extension Page {
  static let mostEvents = 256
}

@_expose(wasm, "page_scene") @c(page_scene)
public func pageScene() -> Int32 { Int32(page.person?.scene ?? 0) }

@_expose(wasm, "page_grab") @c(page_grab)
public func pageGrab(_ slot: Int32, _ x: Float, _ y: Float) -> Int32 {
  page.grab(slot: slot, x: x, y: y)
}

@_expose(wasm, "page_move") @c(page_move)
public func pageMove(_ slot: Int32, _ x: Float, _ y: Float) -> Int32 {
  page.move(slot: slot, x: x, y: y)
}

@_expose(wasm, "page_release") @c(page_release)
public func pageRelease(_ slot: Int32, _ velocityX: Float, _ velocityY: Float) -> Int32 {
  page.release(slot: slot, velocityX: velocityX, velocityY: velocityY)
}

@_expose(wasm, "page_snap") @c(page_snap)
public func pageSnap(_ slot: Int32, _ x: Float, _ y: Float) -> Int32 {
  page.snap(slot: slot, x: x, y: y)
}

/// The words stand in the input.
@_expose(wasm, "page_say") @c(page_say)
public func pageSay(_ length: Int32) -> Int32 { page.say(length: length) }

@_expose(wasm, "page_event_count") @c(page_event_count)
public func pageEventCount() -> Int32 { Int32(page.events.count / 6) }

/// Six numbers an event: kind, two numbers, x and y in 1/8 pt, the tick.
@_expose(wasm, "page_events") @c(page_events)
public func pageEvents() -> UnsafeMutableRawPointer? {
  let size = page.events.count * MemoryLayout<Int32>.stride
  guard page.happenings.reserve(size) else { return nil }
  page.events.withUnsafeBytes { page.happenings.copy($0, at: 0) }
  return page.happenings.address()
}

@_expose(wasm, "page_events_clear") @c(page_events_clear)
public func pageEventsClear() { page.events.removeAll(keepingCapacity: true) }
