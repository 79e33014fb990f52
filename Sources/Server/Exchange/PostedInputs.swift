import Simulation

/// Where a session's tilts and moves stand among the inputs that wait for the tick thread, so that
/// the next one can take the place of the last: whatever a client sends, a tick gets one tilt from
/// it and the moves of three fingers.
struct PostedInputs {
  /// A tilt, or the move of a finger.
  private struct Posted {
    /// Nil for a tilt.
    var slot: UInt16?
    var aim: UInt32?
    var place: Int
  }

  /// Fingers that a person can hold something with, as `Pit` has it.
  private static let fingers = 3
  /// A line that held up a quarter of a second brings so many ticks' inputs at once; of more, the
  /// oldest give way.
  private static let most = 15 * (1 + fingers)

  /// The batch that the places belong to.
  private var batch: UInt64 = 0
  /// The tilts, and the moves since the last other command.
  private var posted: [Posted] = []
  /// Which gives way next, of moves for one tick and of all.
  private var oldest = 0

  /// The place of the input that `input` supersedes; nil if it needs one of its own.
  /// - Parameter batch: the batch that is under way.
  mutating func place(of input: Exchange.Input, batch: UInt64) -> Int? {
    if batch != self.batch { startBatch(batch) }
    switch input {
    case .tilt(_, _, _, let aim): return place(slot: nil, aim)
    case .left: return nil
    case .command(let stamped, let aim):
      guard case .move(let slot, _, _) = stamped.command else {
        // A release lets go where the finger was moved before it: a later move must not take the
        // place of that one.
        posted.removeAll { $0.slot != nil }
        return nil
      }
      return place(slot: slot, aim)
    }
  }

  /// Notes where an input stands that `place(of:batch:)` had none for.
  mutating func note(_ input: Exchange.Input, at place: Int) {
    switch input {
    case .tilt(_, _, _, let aim): posted.append(Posted(slot: nil, aim: aim, place: place))
    case .left: break
    case .command(let stamped, let aim):
      guard case .move(let slot, _, _) = stamped.command else { return }
      posted.append(Posted(slot: slot, aim: aim, place: place))
    }
    assert(posted.count <= Self.most)
  }

  private mutating func place(slot: UInt16?, _ aim: UInt32?) -> Int? {
    if let known = posted.first(where: { $0.slot == slot && $0.aim == aim }) { return known.place }
    guard slot != nil else { return posted.count == Self.most ? replaceOldest(slot, aim) : nil }
    var fingers = 0
    for entry in posted where entry.slot != nil && entry.aim == aim { fingers += 1 }
    let isFull = fingers == Self.fingers || posted.count == Self.most
    return isFull ? replaceOldest(slot, aim) : nil
  }

  /// Gives the place of the oldest to another: of the same tick, where all fingers moved already.
  private mutating func replaceOldest(_ slot: UInt16?, _ aim: UInt32?) -> Int {
    let isOwn = { (entry: Posted) in entry.slot != nil && entry.aim == aim }
    var index = posted.firstIndex(where: isOwn) ?? 0
    if posted.count == Self.most, slot == nil { index = 0 }
    let place = posted.remove(at: index).place
    posted.append(Posted(slot: slot, aim: aim, place: place))
    return place
  }

  private mutating func startBatch(_ batch: UInt64) {
    self.batch = batch
    posted.removeAll(keepingCapacity: true)
  }
}
