/// What both ends of a stream know after the same frames: bodies, predictors, models.
///
/// Everything is decided from this state and from coded bits, so two ends that start alike stay
/// alike. All memory is taken when it is made, by the number of slots.
final class StreamState {
  let shape: StreamShape
  var gravity = QuantizedGravity.down
  var scenery = Scenery()
  /// One past the highest slot that may be in use.
  var slotEnd = 0
  /// By slot.
  let looks: UnsafeMutablePointer<StreamLooks>
  /// Three by slot: x, y, angle.
  let axes: UnsafeMutablePointer<AxisPredictor>
  /// By slot.
  let recent: UnsafeMutablePointer<RecentResiduals>
  var grid: NeighbourGrid
  /// Where bodies of a keyframe may be.
  let free: FreePlaces
  /// Slots of the bodies that a frame brings.
  let added: UnsafeMutablePointer<UInt16>
  let models = CodecModels()
  /// A residual was coded that the format has no bits for. Only the encoder's.
  var wentBeyondFormat = false

  init(_ shape: StreamShape) {
    self.shape = shape
    looks = .allocate(capacity: shape.slots)
    axes = .allocate(capacity: shape.slots * 3)
    recent = .allocate(capacity: shape.slots)
    looks.initialize(repeating: StreamLooks(), count: shape.slots)
    axes.initialize(repeating: AxisPredictor(), count: shape.slots * 3)
    recent.initialize(repeating: RecentResiduals(), count: shape.slots)
    free = FreePlaces(shape)
    added = .allocate(capacity: shape.slots)
    grid = NeighbourGrid(
      slots: shape.slots, width: Double(shape.width), height: Double(shape.height),
      stepsPerPoint: shape.profile.stepsPerPoint)
  }

  deinit {
    looks.deallocate()
    axes.deallocate()
    recent.deallocate()
    grid.deallocate()
    free.deallocate()
    added.deallocate()
    models.deallocate()
  }

  /// Bytes that a frame's content never exceeds: a residual is at most 45 modelled bits of at most
  /// 11 bits each and 22 plain ones, and a body has three; an added body is shorter. Scenery is at
  /// most 2 kB.
  static func frameBytes(slots: Int) -> Int { 256 * slots + 4096 }

  /// Empties the world.
  func clear() {
    looks.update(repeating: StreamLooks(), count: slotEnd)
    slotEnd = 0
    gravity = .down
    scenery.removeAll()
    wentBeyondFormat = false
  }

  /// Forgets everything but where the bodies are and how they moved in the last frame, so that
  /// whoever knows that much can follow. `frames` stretches the last move to as many frames.
  func restart(frames: Double = 1) {
    assert(frames >= 1 && slotEnd <= shape.slots)
    models.restart()
    while slotEnd > 0, !looks[slotEnd &- 1].isPresent { slotEnd &-= 1 }
    for slot in 0..<slotEnd where looks[slot].isPresent {
      let axis = axes + slot &* 3
      restart(
        slot, place: latticePlace(slot),
        velocity: SIMD4(
          axis[0].velocity, axis[1].velocity, StreamState.wrapped(axis[2].velocity), 0),
        frames: frames)
    }
  }

  /// Puts a body into its slot as a restart would.
  func restart(
    _ slot: Int, place: SIMD4<Double>, velocity: SIMD4<Double>, frames: Double
  ) {
    assert(slot >= 0 && slot < shape.slots && frames >= 1)
    let isCalm = velocity[0] == 0 && velocity[1] == 0 && velocity[2] == 0
    for axis in 0..<3 {
      axes[slot &* 3 &+ axis] = AxisPredictor(
        position: place[axis], velocity: velocity[axis] * frames, isCalm: isCalm)
    }
    recent[slot] = RecentResiduals(calmFrames: isCalm ? 20 : 0)
  }

  /// Where a body is in lattice steps, its angle within 0…1023.
  func latticePlace(_ slot: Int) -> SIMD4<Double> {
    let axis = axes + slot &* 3
    let turns = floorInt(axis[2].position / StreamState.turn)
    let angle = axis[2].position - Double(turns) * StreamState.turn
    assert(angle >= 0 && angle < StreamState.turn, "an angle lies within a turn")
    return SIMD4(axis[0].position, axis[1].position, angle, 0)
  }

  static let turn = Double(CodecProfile.anglesPerTurn)

  /// Angles that a body turns in a tick at most: what the physics' limit of 360 rad/s makes,
  /// 6 rad · 1024 / 2π = 977.8. (More than half a turn, so that any angle can be reached.)
  static let mostSpin = 978.0

  /// What is left to the lattice's edge when a body turned that fast for a whole epoch of 480 ticks
  /// from the last angle of a turn on, with each way rounded by the widest step, 8. The compiler
  /// refuses an epoch for which this is below 0.
  static let angleReserve: UInt32 = 524_287 - (1023 + 480 * (978 + 8))

  /// Whether a slot's body is where the format lets bodies be.
  func isOnLattice(_ slot: Int) -> Bool {
    let limit = Double(LatticeBody.limit)
    let axis = axes + slot &* 3
    return abs(axis[0].position) <= limit && abs(axis[1].position) <= limit
      && abs(axis[2].position) < limit
  }

  /// An angle as the shortest way there, −512…511.
  static func wrapped(_ angle: Double) -> Double {
    let rest = angle - turn * Double(floorInt((angle + turn / 2) / turn))
    assert(abs(rest) <= turn / 2, "half a turn either way")
    return rest
  }
}

/// The sizes of a body's last residuals.
struct RecentResiduals {
  var last = SIMD4<Int32>(repeating: 0)
  /// Frames since one was not 0.
  var calmFrames: Int32 = 0

  /// `calmFrames` in five classes: 0, 1 or 2, 3…5, 6…15, more.
  @inline(__always)
  var calm: Int {
    countTrue(calmFrames > 0, calmFrames > 2, calmFrames > 5) &+ (calmFrames > 15 ? 1 : 0)
  }

  @inline(__always)
  var total: Int32 { last[0] &+ last[1] &+ last[2] }
}

/// Where an encoder wants a slot's body to be.
struct StreamTarget {
  var looks = StreamLooks()
  /// x, y and angle in lattice steps; the last lane is how far off the body may stay, in its steps.
  var place = SIMD4<Double>(repeating: 0)
}
