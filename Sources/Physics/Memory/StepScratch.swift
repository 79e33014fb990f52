/// What integration works out by row at the start of a part of a tick.
struct IntegrationScratch: ~Copyable {
  /// The velocity before the sub-step's contacts: what differs from it is their warm start.
  var bases = Buffer(capacity: 72, blank: Lanes.zero)
  /// What gravity, force and torque add to the velocity in a sub-step.
  var drives = Buffer(capacity: 72, blank: Lanes.zero)
  /// What damping leaves of it.
  var drags = Buffer(capacity: 72, blank: Lanes.zero)
  /// Mass, mass, inertia, 0; all 0 for what nothing moves.
  var masses = Buffer(capacity: 72, blank: Lanes.zero)

  mutating func reserve(_ rows: Int) {
    bases.reserve(rows)
    drives.reserve(rows)
    drags.reserve(rows)
    masses.reserve(rows)
  }
}

/// Scratch of putting groups to sleep, by row.
struct GroupScratch: ~Copyable {
  /// Parents in the groups' trees; a root is its own.
  var parents = Buffer(capacity: 64, blank: Int32(0))
  /// By root: the shortest rest in the group.
  var rests = Buffer(capacity: 64, blank: UInt8(0))
  /// By root: the slot that came last into the group's circle, −1 for none.
  var tails = Buffer(capacity: 64, blank: Int32(-1))

  mutating func reserve(_ rows: Int) {
    parents.reserve(rows)
    rests.reserve(rows)
    tails.reserve(rows)
  }
}
