/// The last 65 frames of a stream as its clients have them, so that a catch-up frame can lead from
/// any of the last 64 to the newest. 16 bytes a slot and frame.
struct StreamHistory {
  /// A body in a frame, on the lattice.
  struct Place {
    var looks = StreamLooks()
    var x: Int32 = 0
    var y: Int32 = 0
    /// 0…1023.
    var angle: Int32 = 0

    /// Whether the same body is within what counts as calm, or none both times.
    func isNear(_ other: Place) -> Bool {
      guard looks.isPresent else { return !other.looks.isPresent }
      let turned = StreamShape.calmSteps &+ angle &- other.angle
      return looks.isSame(as: other.looks)
        && abs(x &- other.x) <= StreamShape.calmSteps
        && abs(y &- other.y) <= StreamShape.calmSteps
        && turned & 1023 <= 2 &* StreamShape.calmSteps
    }
  }

  /// A frame without its bodies.
  struct Frame {
    var tick: UInt32 = 0
    var gravity = QuantizedGravity.down
    var scenery = Scenery()
    var slotEnd = 0
  }

  private let slots: Int
  private let frames: UnsafeMutablePointer<Frame>
  private let places: UnsafeMutablePointer<Place>
  /// Frames recorded since the last start; more than the ring holds once it is full.
  private(set) var count = 0

  /// The newest, the 64 before it, and one more for the oldest one's velocities.
  private static let depth = StreamShape.catchUpFrames + 2

  init(slots: Int) {
    self.slots = slots
    frames = .allocate(capacity: StreamHistory.depth)
    places = .allocate(capacity: StreamHistory.depth * slots)
    frames.initialize(repeating: Frame(), count: StreamHistory.depth)
    places.initialize(repeating: Place(), count: StreamHistory.depth * slots)
  }

  func deallocate() {
    frames.deinitialize(count: StreamHistory.depth)
    frames.deallocate()
    places.deallocate()
  }

  mutating func clear() {
    count = 0
  }

  /// Frames that `frame(back:)` knows besides the newest.
  var reach: Int {
    let all = count - 1
    return all < StreamShape.catchUpFrames ? all : StreamShape.catchUpFrames
  }

  /// The frame `back` frames before the newest.
  func frame(back: Int) -> Frame { frames[index(back)] }

  func places(back: Int) -> UnsafeMutablePointer<Place> { places + index(back) &* slots }

  private func index(_ back: Int) -> Int {
    assert(back >= 0 && back < count && back < StreamHistory.depth, "the ring goes no farther back")
    return (count &- 1 &- back &+ StreamHistory.depth) % StreamHistory.depth
  }

  /// Records what the stream's clients have at `tick`. Returns whether all of it is where the
  /// format lets bodies be.
  mutating func record(_ state: StreamState, tick: UInt32) -> Bool {
    count &+= 1
    // Wraps back before it could overflow; the ring stays full.
    if count >= 3 &* StreamHistory.depth { count &-= StreamHistory.depth }
    assert(state.slotEnd <= slots)
    let frame = frames + index(0)
    frame.pointee.tick = tick
    assert(count == 1 || tick.ticks(since: self.frame(back: 1).tick) > 0, "ticks ascend")
    frame.pointee.gravity = state.gravity
    frame.pointee.slotEnd = state.slotEnd
    frame.pointee.scenery.assign(state.scenery)
    let target = places(back: 0)
    for slot in 0..<state.slotEnd {
      target[slot].looks = state.looks[slot]
      guard state.looks[slot].isPresent else { continue }
      guard state.isOnLattice(slot) else { return false }
      let place = state.latticePlace(slot)
      target[slot].x = Int32(place[0])
      target[slot].y = Int32(place[1])
      target[slot].angle = Int32(place[2])
    }
    return true
  }

  /// Whether nobody came or went since the frame `back` frames before the newest, the scenery is
  /// the same, and nothing is far from where it was then.
  func isCalm(since back: Int) -> Bool {
    let newest = frame(back: 0)
    let earlier = frame(back: back)
    guard newest.gravity.isNear(earlier.gravity), newest.scenery == earlier.scenery else {
      return false
    }
    let now = places(back: 0)
    let then = places(back: back)
    // Beyond a frame's end is what the ring held before.
    let both = newest.slotEnd < earlier.slotEnd ? newest.slotEnd : earlier.slotEnd
    for slot in 0..<both where !now[slot].isNear(then[slot]) { return false }
    for slot in both..<newest.slotEnd where now[slot].looks.isPresent { return false }
    for slot in both..<earlier.slotEnd where then[slot].looks.isPresent { return false }
    return true
  }

  /// How the body in `slot` moved into the frame `back` frames before the newest: 0 if it was new.
  func velocity(of slot: Int, back: Int) -> SIMD4<Double> {
    guard back &+ 1 < count, slot < frame(back: back &+ 1).slotEnd else {
      return SIMD4(repeating: 0)
    }
    let now = places(back: back)[slot]
    let before = places(back: back &+ 1)[slot]
    guard now.looks.isSame(as: before.looks) else { return SIMD4(repeating: 0) }
    return SIMD4(
      Double(now.x &- before.x), Double(now.y &- before.y),
      StreamState.wrapped(Double(now.angle &- before.angle)), 0)
  }
}
