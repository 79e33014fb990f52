/// What is known of the bodies by slot, the number in a body's name, which never changes.
struct BodySlots: ~Copyable {
  /// Slots that were ever used.
  var count = 0
  /// Slots in use now.
  var bodyCount = 0
  var records = Buffer(capacity: 64, blank: SlotRecord())
  /// Force, torque for the next step; x, y, z.
  var forces = Buffer(capacity: 64, blank: Lanes.zero)

  mutating func reserve(_ count: Int) {
    records.reserve(count)
    forces.reserve(count)
  }

  mutating func copy(_ other: borrowing BodySlots) {
    assert(other.bodyCount >= 0 && other.bodyCount <= other.count)
    count = other.count
    bodyCount = other.bodyCount
    records.copy(other.records, count: count)
    forces.copy(other.forces, count: count)
  }

  @inline(__always)
  subscript(_ slot: Int) -> SlotRecord {
    get {
      assert(slot >= 0 && slot < count, "a slot that was never used")
      return records[slot]
    }
    nonmutating set {
      assert(slot >= 0 && slot < count, "a slot that was never used")
      records[slot] = newValue
    }
  }
}

/// What a slot holds besides the body's shape and properties.
struct SlotRecord: BitwiseCopyable {
  /// The body's row, −1 for a free slot.
  var row: Int32 = -1
  var generation: UInt16 = 0
  var isAsleep = false
  /// Ticks at rest, as far as they count.
  var restTicks: UInt8 = 0
  /// Next body of the same sleeping group, round in a circle.
  var islandNext: UInt16 = 0
  /// Numbers of the body's shape and properties in the tables.
  var shape: UInt16 = 0
  var properties: UInt16 = 0
  /// Of a body of several shapes, the slot that names the body: the first shape's own, and all
  /// others' too. `nobody` for a body of one shape.
  var owner: UInt16 = SlotRecord.nobody
  /// The caller's own number.
  var userData: UInt32 = 0
  /// Set by a jump to another place: sides of boundaries are to be judged anew.
  var hasJumped = false
  /// Whether it rested when sensors were last looked at, and has not woken since.
  var hasSettled = false

  /// No slot: there are at most 16 384.
  static let nobody = UInt16.max

  var exists: Bool { row >= 0 }
}
