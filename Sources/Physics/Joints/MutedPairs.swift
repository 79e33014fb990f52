/// Scratch of a lookup: the pairs of bodies that a joint keeps from colliding, chained by the slot
/// of each joint's first body, so that a pair is looked for among the joints of two bodies only.
struct MutedPairs: ~Copyable {
  /// By slot, the first joint, −1 for none.
  private var heads = Buffer(capacity: 1, blank: Int32(-1))
  /// By joint: the slot of the second body, and the next joint of the first one.
  private var others = Buffer(capacity: 1, blank: Int32(-1))
  private var nexts = Buffer(capacity: 1, blank: Int32(-1))

  /// Lists the joints that there are.
  mutating func list(_ joints: borrowing Table<JointRecord>, slots: Int) {
    heads.reserve(slots)
    others.reserve(joints.count)
    nexts.reserve(joints.count)
    heads.base.update(repeating: -1, count: slots)
    for place in 0..<joints.count {
      let joint = joints[place]
      guard joint.exists, !joint.collides, joint.slotB >= 0 else { continue }
      let first = Int(joint.slotA)
      assert(first < slots && Int(joint.slotB) < slots, "joints are of bodies that there are")
      others[place] = joint.slotB
      nexts[place] = heads[first]
      heads[first] = Int32(truncatingIfNeeded: place)
    }
  }

  /// Whether a joint keeps the bodies of two slots apart.
  func contains(_ a: Int, _ b: Int) -> Bool { isListed(a, b) || isListed(b, a) }

  private func isListed(_ first: Int, _ second: Int) -> Bool {
    var place = heads[first]
    while place >= 0 {
      if Int(others[Int(place)]) == second { return true }
      place = nexts[Int(place)]
    }
    return false
  }
}
