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
