import Simulation
import Wire

// Following the log: how it goes, and what it costs.

/// Whether the page follows the log now.
@_expose(wasm, "page_is_following") @c(page_is_following)
public func pageIsFollowing() -> Int32 { page.follower == nil ? 0 : 1 }

/// Seventeen doubles: ticks ahead of the log, the most there may be, ticks of input delay, ticks of
/// lead, rollbacks, ticks run again, corrections that could be seen, the largest of them and the
/// largest of late in points, own commands that came late, hashes that were equal, times that the
/// world was wrong, whether it is now, milliseconds since it was, bytes of records, milliseconds
/// that a tick takes, the tick in which the world was last found to be wrong.
@_expose(wasm, "page_following") @c(page_following)
public func pageFollowing() -> UnsafeMutableRawPointer? {
  guard let follower = page.follower else { return nil }
  let counted = follower.statistics
  let predicted = follower.prediction?.statistics ?? PredictionStatistics()
  let numbers: [Double] = [
    Double(follower.prediction?.ticksAhead ?? 0), Double(follower.budget.most),
    Double(follower.runAhead.inputDelay), follower.runAhead.lead, Double(predicted.rollbacks),
    Double(predicted.replayed), Double(counted.corrections), Double(counted.largestCorrection),
    Double(counted.recentCorrection), Double(predicted.lateCommands),
    Double(follower.prediction?.replica.hashesMatched ?? 0), Double(counted.diverged),
    counted.isDiverged ? 1 : 0, page.now - counted.lastDivergence, Double(counted.bytes),
    follower.budget.cost, Double(counted.divergedTick),
  ]
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

/// Takes in what the calls since the last one took. Returns whether following the log is too much
/// for this device.
@_expose(wasm, "page_spent") @c(page_spent)
public func pageSpent(_ milliseconds: Double, _ now: Double) -> Int32 {
  page.follower?.spent(milliseconds, now: now)
  return page.follower?.budget.isTooMuch == true ? 1 : 0
}
