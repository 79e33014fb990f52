/// The few bodies that get far in a tick while all others don't, or that pass blows on, and
/// everything about them: their contacts are found again in each sub-step, those of the others once
/// in a tick or in half of it. So what is fast or elastic costs where it is. "Fast" in these names
/// and comments includes elastic.
struct FastZone: ~Copyable {
  /// Most bodies that may be fast: of more, all contacts are found again, which costs less then.
  static let mostBodies = 32
  /// And at most one body in this many.
  static let oneIn = 16

  /// Whether this part of a tick has such bodies.
  var isOn = false
  /// Whether some of them get far, or may be made to, besides those that are merely elastic.
  var hasFast = false
  /// Whether some of them are elastic and may strike or be struck.
  var hasElastic = false
  /// Slots of the fast bodies.
  private(set) var slots = Buffer(capacity: FastZone.mostBodies, blank: Int32(0))
  /// How far each may get in this part, as a speed in pt/s.
  private(set) var speeds = Buffer(capacity: FastZone.mostBodies, blank: Float(0))
  private(set) var count = 0
  /// The fastest of those.
  private(set) var speed: Float = 0
  /// The fastest speed of all other bodies, squared.
  var othersSpeed: Float = 0
  /// What joints and forces may add to the speed of each slot's body within a tick, in pt/s.
  var pushes = Buffer(capacity: 64, blank: Float(0))
  /// Whether each slot's body is fast.
  private var isFast = Buffer(capacity: 64, blank: false)

  /// Pairs that the neighbour list lacked, the lower row first, in its order.
  var missing = Buffer(capacity: 64, blank: SIMD2<Int32>.zero)
  /// Places in the neighbour list of the pairs of the zone: of fast bodies and of what is near
  /// them.
  var pairs = NumberList()
  /// Places of their pairs with boundaries.
  var edgePairs = NumberList()
  /// All rows of those pairs.
  var rows = NumberList()
  /// Whether the neighbour list is dealt out without the pairs of the zone, and of which bodies
  /// that zone was.
  private(set) var isDealtApart = false
  private var dealt = NumberList()

  var pairLists = PairLists()
  var contacts = Contacts()
  var batches = ContactBatches(areOfWorld: false)
  /// What its contacts have done to the energy of motion since the last bounce.
  var ledger = EnergyLedger()
  /// What they have given of it in this sub-step; negative for what they have taken.
  var gain: Float = 0
  /// Poses at the start of the part, and velocities, while those of now are needed.
  var poses = Buffer(capacity: 64, blank: Lanes.zero)
  var velocities = Buffer(capacity: 64, blank: Lanes.zero)

  /// Forgets the bodies, and everything that pushes any.
  mutating func clear(slots slotCount: Int) {
    isOn = false
    hasFast = false
    hasElastic = false
    count = 0
    speed = 0
    othersSpeed = 0
    pushes.reserve(slotCount)
    isFast.reserve(slotCount)
    pushes.base.update(repeating: 0, count: slotCount)
    isFast.base.update(repeating: false, count: slotCount)
  }

  /// Notes that the neighbour list has been dealt out for the zone as it is.
  mutating func noteDealing() {
    isDealtApart = isOn
    dealt.removeAll()
    for k in 0..<(isOn ? count : 0) { dealt.append(Int(slots[k])) }
  }

  /// Whether the list as it was dealt out last serves the zone as it is now.
  var isDealt: Bool {
    guard isOn == isDealtApart else { return false }
    guard isOn else { return true }
    guard dealt.count == count else { return false }
    for k in 0..<count where dealt[k] != Int(slots[k]) { return false }
    return true
  }

  func contains(slot: Int) -> Bool { isOn && isFast[slot] }

  /// Which of the fast bodies a slot's is; nil for any other.
  func place(ofSlot slot: Int32) -> Int? {
    guard isFast[Int(slot)] else { return nil }
    for k in 0..<count where slots[k] == slot { return k }
    return nil
  }

  func isChosen(slot: Int) -> Bool { isFast[slot] }

  /// Adds a body; false when there are too many.
  mutating func add(slot: Int, speed bodySpeed: Float) -> Bool {
    assert(!isFast[slot] && bodySpeed >= 0)
    guard count < Self.mostBodies else { return false }
    isFast[slot] = true
    slots[count] = Int32(slot)
    speeds[count] = bodySpeed
    speed = bodySpeed > speed ? bodySpeed : speed
    count += 1
    return true
  }
}

/// Numbers in memory that is kept.
struct NumberList: ~Copyable {
  private var values = Buffer(capacity: 64, blank: Int32(0))
  private(set) var count = 0

  @inline(__always)
  subscript(_ k: Int) -> Int {
    assert(k >= 0 && k < count)
    return Int(values[k])
  }

  mutating func removeAll() { count = 0 }

  mutating func append(_ value: Int) {
    values.reserve(count + 1)
    values[count] = Int32(truncatingIfNeeded: value)
    count += 1
  }
}
