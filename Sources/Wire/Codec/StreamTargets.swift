/// Where an encoder wants each slot's body to be, and how far off it may stay. By slot.
struct StreamTargets {
  let slots: UnsafeMutablePointer<StreamTarget>
  /// One past the highest slot that may be filled.
  private(set) var end = 0
  private var stillness: Stillness
  private let count: Int

  init(slots count: Int) {
    self.count = count
    slots = .allocate(capacity: count)
    slots.initialize(repeating: StreamTarget(), count: count)
    stillness = Stillness(slots: count)
  }

  func deallocate() {
    slots.deallocate()
    stillness.deallocate()
  }

  /// Forgets how long bodies have been still.
  func start() {
    stillness.clear()
  }

  /// Puts the world's bodies onto the lattice's plane, and decides how far off each may stay.
  mutating func set(_ bodies: [StreamBody], in shape: StreamShape) {
    for slot in 0..<end { slots[slot].looks = StreamLooks() }
    end = 0
    for body in bodies {
      let slot = Int(body.slot)
      guard slot < count else { continue }
      let place = StreamTargets.place(of: body, stepsPerPoint: shape.profile.stepsPerPoint)
      assert(!slots[slot].looks.isPresent, "one body has a slot")
      let stillTicks = stillness.note(slot, at: place, ticks: Int32(shape.interval))
      slots[slot].looks = StreamLooks(
        generation: body.generation, kind: body.kind & (WireLimits.bodyKinds - 1),
        size: body.size > 0 ? body.size : 1)
      slots[slot].place = shape.profile == .strict ? StreamTargets.nearest(place) : place
      if slot >= end { end = slot + 1 }
      slots[slot].place[3] =
        stillTicks >= CodecProfile.stillTicks ? 0.5 : shape.profile.deadZone
    }
  }

  /// Wants exactly what a frame had.
  mutating func set(_ frame: StreamHistory.Frame, _ places: UnsafePointer<StreamHistory.Place>) {
    assert(frame.slotEnd <= count)
    for slot in 0..<frame.slotEnd {
      let place = places[slot]
      slots[slot].looks = place.looks
      slots[slot].place = SIMD4(Double(place.x), Double(place.y), Double(place.angle), 0.5)
    }
    end = end > frame.slotEnd ? end : frame.slotEnd
  }

  /// Empties the slots from `first` to below `last`: bodies there may go.
  func empty(from first: Int, to last: Int) {
    assert(first >= 0 && last <= count)
    var slot = first
    while slot < last {
      slots[slot].looks = StreamLooks()
      slot += 1
    }
  }
}

extension StreamTargets {
  /// A body's x, y and angle in lattice steps, not rounded.
  static func place(of body: StreamBody, stepsPerPoint: Double) -> SIMD4<Double> {
    SIMD4(
      clamped(Double(body.x) * stepsPerPoint), clamped(Double(body.y) * stepsPerPoint),
      wound(Double(body.angle) * anglesPerRadian), 0)
  }

  /// The lattice's place; halves go up. In the strict profile everybody has exactly this.
  static func nearest(_ place: SIMD4<Double>) -> SIMD4<Double> {
    floor(place + 0.5)
  }

  private static let anglesPerRadian = 162.97466172610083

  /// Within the lattice and the widest step away from its edge, so that what a wide step rounds to
  /// is on it as well; something that is no number is 0.
  private static func clamped(_ value: Double) -> Double {
    let limit = Double(LatticeBody.limit - 8)
    return value > limit ? limit : value >= -limit ? value : value < -limit ? -limit : 0
  }

  /// The angle, or what is left of one that was wound up beyond the lattice; something that is no
  /// angle is 0.
  private static func wound(_ angle: Double) -> Double {
    if abs(angle) <= Double(LatticeBody.limit - 8) { return angle }
    // Of what is larger than this nothing is left that tells an angle.
    guard abs(angle) < 1e15 else { return 0 }
    return angle - StreamState.turn * Double(Int64(angle / StreamState.turn))
  }
}
