/// All batches of a step.
struct ContactBatches: ~Copyable {
  /// A gap that never closes, for filling lanes.
  static let farAway: Float = 1e6
  /// Colours: a body may have this many contacts before the rest are solved one by one.
  static let colours = 64

  /// Whether they hold the contacts of a whole world, or of the zone about a few bodies.
  let areOfWorld: Bool

  var onePoint = BatchList<OnePointBatch>()
  var twoPoint = BatchList<TwoPointBatch>()
  /// Contacts with boundaries: solved after the others, in the order of the list.
  var edges = BatchList<EdgeBatch>()
  var colourCount = 0
  /// Where the next contact of each layer goes, for contacts with boundaries.
  var layers = Buffer(capacity: 16, blank: Int32(0))
  /// Colours that each row has, a bit each.
  var taken = Buffer(capacity: 72, blank: UInt64(0))

  init(areOfWorld: Bool = true) { self.areOfWorld = areOfWorld }
}

/// Batches of one kind, those of one colour side by side, filled anew in each part of a tick.
struct BatchList<Batch: BitwiseCopyable>: ~Copyable {
  private(set) var base = UnsafeMutablePointer<Batch>.allocate(capacity: 1)
  private var capacity = 1
  var count = 0
  /// First batch of each colour, and one past the last.
  var starts = Buffer(capacity: ContactBatches.colours + 2, blank: Int32(0))
  /// Which contact each lane holds; one past the last fills.
  var lanes = Buffer(capacity: 64, blank: Int32(-1))

  /// Room for batches, twice as many as asked for when there are more than ever; keeps nothing.
  mutating func reserve(_ batches: Int) {
    guard batches > capacity else { return }
    base.deallocate()
    capacity = batches * 2
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }
}

/// Four contacts of one point each, no body twice among them. Lanes: one contact each.
struct OnePointBatch: BitwiseCopyable {
  var pair: BatchPair
  var point: BatchPoint
}

/// Four contacts of two points each, no body twice among them.
struct TwoPointBatch: BitwiseCopyable {
  var pair: BatchPair
  var first, second: BatchPoint
}

/// Who touches in a batch, and along which normal.
struct BatchPair: BitwiseCopyable {
  /// From the first body to the second; the tangent is (ny, −nx).
  var nx, ny: Lanes
  /// Byte offsets of the two bodies' motions.
  var a, b: IntLanes
  var inertiaA, inertiaB: Lanes
  var friction: Lanes
}

/// A point of each contact in a batch.
struct BatchPoint: BitwiseCopyable {
  /// Arm × normal and arm × tangent of both bodies.
  var normalArmA, normalArmB: Lanes
  var tangentArmA, tangentArmB: Lanes
  /// Gap when the contact was found.
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  /// Largest normal impulse of the step: whether the contact pressed at all.
  var largest: Lanes
  /// Speed to leave with, negative; 0 where nothing bounces.
  var bounce: Lanes
  /// Gap after the last sub-step, for the next one's bias pass.
  var currentGap: Lanes
}

/// Four contacts with boundaries; the normal points from the boundary to the body.
struct EdgeBatch: BitwiseCopyable {
  var nx, ny: Lanes
  /// Byte offset of the body's motion.
  var body: IntLanes
  var inertia: Lanes
  var friction: Lanes
  var first, second: EdgePoint
}

/// A point of each contact with a boundary in a batch; its values are those of `BatchPoint`.
struct EdgePoint: BitwiseCopyable {
  var normalArm, tangentArm: Lanes
  var gap: Lanes
  var normalMass, tangentMass: Lanes
  var normalImpulse, tangentImpulse: Lanes
  var largest: Lanes
  var bounce: Lanes
}
