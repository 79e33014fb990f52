// Playing alone, without a server.

/// Begins to play alone: in the world that was shown last, or else in a new one that the seed
/// makes. Returns whether it does. It ends with the next welcome.
@_expose(wasm, "page_play_alone") @c(page_play_alone)
public func pagePlayAlone(_ seed: Int32) -> Int32 {
  page.playAlone(seed: UInt64(UInt32(bitPattern: seed))) ? 1 : 0
}

/// Whether it plays alone.
@_expose(wasm, "page_is_alone") @c(page_is_alone)
public func pageIsAlone() -> Int32 { page.alone == nil ? 0 : 1 }
