// Bodies that touch each other, or are joined, form a group. A group all of whose bodies have been
// at rest for a while sleeps as one and wakes as one: its bodies know each other in a circle of
// slots. Sleeping bodies stay in their rows; only their pairs are left out of the solve, with their
// impulses kept, so that waking goes on where falling asleep left off.

extension WorldStorage {
  /// Wakes a body and its group, and starts its rest anew. What rests on an anchored body is not
  /// its group, so that then everything wakes.
  func wake(slot: Int) {
    slots[slot].restTicks = 0
    if slots[slot].isAsleep {
      wakeGroup(of: slot)
    } else if bodies.motions[2 * Int(slots[slot].row)].w == 0 {
      wakeAll()
    }
  }

  /// Wakes what a kinematic body touches or is joined to.
  func wakeDriven(bySlot slot: Int) {
    slots[slot].restTicks = 0
    guard state.sleeperCount > 0 else { return }
    let row = slots[slot].row
    for k in 0..<neighbours.count where neighbours.touches[k] & 1 != 0 {
      let (lower, upper) = (ownerRow(neighbours.lower[k]), ownerRow(neighbours.upper[k]))
      guard lower == row || upper == row else { continue }
      let other = Int(bodies.slots[Int(lower == row ? upper : lower)])
      if other >= 0 { wakeIfAsleep(other) }
    }
    for place in 0..<joints.count where joints[place].exists {
      let (a, b) = (Int(joints[place].slotA), Int(joints[place].slotB))
      if a == slot && b >= 0 { wakeIfAsleep(b) }
      if b == slot { wakeIfAsleep(a) }
    }
  }

  private func wakeIfAsleep(_ slot: Int) {
    if slots[slot].isAsleep { wakeGroup(of: slot) }
  }

  private func wakeGroup(of slot: Int) {
    var next = slot
    while slots[next].isAsleep {
      slots[next].isAsleep = false
      slots[next].hasSettled = false
      slots[next].restTicks = 0
      assert(slots[next].exists && state.sleeperCount > 0)
      state.sleeperCount -= 1
      next = Int(slots[next].islandNext)
    }
    state.splitIsStale = true
  }

  func wakeAll() {
    guard configuration.allowsSleep else { return }
    if state.sleeperCount > 0 { state.splitIsStale = true }
    for slot in 0..<slots.count {
      slots[slot].isAsleep = false
      slots[slot].hasSettled = false
      slots[slot].restTicks = 0
    }
    state.sleeperCount = 0
  }

  /// Counts ticks of rest, and every so often puts groups to sleep that have had enough.
  func rest() {
    guard configuration.allowsSleep else { return }
    let speed = configuration.sleepSpeed * configuration.sleepSpeed
    let spin = configuration.sleepSpin
    let enough = UInt8(configuration.sleepTicks)
    var ready = false
    for row in 0..<bodies.rowCount {
      let v = bodies.motions[2 * row]
      let slot = Int(bodies.slots[row])
      guard v.w > 0, !slots[slot].isAsleep else { continue }
      let rests = v.x * v.x + v.y * v.y < speed && magnitude(v.z) < spin
      let ticks = slots[slot].restTicks
      slots[slot].restTicks = rests ? (ticks < 250 ? ticks + 1 : ticks) : 0
      ready = ready || (rests && ticks >= enough)
    }
    if ready && state.tick & 7 == 0 { sleepRestedGroups(enough) }
    assert(state.sleeperCount >= 0 && state.sleeperCount <= slots.bodyCount)
  }

  private func sleepRestedGroups(_ enough: UInt8) {
    joinGroups()
    let parents = groups.parents.base
    let rested = groups.rests.base
    for row in 0..<bodies.rowCount {
      rested[row] = 255
      groups.tails[row] = -1
    }
    for row in 0..<bodies.rowCount where bodies.motions[2 * row].w > 0 {
      let root = find(row, parents)
      let ticks = slots[Int(bodies.slots[row])].restTicks
      rested[root] = ticks < rested[root] ? ticks : rested[root]
    }
    for slot in 0..<slots.count where slots[slot].exists && !slots[slot].isAsleep {
      let row = Int(slots[slot].row)
      guard bodies.motions[2 * row].w > 0 else { continue }
      let root = find(row, parents)
      if rested[root] >= enough { sleep(slot, row, after: &groups.tails.base[root]) }
    }
  }

  /// Puts a body to sleep and into its group's circle behind the one that came last.
  private func sleep(_ slot: Int, _ row: Int, after tail: inout Int32) {
    assert(bodies.motions[2 * row].w > 0, "what is anchored needs no sleep")
    assert(Int(tail) < slot, "a group is put to sleep in the order of its slots")
    slots[slot].isAsleep = true
    state.sleeperCount += 1
    state.splitIsStale = true
    bodies.motions[2 * row].x = 0
    bodies.motions[2 * row].y = 0
    bodies.motions[2 * row].z = 0
    if tail < 0 {
      slots[slot].islandNext = UInt16(slot)
    } else {
      slots[slot].islandNext = slots[Int(tail)].islandNext
      slots[Int(tail)].islandNext = UInt16(slot)
    }
    tail = Int32(slot)
  }

  private func joinGroups() {
    groups.parents.reserve(bodies.rowCount)
    groups.rests.reserve(bodies.rowCount)
    groups.tails.reserve(bodies.rowCount)
    let parents = groups.parents.base
    for row in 0..<bodies.rowCount { parents[row] = Int32(row) }
    for k in 0..<neighbours.count where neighbours.touches[k] & 1 != 0 {
      join(Int(neighbours.lower[k]), Int(neighbours.upper[k]), parents)
    }
    joinNear(contacts.onePoint.rows.base, contacts.onePoint.count, parents) {
      isNear(onePoint: $0)
    }
    joinNear(contacts.twoPoint.rows.base, contacts.twoPoint.count, parents) {
      isNear(twoPoint: $0)
    }
    if state.furtherShapes > 0 {
      for row in 0..<bodies.rowCount where ownerRow(row) != row {
        join(row, ownerRow(row), parents)
      }
    }
    for place in 0..<joints.count where joints[place].exists {
      let a = Int(slots[Int(joints[place].slotA)].row)
      if joints[place].isDriven { keepAwake(a, drivenBy: a) }
      guard joints[place].slotB >= 0 else { continue }
      let b = Int(slots[Int(joints[place].slotB)].row)
      if joints[place].isDriven { keepAwake(b, drivenBy: b) }
      join(a, b, parents)
    }
  }

  /// Bodies that are as near as wakes sleepers sleep together: apart, each group would wake the
  /// other one as soon as that had fallen asleep.
  @inline(__always)
  private func joinNear(
    _ rows: UnsafeMutablePointer<ContactRows>, _ count: Int,
    _ parents: UnsafeMutablePointer<Int32>, _ isNear: (Int) -> Bool
  ) {
    for k in 0..<count where isNear(k) {
      let (a, b) = (Int(rows[k].a), Int(rows[k].b))
      guard bodies.motions[2 * a].w > 0, bodies.motions[2 * b].w > 0 else { continue }
      join(a, b, parents)
    }
  }

  /// What is moved by something that never rests goes on to count as moving, however slow it is:
  /// asleep it would be left behind.
  private func keepAwake(_ row: Int, drivenBy driver: Int) {
    guard bodies.motions[2 * row].w > 0, !slots[Int(bodies.slots[row])].isAsleep else { return }
    let v = bodies.motions[2 * driver]
    guard v.x * v.x + v.y * v.y > 1e-4 || magnitude(v.z) > 1e-3 else { return }
    slots[Int(bodies.slots[row])].restTicks = 0
  }

  private func join(_ a: Int, _ b: Int, _ parents: UnsafeMutablePointer<Int32>) {
    assert(a >= 0 && b >= 0 && a != b, "a group is of bodies that exist")
    guard bodies.motions[2 * a].w > 0, bodies.motions[2 * b].w > 0 else {
      // One of them is anchored, or moves as it is told (kinematic).
      keepAwake(a, drivenBy: b)
      keepAwake(b, drivenBy: a)
      return
    }
    let (p, q) = (find(a, parents), find(b, parents))
    if p < q { parents[q] = Int32(p) } else { parents[p] = Int32(q) }
  }

  private func find(_ row: Int, _ parents: UnsafeMutablePointer<Int32>) -> Int {
    var r = row
    while Int(parents[r]) != r {
      parents[r] = parents[Int(parents[r])]
      r = Int(parents[r])
      assert(r <= row, "a parent is the lower row")
    }
    return r
  }

  /// Among the found contacts, wakes sleepers that are about to be touched and leaves out those
  /// that are merely near. True when someone woke: then contacts have to be found again.
  func wakeTouched() -> Bool {
    let before = state.sleeperCount
    keepContacts(wakes: true)
    return state.sleeperCount != before
  }

  /// Leaves out the found contacts of sleepers, in the midst of a part, which they sleep to its
  /// end.
  func leaveSleepersOut() { keepContacts(wakes: false) }

  @inline(__always)
  private func keepContacts(wakes: Bool) {
    let onePoint = contacts.onePoint.rows.base
    contacts.onePoint.count = keep(onePoint, contacts.onePoint.count, wakes) {
      isNear(onePoint: $0)
    } move: {
      contacts.onePoint.records[$0] = contacts.onePoint.records[$1]
    }
    let twoPoint = contacts.twoPoint.rows.base
    contacts.twoPoint.count = keep(twoPoint, contacts.twoPoint.count, wakes) {
      isNear(twoPoint: $0)
    } move: {
      contacts.twoPoint.records[$0] = contacts.twoPoint.records[$1]
    }
  }

  @inline(__always)
  private func keep(
    _ rows: UnsafeMutablePointer<ContactRows>, _ count: Int, _ wakes: Bool,
    isNear: (Int) -> Bool, move: (Int, Int) -> Void
  ) -> Int {
    var kept = 0
    for k in 0..<count {
      let (a, b) = (Int(bodies.slots[Int(rows[k].a)]), Int(bodies.slots[Int(rows[k].b)]))
      if slots[a].isAsleep != slots[b].isAsleep {
        let isFixed = isFixed(Int(rows[k].a)) || isFixed(Int(rows[k].b))
        if isFixed || !wakes || !isNear(k) { continue }
        wakeGroup(of: slots[a].isAsleep ? a : b)
      }
      rows[kept] = rows[k]
      move(kept, k)
      kept += 1
    }
    return kept
  }

  /// Whether a found contact touches or may touch within this part of the tick.
  @inline(__always)
  private func isNear(onePoint k: Int) -> Bool {
    let head = contacts.onePoint.records[k].head
    return isNear(head.z, head.w)
  }

  @inline(__always)
  private func isNear(twoPoint k: Int) -> Bool {
    let (head, speed) = (contacts.twoPoint.records[k].head, contacts.twoPoint.records[k].approach)
    return isNear(head.z, speed.x) || isNear(head.w, speed.y)
  }

  @inline(__always)
  private func isNear(_ gap: Float, _ speed: Float) -> Bool {
    gap + (speed < 0 ? speed * state.span : 0) < Touch.release
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
