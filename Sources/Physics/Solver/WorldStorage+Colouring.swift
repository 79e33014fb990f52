extension WorldStorage {
  /// Deals the contacts out to batches of four in which no body occurs twice, by greedy colouring.
  /// A contact whose bodies have no free colour left gets a batch of its own.
  @inline(never)
  func colourContacts() {
    forgetTaken()
    let places = ContactBatches.colours + 1
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * places) { counts in
      counts.initialize(repeating: 0)
      let (twoPoint, onePoint) = (counts.baseAddress!, counts.baseAddress! + places)
      colour(contacts.twoPoint, twoPoint)
      colour(contacts.onePoint, onePoint)
      var used = places
      while used > 0 && onePoint[used - 1] + twoPoint[used - 1] == 0 { used -= 1 }
      batches.colourCount = used
      let usual = batches.areOfWorld ? bodies.rowCount : 0
      batches.onePoint.deal(contacts.onePoint, onePoint, bodies: usual)
      batches.twoPoint.deal(contacts.twoPoint, twoPoint, bodies: usual)
    }
    fillIdleRecords()
    assert(
      areApart(contacts.onePoint, batches.onePoint.lanes.base, batches: batches.onePoint.count))
    assert(
      areApart(contacts.twoPoint, batches.twoPoint.lanes.base, batches: batches.twoPoint.count))
  }

  /// Forgets what the batches have noted of rows: of all, or of those that the zone has.
  func forgetTaken() {
    guard !batches.areOfWorld else {
      batches.taken.reserve(bodies.rowCount + 8)
      return batches.taken.base.update(repeating: 0, count: bodies.rowCount + 1)
    }
    for k in 0..<zone.rows.count { batches.taken[zone.rows[k]] = 0 }
    batches.taken[bodies.rowCount] = 0
  }

  /// Gives each contact the lowest colour that neither body has, and counts the contacts of each.
  @inline(__always)
  private func colour<Record>(
    _ list: borrowing ContactList<Record>, _ counts: UnsafeMutablePointer<Int32>
  ) {
    if state.hasAnchoredRows {
      colour(list, counts, sparing: true)
    } else {
      colour(list, counts, sparing: false)
    }
  }

  /// Anchored bodies take no colour, for nothing is ever written to them that changes them.
  @inline(__always)
  private func colour<Record>(
    _ list: borrowing ContactList<Record>, _ counts: UnsafeMutablePointer<Int32>,
    sparing sparesAnchored: Bool
  ) {
    let (rows, taken, motions) = (list.rows.base, batches.taken.base, bodies.motions.base)
    for k in 0..<list.count {
      let a = Int(rows[k].a)
      let b = Int(rows[k].b)
      assert(a != b && a >= 0 && b >= 0, "nobody touches himself")
      let free = ~(taken[a] | taken[b])
      let colour = free.trailingZeroBitCount
      rows[k].colour = Int32(truncatingIfNeeded: colour)
      counts[colour] &+= 1
      // The lowest bit that is set; none where none is free.
      let bit = free & (0 &- free)
      taken[a] |= !sparesAnchored || motions[2 * a].w > 0 ? bit : 0
      taken[b] |= !sparesAnchored || motions[2 * b].w > 0 ? bit : 0
    }
  }

  /// The record past the last stands for the missing ones of a batch: rows that nothing happens to.
  private func fillIdleRecords() {
    let idleRow = Int32(bodies.rowCount)
    let idle = ContactRows(a: idleRow, b: idleRow, pair: -1, colour: 0)
    let far = ContactBatches.farAway
    let (one, two) = (contacts.onePoint.count, contacts.twoPoint.count)
    contacts.onePoint.rows[one] = idle
    contacts.onePoint.records[one] = OnePointRecord(head: Lanes(1, 0, far, 0), arms: .zero)
    contacts.twoPoint.rows[two] = idle
    contacts.twoPoint.records[two] = TwoPointRecord(
      head: Lanes(1, 0, far, far), first: .zero, second: .zero, approach: .zero)
  }
}

extension BatchList {
  /// Deals coloured contacts out, four of a colour to a batch; of the last colour, which means
  /// none, each has a batch to itself. `counts` are those of each colour, and 0 afterwards.
  fileprivate mutating func deal<Record>(
    _ list: borrowing ContactList<Record>, _ counts: UnsafeMutablePointer<Int32>, bodies: Int
  ) {
    let none = ContactBatches.colours
    var first: Int32 = 0
    for colour in 0...none {
      starts[colour] = first
      first += colour == none ? counts[colour] : (counts[colour] + 3) >> 2
      counts[colour] = 0
    }
    starts[none + 1] = first
    count = Int(first)
    // As a rule there are not many more batches than bodies: so that rare crowds find room.
    assert(4 * count >= list.count, "there are lanes for all")
    lanes.reserve(4 * max(count, bodies))
    let (lanes, starts, rows) = (lanes.base, starts.base, list.rows.base)
    lanes.update(repeating: Int32(list.count), count: 4 * count)
    for k in 0..<list.count {
      let colour = Int(rows[k].colour)
      let at = counts[colour]
      assert(4 * starts[colour] + at < 4 * starts[colour + 1], "a colour has its batches")
      counts[colour] = at + (colour == none ? 4 : 1)
      lanes[4 * Int(starts[colour]) + Int(at)] = Int32(truncatingIfNeeded: k)
    }
  }
}
