import Simulation
import Wire

// Following the log: how it goes, and what it costs.

/// Whether the page follows the log now.
@_expose(wasm, "page_is_following") @c(page_is_following)
public func pageIsFollowing() -> Int32 { page.follower == nil ? 0 : 1 }

/// `Page.followingNumbers`.
@_expose(wasm, "page_following") @c(page_following)
public func pageFollowing() -> UnsafeMutableRawPointer? {
  guard let numbers = page.followingNumbers else { return nil }
  numbers.withUnsafeBytes { page.following.copy($0, at: 0) }
  return page.following.address()
}

/// What was different first, by name, when the world was last wrong; empty for nothing.
@_expose(wasm, "page_difference") @c(page_difference)
public func pageDifference() -> UnsafeMutableRawPointer? {
  guard var text = page.follower?.difference else { return nil }
  text.withUTF8 { page.difference.copy(UnsafeRawBufferPointer($0), at: 0) }
  return page.difference.address()
}

@_expose(wasm, "page_difference_length") @c(page_difference_length)
public func pageDifferenceLength() -> Int32 {
  let count = page.follower?.difference?.utf8.count ?? 0
  return Int32(count < page.difference.limit ? count : page.difference.limit)
}

/// Both worlds of the last divergence, as `Page.writeDivergence` writes them; nil without one. They
/// stay until the next call.
@_expose(wasm, "page_divergence") @c(page_divergence)
public func pageDivergence() -> UnsafeMutableRawPointer? {
  page.writeDivergence() ? page.worlds.address() : nil
}

/// Takes in what the calls since the last one took. Returns whether following the log is too much
/// for this device.
@_expose(wasm, "page_spent") @c(page_spent)
public func pageSpent(_ milliseconds: Double, _ now: Double) -> Int32 {
  page.follower?.spent(milliseconds, now: now)
  return page.follower?.budget.isTooMuch == true ? 1 : 0
}

// Playing alone, without a server.

/// Begins to play alone: in the world that was shown last, or else in a new one that the seed
/// makes. Returns whether it does. It ends with the next welcome.
@_expose(wasm, "page_play_alone") @c(page_play_alone)
public func pagePlayAlone(_ seed: Int32) -> Int32 {
  page.playAlone(seed: UInt64(UInt32(bitPattern: seed))) ? 1 : 0
}

/// Makes it rain stickers of a kind for who plays alone: see `Page.rainAlone`.
@_expose(wasm, "page_rain_alone") @c(page_rain_alone)
public func pageRainAlone(_ kind: Int32) -> Int32 { page.rainAlone(kind: kind) ? 1 : 0 }

/// Whether it plays alone.
@_expose(wasm, "page_is_alone") @c(page_is_alone)
public func pageIsAlone() -> Int32 { page.alone == nil ? 0 : 1 }
