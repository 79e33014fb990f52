extension WorldStorage {
  /// Neighbours as `saveNeighbours` wrote them, in loops without branches: what a pair has, nobody
  /// can tell ahead.
  func restoreNeighbours(_ input: inout SnapshotReader) throws(PhysicsError) {
    let rows = try input.count(ofSize: 2, limit: bodies.rowCount)
    let count = try input.count(ofSize: 3, limit: 1 << 24)
    try input.require(2 * rows + 3 * count)
    neighbours.rows = rows
    neighbours.count = count
    neighbours.reserve(pairs: count)
    neighbours.starts.reserve(rows + 2)
    try restoreStarts(input.block(of: UInt16.self, count: rows))
    let others = input.block(of: UInt16.self, count: count)
    let codes = input.block(of: UInt8.self, count: count)
    try restoreOthers(others, codes)
    try restoreImpulses(codes, &input)
  }

  /// Where the pairs of each row begin, and the lower row of each pair.
  private func restoreStarts(_ lengths: SnapshotBlock<UInt16>) throws(PhysicsError) {
    let (starts, lower) = (neighbours.starts.base, neighbours.lower.base)
    var end = 0
    for row in 0..<neighbours.rows {
      starts[row] = Int32(truncatingIfNeeded: end)
      let length = Int(lengths[row])
      guard length <= neighbours.count - end else { throw .malformedSnapshot }
      let name = IntLanes(repeating: Int32(truncatingIfNeeded: row))
      // By eights, of which the next row overwrites what is too many: the list has room for it.
      var filled = 0
      repeat {
        let place = UnsafeMutableRawPointer(lower + (end + filled))
        place.storeBytes(of: name, as: IntLanes.self)
        place.storeBytes(of: name, toByteOffset: 16, as: IntLanes.self)
        filled += 8
      } while filled < length
      end += length
    }
    starts[neighbours.rows] = Int32(truncatingIfNeeded: end)
    guard end == neighbours.count else { throw .malformedSnapshot }
  }

  /// The upper row of each pair, and whether it touches.
  private func restoreOthers(
    _ others: SnapshotBlock<UInt16>, _ codes: SnapshotBlock<UInt8>
  ) throws(PhysicsError) {
    let (lower, upper) = (neighbours.lower.base, neighbours.upper.base)
    let rows = Int32(truncatingIfNeeded: neighbours.rows)
    // Stays negative as long as each pair has lower < upper < rows: both differences are negative.
    var order: Int32 = -1
    for k in 0..<neighbours.count {
      let other = Int32(others[k])
      order &= (lower[k] &- other) & (other &- rows)
      upper[k] = other
    }
    let touches = neighbours.touches.base
    var largest: UInt8 = 0
    for k in 0..<neighbours.count {
      largest = codes[k] > largest ? codes[k] : largest
      touches[k] = codes[k] & 1
    }
    guard order < 0, largest < 6 else { throw .malformedSnapshot }
  }

  private func restoreImpulses(
    _ codes: SnapshotBlock<UInt8>, _ input: inout SnapshotReader
  ) throws(PhysicsError) {
    let (impulses, count) = (neighbours.impulses.base, neighbours.count)
    var check = ImpulseCheck()
    // In a variable of its own the reader stays in registers.
    var reader = input
    var k = 0
    // Four are read, whatever a pair has; so near the end there may be too few bytes.
    while k < count && reader.bytes.count - reader.offset >= MemoryLayout<Lanes>.size {
      impulses[k] = reader.part(of: codes[k])
      check.add(impulses[k])
      k += 1
    }
    while k < count {
      impulses[k] = try reader.impulse(codes[k])
      check.add(impulses[k])
      k += 1
    }
    input = reader
    guard check.passes(lightest: state.lightest) else { throw .malformedSnapshot }
  }
}
