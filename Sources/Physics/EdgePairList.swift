/// Bodies near pieces of boundaries, with what each pair remembers.
struct EdgePairList {
  var rows = Buffer(capacity: 64, blank: Int32(0))
  var edges = Buffer(capacity: 64, blank: Int32(0))
  /// On which side of a segment the body came near: ±1 along the segment's normal. It is pushed
  /// back to that side however deep it is pressed in, so that nothing is squeezed through a line.
  var sides = Buffer(capacity: 64, blank: Float(1))
  var impulses = Buffer(capacity: 64, blank: Lanes.zero)
  var touches = Buffer(capacity: 64, blank: UInt8(0))
  var count = 0
  /// First pair of a row and next pair of the same row, −1 for none; the first has the highest
  /// place.
  var heads = Buffer(capacity: 64, blank: Int32(-1))
  var nexts = Buffer(capacity: 64, blank: Int32(-1))
  var chainedRows = 0

  mutating func reserve(_ count: Int) {
    guard count > rows.capacity else { return }
    rows.reserve(count)
    edges.reserve(count)
    sides.reserve(count)
    impulses.reserve(count)
    touches.reserve(count)
    nexts.reserve(count)
  }

  /// Chains the pairs of each row.
  mutating func chain(rows rowCount: Int) {
    chainedRows = rowCount
    heads.reserve(rowCount)
    heads.base.update(repeating: -1, count: rowCount)
    for k in 0..<count {
      let row = Int(rows[k])
      nexts[k] = heads[row]
      heads[row] = Int32(k)
    }
  }

  func find(row: Int, edge: Int32) -> Int {
    guard row < chainedRows else { return -1 }
    var k = heads[row]
    while k >= 0 && edges[Int(k)] != edge { k = nexts[Int(k)] }
    return Int(k)
  }

  /// Whether any other pair of the same row says yes.
  @inline(__always)
  func hasOther(than pair: Int, row: Int, where says: (Int) -> Bool) -> Bool {
    guard row < chainedRows else { return false }
    var k = Int(heads[row])
    while k >= 0 {
      if k != pair && says(k) { return true }
      k = Int(nexts[k])
    }
    return false
  }

  func write(into other: inout EdgePairList) {
    other.count = count
    other.reserve(count)
    rows.write(into: &other.rows, count: count)
    edges.write(into: &other.edges, count: count)
    sides.write(into: &other.sides, count: count)
    impulses.write(into: &other.impulses, count: count)
    touches.write(into: &other.touches, count: count)
    other.chain(rows: chainedRows)
  }

  func free() {
    rows.free()
    edges.free()
    sides.free()
    impulses.free()
    touches.free()
    heads.free()
    nexts.free()
  }
}
