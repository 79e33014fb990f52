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
