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
