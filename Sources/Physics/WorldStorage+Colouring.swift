extension WorldStorage {
  /// Deals the contacts out to batches of four in which no body occurs twice, by greedy colouring.
  /// A contact whose bodies have no free colour left gets a batch of its own.
  @inline(never)
  func colourContacts() {
    let count = rowCount
    batches.taken.reserve(count + 8)
    let taken = batches.taken.base
    taken.update(repeating: 0, count: count + 1)
    let colours = ContactBatches.colours
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * (colours + 1)) { counts in
      counts.initialize(repeating: 0)
      let ones = counts.baseAddress! + colours + 1
      let twos = counts.baseAddress!
      if hasAnchoredRows {
        colour(records.twoRows.base, records.twoCount, twos, taken, sparing: true)
        colour(records.oneRows.base, records.oneCount, ones, taken, sparing: true)
      } else {
        colour(records.twoRows.base, records.twoCount, twos, taken, sparing: false)
        colour(records.oneRows.base, records.oneCount, ones, taken, sparing: false)
      }
      startColours(ones, twos)
      deal(records.oneRows.base, records.oneCount, batches.oneLanes.base, batches.oneStarts, ones)
      deal(records.twoRows.base, records.twoCount, batches.twoLanes.base, batches.twoStarts, twos)
    }
    fillIdleRecords()
  }

  /// Gives each contact the lowest colour that neither body has; anchored bodies take none, for
  /// nothing is ever written to them that changes them.
  @inline(__always)
  private func colour(
    _ rows: UnsafeMutablePointer<ContactRows>, _ count: Int,
    _ counts: UnsafeMutablePointer<Int32>, _ taken: UnsafeMutablePointer<UInt64>,
    sparing sparesAnchored: Bool
  ) {
    let motions = motions.base
    for k in 0..<count {
      let a = Int(rows[k].a)
      let b = Int(rows[k].b)
      let free = ~(taken[a] | taken[b])
      let colour = free.trailingZeroBitCount
      rows[k].colour = Int32(truncatingIfNeeded: colour)
      counts[colour] &+= 1
      let bit: UInt64 = colour < 64 ? 1 << UInt64(truncatingIfNeeded: colour) : 0
      taken[a] |= !sparesAnchored || motions[2 * a].w > 0 ? bit : 0
      taken[b] |= !sparesAnchored || motions[2 * b].w > 0 ? bit : 0
    }
  }

  /// Turns counts into first batches. In the last group every contact has a batch to itself.
  private func startColours(
    _ ones: UnsafeMutablePointer<Int32>, _ twos: UnsafeMutablePointer<Int32>
  ) {
    var (one, two, used): (Int32, Int32, Int) = (0, 0, 0)
    let last = ContactBatches.colours
    for colour in 0...last {
      batches.oneStarts[colour] = one
      batches.twoStarts[colour] = two
      if ones[colour] + twos[colour] > 0 { used = colour + 1 }
      one += colour == last ? ones[colour] : (ones[colour] + 3) >> 2
      two += colour == last ? twos[colour] : (twos[colour] + 3) >> 2
    }
    batches.oneStarts[last + 1] = one
    batches.twoStarts[last + 1] = two
    batches.colourCount = used
    batches.oneCount = Int(one)
    batches.twoCount = Int(two)
    batches.oneLanes.reserve(4 * max(Int(one), rowCount))
    batches.twoLanes.reserve(4 * max(Int(two), rowCount))
    batches.oneLanes.base.update(repeating: Int32(records.oneCount), count: 4 * Int(one))
    batches.twoLanes.base.update(repeating: Int32(records.twoCount), count: 4 * Int(two))
    for colour in 0...last {
      ones[colour] = 0
      twos[colour] = 0
    }
  }

  @inline(__always)
  private func deal(
    _ rows: UnsafeMutablePointer<ContactRows>, _ count: Int,
    _ lanes: UnsafeMutablePointer<Int32>, _ starts: Buffer<Int32>,
    _ placed: UnsafeMutablePointer<Int32>
  ) {
    let last = ContactBatches.colours
    for k in 0..<count {
      let colour = Int(rows[k].colour)
      let at = placed[colour]
      placed[colour] = at + (colour == last ? 4 : 1)
      lanes[4 * Int(starts[colour]) + Int(at)] = Int32(truncatingIfNeeded: k)
    }
  }

  /// The record past the last stands for the missing ones of a batch: rows that nothing happens to.
  private func fillIdleRecords() {
    let idle = ContactRows(a: Int32(rowCount), b: Int32(rowCount), pair: -1, colour: 0)
    let far = ContactBatches.farAway
    records.oneRows.base[records.oneCount] = idle
    records.one.base[records.oneCount] = OnePointRecord(head: Lanes(1, 0, far, 0), arms: .zero)
    records.twoRows.base[records.twoCount] = idle
    records.two.base[records.twoCount] = TwoPointRecord(
      head: Lanes(1, 0, far, far), first: .zero, second: .zero, approach: .zero)
  }
}
