/// How many impulses of a pair a snapshot holds: none, the two of one point, or four of two.
enum SavedImpulse {
  static let two: UInt8 = 2
  static let four: UInt8 = 4
  static let mask: UInt8 = 6

  @inline(__always)
  static func code(_ impulse: Lanes) -> UInt8 {
    let words = bits(impulse)
    return (words.z | words.w) != 0 ? four : (words.x | words.y) != 0 ? two : 0
  }

  /// Bytes that the impulses of a code take: 0, 8 or 16.
  @inline(__always)
  static func size(_ code: UInt8) -> Int { 4 &* Int(code & mask) }

  /// What of four impulses a code of 0, 2 or 4 lets through.
  @inline(__always)
  static func part(_ code: UInt8, of impulse: Lanes) -> Lanes {
    let second = 0 &- (UInt32(code) >> 2 & 1)
    let first = second | 0 &- (UInt32(code) >> 1 & 1)
    return lanes(bits(impulse) & SIMD4(first, first, second, second))
  }
}

extension WorldStorage {
  /// Neighbours with their impulses, and where they were looked up.
  func saveCaches<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(state.listsAreValid)
    out.put(state.listedSweep)
    out.put(bodies.sweepMiddles.base, count: bodies.rowCount)
    out.put(bodies.sweepRadii.base, count: bodies.rowCount)
    saveNeighbours(&out)
    out.put(UInt32(edgePairs.count))
    for k in 0..<edgePairs.count {
      out.put(UInt16(edgePairs[k].row))
      let touch = edgePairs[k].touch | (edgePairs[k].side < 0 ? 8 : 0)
      saveMemory(&out, UInt16(edgePairs[k].edge), touch, edgePairs[k].impulse)
    }
  }

  private func saveNeighbours<Sink: SnapshotSink>(_ out: inout Sink) {
    let (starts, count) = (neighbours.starts.base, neighbours.count)
    assert(neighboursAreInOrder)
    let impulses = neighbours.impulses.base
    out.put(UInt32(neighbours.rows))
    out.put(UInt32(count))
    let (upper, touches) = (neighbours.upper.base, neighbours.touches.base)
    // In a variable of its own the sink stays in registers.
    var sink = out
    for row in 0..<neighbours.rows {
      sink.put(UInt16(truncatingIfNeeded: starts[row + 1] &- starts[row]))
    }
    for k in 0..<count { sink.put(UInt16(truncatingIfNeeded: upper[k])) }
    for k in 0..<count { sink.put(touches[k] | SavedImpulse.code(impulses[k])) }
    out = sink
    out.put(impulses: impulses, count: count)
  }

  /// A pair's other side, whether it touches, and as many impulses as it has.
  private func saveMemory<Sink: SnapshotSink>(
    _ out: inout Sink, _ other: UInt16, _ touch: UInt8, _ impulse: Lanes
  ) {
    let code = SavedImpulse.code(impulse)
    out.put(other)
    out.put(touch | code)
    out.put(impulse: impulse, code)
  }

  /// What pairs remember, in the order of the lookup that both sides do: first all that touch, then
  /// the impulses.
  func saveTouches<Sink: SnapshotSink>(_ out: inout Sink) {
    assert(bodies.rowCount == slots.bodyCount, "a lookup finds the rows again")
    let impulses = neighbours.impulses.base
    out.put(UInt32(neighbours.count))
    for k in 0..<neighbours.count {
      out.put(neighbours.touches[k] & 1 | SavedImpulse.code(impulses[k]))
    }
    out.put(UInt32(edgePairs.count))
    for k in 0..<edgePairs.count {
      let side: UInt8 = edgePairs[k].side < 0 ? 8 : 0
      out.put(edgePairs[k].touch | side | SavedImpulse.code(edgePairs[k].impulse))
    }
    for k in 0..<neighbours.count { putShort(&out, impulses[k]) }
    for k in 0..<edgePairs.count { putShort(&out, edgePairs[k].impulse) }
  }

  /// As many impulses as a pair has, of which `dropCaches` has left the high halves.
  @inline(__always)
  private func putShort<Sink: SnapshotSink>(_ out: inout Sink, _ impulse: Lanes) {
    let words = bits(impulse)
    for i in 0..<Int(SavedImpulse.code(impulse)) { out.put(UInt16(words[i] >> 16)) }
  }

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
