/// Scratch of a tick: by slot, the bodies that rigid welds hold together, as a circle. Nothing is
/// listed in worlds without motors.
struct WeldedGroups: ~Copyable {
  /// Whether no weld is listed, so that nobody is asked about.
  private(set) var isEmpty = true
  /// Parents in the groups' trees; a root is its own.
  private var parents = Buffer(capacity: 1, blank: Int32(0))
  /// The next of the same group.
  private var nexts = Buffer(capacity: 1, blank: Int32(0))

  mutating func clear() { isEmpty = true }

  /// Begins a list, in which each of so many slots is a group of its own.
  mutating func begin(slots count: Int) {
    assert(count > 0)
    isEmpty = false
    parents.reserve(count)
    nexts.reserve(count)
    for slot in 0..<count {
      parents[slot] = Int32(truncatingIfNeeded: slot)
      nexts[slot] = Int32(truncatingIfNeeded: slot)
    }
  }

  /// Makes one group of those of two slots.
  mutating func join(_ a: Int, _ b: Int) {
    assert(!isEmpty && a != b)
    let (p, q) = (root(of: a), root(of: b))
    guard p != q else { return }
    parents[p > q ? p : q] = Int32(truncatingIfNeeded: p < q ? p : q)
    // Each of the two circles goes on in the other one.
    let next = nexts[a]
    nexts[a] = nexts[b]
    nexts[b] = next
  }

  /// Who comes after a slot in the circle of its group: the slot itself when it is alone.
  func next(after slot: Int) -> Int { isEmpty ? slot : Int(nexts[slot]) }

  private mutating func root(of slot: Int) -> Int {
    var root = slot
    while Int(parents[root]) != root {
      parents[root] = parents[Int(parents[root])]
      root = Int(parents[root])
      assert(root < slot, "a parent is the lower slot")
    }
    return root
  }
}

extension WorldStorage {
  /// At the start of a tick: which bodies go where a motor's go. What is anchored or kinematic ties
  /// nobody to anybody.
  func listWelded() {
    welded.clear()
    var (hasMotor, hasWeld) = (false, false)
    for place in 0..<joints.count where joints[place].exists {
      if joints[place].isDriven { hasMotor = true }
      if joints[place].isRigidWeld { hasWeld = true }
    }
    guard hasMotor && hasWeld else { return }
    welded.begin(slots: slots.count)
    for place in 0..<joints.count where joints[place].exists && joints[place].isRigidWeld {
      guard joints[place].slotB >= 0 else { continue }
      let (a, b) = (Int(joints[place].slotA), Int(joints[place].slotB))
      if isMovable(slot: a) && isMovable(slot: b) { welded.join(a, b) }
    }
  }

  private func isMovable(slot: Int) -> Bool {
    assert(slots[slot].exists, "a joint goes with its bodies")
    return bodies.motions[2 * Int(slots[slot].row)].w > 0
  }

  /// How far the centres of what is welded to a body are from one of its joints, at most, in
  /// points; 0 when nothing is.
  func reachOfWelded(to slot: Int, anchor: Vector2) -> Float {
    var other = welded.next(after: slot)
    guard other != slot else { return 0 }
    let joint = self.anchor(anchor, slot: slot)
    var farthest: Float = 0
    while other != slot {
      let way = position(ofRow: Int(slots[other].row)) - joint
      farthest = way.length > farthest ? way.length : farthest
      other = welded.next(after: other)
    }
    return farthest
  }
}

extension JointRecord {
  /// Whether it holds two bodies together as if they were one.
  var isRigidWeld: Bool { kind == .weld && !isSpring }
}
