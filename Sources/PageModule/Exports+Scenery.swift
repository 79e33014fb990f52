import Simulation
import Wire

// What there is besides the stickers in the last sample.

/// How round our own stickers of a kind are to see, in halves of their shorter side: 1 is a disc.
@_expose(wasm, "page_corner") @c(page_corner)
public func pageCorner(_ kind: Int32) -> Float {
  Sticker.corner(ofKind: UInt8(truncatingIfNeeded: kind))
}

@_expose(wasm, "page_boundary_count") @c(page_boundary_count)
public func pageBoundaryCount() -> Int32 { Int32(page.scenery.boundaries.count) }

/// Five floats each: id, then both ends in points.
@_expose(wasm, "page_boundaries") @c(page_boundaries)
public func pageBoundaries() -> UnsafeMutableRawPointer? { page.boundaries.address() }

@_expose(wasm, "page_rod_count") @c(page_rod_count)
public func pageRodCount() -> Int32 { Int32(page.scenery.rods.count) }

/// Four floats each: anchor and attached point, in points of the world.
@_expose(wasm, "page_rods") @c(page_rods)
public func pageRods() -> UnsafeMutableRawPointer? { page.rods.address() }

/// How worn a boundary is, 0…1: see `Page.wear`.
@_expose(wasm, "page_wear") @c(page_wear)
public func pageWear(_ id: Int32) -> Float {
  page.wear(ofBoundary: UInt8(truncatingIfNeeded: id))
}

/// Ticks until the floor opens, −1 if it is not about to: see `Page.ticksToOpening`.
@_expose(wasm, "page_ticks_to_opening") @c(page_ticks_to_opening)
public func pageTicksToOpening() -> Int32 {
  page.ticksToOpening.map { Int32(bitPattern: $0) } ?? -1
}

/// Takes the effects of the ticks that have become certain; returns how many there are.
@_expose(wasm, "page_take_effects") @c(page_take_effects)
public func pageTakeEffects() -> Int32 { page.takeEffects() }

/// `TickEffect.floats` numbers each, in the order of its fields.
@_expose(wasm, "page_effects") @c(page_effects)
public func pageEffects() -> UnsafeMutableRawPointer? { page.effectNumbers.address() }
