import Simulation

/// Where a session's tilt and moves stand among the inputs that wait for the tick thread, so that
/// the next one can take the place of the last: whatever a client sends, a tick gets one tilt from
/// it and the moves of three fingers.
struct PostedInputs {
  private struct Move {
    var slot: UInt16
    var place: Int
  }

  /// Fingers that a client can hold something with, as `Pit` has it.
  private static let fingers = 3

  /// The batch that the places belong to.
  private var batch: UInt64 = 0
  private var tilt: Int?
  /// The last moves since the last other command, at most `fingers` of them.
  private var moves: [Move] = []
  /// Which of them gives way to a fourth finger's.
  private var oldest = 0

  init() {
    moves.reserveCapacity(Self.fingers)
  }

  /// The place of the input that `input` supersedes; nil if it needs one of its own.
  /// - Parameter batch: the batch that is under way.
  mutating func place(of input: Exchange.Input, batch: UInt64) -> Int? {
    if batch != self.batch { startBatch(batch) }
    switch input {
    case .tilt: return tilt
    case .left: return nil
    case .command(let stamped):
      guard case .move(let slot, _, _) = stamped.command else {
        // What was moved before a release counts for it; what comes after takes no place before.
        forgetMoves()
        return nil
      }
      if let known = moves.first(where: { $0.slot == slot }) { return known.place }
      return moves.count == Self.fingers ? replaceOldest(by: slot) : nil
    }
  }

  /// Notes where an input stands that `place(of:batch:)` had none for.
  mutating func note(_ input: Exchange.Input, at place: Int) {
    switch input {
    case .tilt: tilt = place
    case .left: break
    case .command(let stamped):
      guard case .move(let slot, _, _) = stamped.command else { return }
      moves.append(Move(slot: slot, place: place))
    }
  }

  private mutating func startBatch(_ batch: UInt64) {
    self.batch = batch
    tilt = nil
    forgetMoves()
  }

  private mutating func forgetMoves() {
    moves.removeAll(keepingCapacity: true)
    oldest = 0
  }

  private mutating func replaceOldest(by slot: UInt16) -> Int {
    moves[oldest].slot = slot
    defer { oldest = (oldest + 1) % Self.fingers }
    return moves[oldest].place
  }
}
