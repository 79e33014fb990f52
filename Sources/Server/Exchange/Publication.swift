import Simulation
import Synchronization
import Transport
import Wire

/// What one tick sends out: encoded once, the same bytes for everybody at the same place.
///
/// It is not immutable, because its memory serves again: the tick thread fills it, every network
/// thread sends it and gives it back, and after the last one the tick thread may fill it anew
/// (`PublicationPool`). From `expect(readers:)` until then nobody changes it. A mistake in that
/// count ends the process: it would send some people another tick's bytes.
final class Publication: @unchecked Sendable {
  var tick: UInt32 = 0
  /// When the tick was due, in monotonic nanoseconds.
  var deadline: UInt64 = 0
  /// What happened in the tick.
  var events: [PitEvent] = []
  /// What became of people's commands in it.
  var outcomes: [StampedOutcome] = []
  /// Whose tilts it took that were meant for another tick.
  var lateTilts: [PersonsLateTilt] = []
  /// The tick as the log has it.
  var record: [UInt8] = []
  /// What the world is like, and which it is: the host may begin others, which count up. Told in
  /// each publication, because some are lost to a thread that stands still.
  var description: WorldDescription?
  var worldNumber = 0
  /// What the host has decided, as it holds after the tick.
  var isFrozen = false
  var gravityPercent: UInt16 = 100
  /// The most bodies at a time, and what the world was made for.
  var bodyCap = 0
  var capacity = 0
  /// Whose tilt counts.
  var tiltRule = TiltRule.everybody
  /// How people tilt, where everybody's tilt counts.
  var tilts: [PersonTilt] = []
  /// The world after the tick, if it was asked for.
  var world: SavedWorld?
  /// By `StreamKey.index`.
  var editions = StreamKey.all.map { _ in Edition() }
  /// Network threads that have not given it back yet.
  private let readers = Atomic(0)

  /// So many will read it from now on.
  func expect(readers count: Int) {
    let before = readers.exchange(count, ordering: .releasing)
    precondition(before == 0, "it is still being read")
  }

  /// One of the readers is done.
  /// - Returns: whether it was the last.
  func isLastReader() -> Bool {
    let left = readers.subtract(1, ordering: .acquiringAndReleasing).newValue
    precondition(left >= 0, "given back once too often")
    return left == 0
  }
}

/// What became of a person's command, by its stamp.
struct StampedOutcome: Equatable {
  var person: UInt16
  var sequence: UInt32
  var outcome: CommandOutcome
}

/// One stream's part of a publication.
struct Edition {
  /// The stream ran at this tick; otherwise nothing else here counts but `keyframeWaits`.
  var isOpen = false
  /// The stream's own frame, for whoever is in step at `base`.
  let own = OutgoingFrame(copying: [])
  var hasOwn = false
  var base: UInt32 = 0
  /// The oldest tick from which somebody can still be led on.
  var oldest: UInt32 = 0
  /// The whole world, and where a client is then; nil if nobody asked for it.
  let keyframe = OutgoingFrame(copying: [])
  var keyframePosition: StreamPosition?
  /// Whether a keyframe was asked for and had no room in the budget of this tick. Also where the
  /// stream did not run for want of it.
  var keyframeWaits = false
  /// What everybody has who takes one of these frames, where frames are checked.
  var world: LatticeWorld?
  /// The first `catchUpCount` of these are of this tick.
  private(set) var catchUps: [CatchUp] = []
  private(set) var catchUpCount = 0

  /// A frame that leads from one place to another.
  struct CatchUp {
    var from: StreamPosition
    var to: StreamPosition
    let frame = OutgoingFrame(copying: [])
  }

  mutating func clear() {
    isOpen = false
    hasOwn = false
    keyframePosition = nil
    keyframeWaits = false
    catchUpCount = 0
  }

  mutating func addCatchUp(from: StreamPosition, to: StreamPosition, bytes: [UInt8]) {
    if catchUpCount == catchUps.count { catchUps.append(CatchUp(from: from, to: to)) }
    catchUps[catchUpCount].from = from
    catchUps[catchUpCount].to = to
    catchUps[catchUpCount].frame.replace(with: bytes)
    catchUpCount += 1
  }

  /// The frame that leads on from `position`.
  func catchUp(from position: StreamPosition) -> CatchUp? {
    catchUps[..<catchUpCount].first { $0.from == position }
  }
}
