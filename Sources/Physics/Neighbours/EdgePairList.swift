/// A body near a piece of a boundary, and what the two remember.
struct EdgePair: BitwiseCopyable {
  var row: Int32 = 0
  var edge: Int32 = 0
  /// On which side of a segment the body came near: ±1 along the segment's normal. It is pushed
  /// back to that side however deep it is pressed in, so that nothing is squeezed through a line;
  /// past an end it may change sides.
  var side: Float = 1
  /// Bit 0: touched at the end of the last solve; bit 1: touches in this one.
  var touch: UInt8 = 0
  /// Normal and tangent impulse of the first point, then of the second.
  var impulse = Lanes.zero
  /// Next pair of the same row, −1 for none.
  fileprivate(set) var next: Int32 = -1
}

/// Bodies near pieces of boundaries, found by piece and chained by row.
struct EdgePairList: ~Copyable {
  private var pairs = Table(capacity: 64, blank: EdgePair())
  /// First pair of each row, −1 for none: the one with the highest place.
  private var heads = Buffer(capacity: 64, blank: Int32(-1))
  private var chainedRows = 0

  var count: Int { pairs.count }

  @inline(__always)
  subscript(_ k: Int) -> EdgePair {
    get {
      assert(k >= 0 && k < count)
      return pairs[k]
    }
    nonmutating set {
      assert(k >= 0 && k < count)
      pairs[k] = newValue
    }
  }

  mutating func append(_ pair: EdgePair) { pairs.append(pair) }

  mutating func removeAll() { pairs.count = 0 }

  mutating func clear() {
    pairs.count = 0
    chainedRows = 0
  }

  mutating func copy(_ other: borrowing EdgePairList) {
    pairs.copy(other.pairs)
    chain(rows: other.chainedRows)
  }

  /// Removes the pairs of pieces that are gone.
  mutating func remove(_ isGone: (Int32) -> Bool) {
    var kept = 0
    for k in 0..<count where !isGone(pairs[k].edge) {
      pairs[kept] = pairs[k]
      kept += 1
    }
    pairs.count = kept
    chain(rows: chainedRows)
  }

  /// Chains the pairs of each row.
  mutating func chain(rows rowCount: Int) {
    chainedRows = rowCount
    heads.reserve(rowCount)
    heads.base.update(repeating: -1, count: rowCount)
    for k in 0..<count {
      let row = Int(pairs[k].row)
      assert(row >= 0 && row < rowCount)
      pairs[k].next = heads[row]
      heads[row] = Int32(k)
    }
  }

  /// The place of a pair, −1 when it is not listed.
  func find(row: Int, edge: Int32) -> Int {
    guard row < chainedRows else { return -1 }
    var k = heads[row]
    while k >= 0 && pairs[Int(k)].edge != edge { k = pairs[Int(k)].next }
    assert(k < 0 || Int(pairs[Int(k)].row) == row, "a chain is of one row")
    return Int(k)
  }

  /// Whether any other pair of the same row says yes.
  @inline(__always)
  func hasOther(than pair: Int, row: Int, where says: (Int) -> Bool) -> Bool {
    guard row < chainedRows else { return false }
    var k = Int(heads[row])
    while k >= 0 {
      assert(Int(pairs[k].row) == row, "a chain is of one row")
      if k != pair && says(k) { return true }
      k = Int(pairs[k].next)
    }
    return false
  }
}
