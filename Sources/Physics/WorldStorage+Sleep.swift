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
    } else if motions[2 * Int(slots[slot].row)].w == 0 {
      wakeAll()
    }
  }

  private func wakeGroup(of slot: Int) {
    var next = slot
    while slots[next].isAsleep {
      slots[next].isAsleep = false
      slots[next].restTicks = 0
      sleeperCount -= 1
      next = Int(slots[next].islandNext)
    }
    splitIsStale = true
  }

  func wakeAll() {
    guard configuration.allowsSleep else { return }
    if sleeperCount > 0 { splitIsStale = true }
    for slot in 0..<slotCount {
      slots[slot].isAsleep = false
      slots[slot].restTicks = 0
    }
    sleeperCount = 0
  }

  /// Counts ticks of rest, and every so often puts groups to sleep that have had enough.
  func rest() {
    guard configuration.allowsSleep else { return }
    let speed = configuration.sleepSpeed * configuration.sleepSpeed
    let spin = configuration.sleepSpin
    let enough = UInt8(configuration.sleepTicks)
    var ready = false
    for row in 0..<rowCount {
      let v = motions[2 * row]
      let slot = Int(rowSlots[row])
      guard v.w > 0, !slots[slot].isAsleep else { continue }
      let rests = v.x * v.x + v.y * v.y < speed && magnitude(v.z) < spin
      let ticks = slots[slot].restTicks
      slots[slot].restTicks = rests ? (ticks < 250 ? ticks + 1 : ticks) : 0
      ready = ready || (rests && ticks >= enough)
    }
    if ready && tick & 7 == 0 { sleepRestedGroups(enough) }
  }

  private func sleepRestedGroups(_ enough: UInt8) {
    joinGroups()
    let parents = groups.base
    let rested = groupRests.base
    for row in 0..<rowCount {
      rested[row] = 255
      groupTails[row] = -1
    }
    for row in 0..<rowCount where motions[2 * row].w > 0 {
      let root = find(row, parents)
      let ticks = slots[Int(rowSlots[row])].restTicks
      rested[root] = ticks < rested[root] ? ticks : rested[root]
    }
    for slot in 0..<slotCount where slots[slot].exists && !slots[slot].isAsleep {
      let row = Int(slots[slot].row)
      guard motions[2 * row].w > 0 else { continue }
      let root = find(row, parents)
      if rested[root] >= enough { sleep(slot, row, after: &groupTails.base[root]) }
    }
  }

  /// Puts a body to sleep and into its group's circle behind the one that came last.
  private func sleep(_ slot: Int, _ row: Int, after tail: inout Int32) {
    slots[slot].isAsleep = true
    sleeperCount += 1
    splitIsStale = true
    motions[2 * row].x = 0
    motions[2 * row].y = 0
    motions[2 * row].z = 0
    if tail < 0 {
      slots[slot].islandNext = UInt16(slot)
    } else {
      slots[slot].islandNext = slots[Int(tail)].islandNext
      slots[Int(tail)].islandNext = UInt16(slot)
    }
    tail = Int32(slot)
  }

  private func joinGroups() {
    groups.reserve(rowCount)
    groupRests.reserve(rowCount)
    groupTails.reserve(rowCount)
    let parents = groups.base
    for row in 0..<rowCount { parents[row] = Int32(row) }
    for k in 0..<neighbours.count where neighbours.touches[k] & 1 != 0 {
      join(Int(neighbours.lower[k]), Int(neighbours.upper[k]), parents)
    }
    for place in 0..<jointCount where joints[place].exists && joints[place].slotB >= 0 {
      join(
        Int(slots[Int(joints[place].slotA)].row), Int(slots[Int(joints[place].slotB)].row), parents)
    }
  }

  private func join(_ a: Int, _ b: Int, _ parents: UnsafeMutablePointer<Int32>) {
    guard motions[2 * a].w > 0, motions[2 * b].w > 0 else { return }
    let (p, q) = (find(a, parents), find(b, parents))
    if p < q { parents[q] = Int32(p) } else { parents[p] = Int32(q) }
  }

  private func find(_ row: Int, _ parents: UnsafeMutablePointer<Int32>) -> Int {
    var r = row
    while Int(parents[r]) != r {
      parents[r] = parents[Int(parents[r])]
      r = Int(parents[r])
    }
    return r
  }

  /// Among the found contacts, wakes sleepers that are about to be touched and leaves out those
  /// that are merely near. True when someone woke: then contacts have to be found again.
  func wakeTouched() -> Bool {
    let before = sleeperCount
    records.oneCount = keep(records.oneRows.base, records.oneCount) { k in
      let head = records.one[k].head
      return head.z + (head.w < 0 ? head.w * span : 0)
    } move: {
      records.one[$0] = records.one[$1]
    }
    records.twoCount = keep(records.twoRows.base, records.twoCount) { k in
      let (head, speed) = (records.two[k].head, records.two[k].approach)
      let first = head.z + (speed.x < 0 ? speed.x * span : 0)
      let second = head.w + (speed.y < 0 ? speed.y * span : 0)
      return first < second ? first : second
    } move: {
      records.two[$0] = records.two[$1]
    }
    return sleeperCount != before
  }

  @inline(__always)
  private func keep(
    _ rows: UnsafeMutablePointer<ContactRows>, _ count: Int, gap: (Int) -> Float,
    move: (Int, Int) -> Void
  ) -> Int {
    var kept = 0
    for k in 0..<count {
      let (a, b) = (Int(rowSlots[Int(rows[k].a)]), Int(rowSlots[Int(rows[k].b)]))
      if slots[a].isAsleep != slots[b].isAsleep {
        let isAnchored = motions[2 * Int(rows[k].a)].w == 0 || motions[2 * Int(rows[k].b)].w == 0
        if isAnchored || gap(k) >= Touch.release { continue }
        wakeGroup(of: slots[a].isAsleep ? a : b)
      }
      rows[kept] = rows[k]
      move(kept, k)
      kept += 1
    }
    return kept
  }
}
