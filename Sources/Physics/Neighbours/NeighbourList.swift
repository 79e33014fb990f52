/// Pairs of rows that are near enough to touch before the next lookup, with what they remember.
struct NeighbourList: ~Copyable {
  /// First pair of each row, and one past the last; the first row of a pair is the lower one.
  var starts = Buffer(capacity: 64, blank: Int32(0))
  var lower = Buffer(capacity: 64, blank: Int32(0))
  var upper = Buffer(capacity: 64, blank: Int32(0))
  /// Normal and tangent impulse of the first point, then of the second.
  var impulses = Buffer(capacity: 64, blank: Lanes.zero)
  /// Bit 0: touched at the end of the last solve; bit 1: touches in this one.
  var touches = Buffer(capacity: 64, blank: UInt8(0))
  var count = 0
  /// Rows at the time of the lookup.
  var rows = 0

  /// Pairs that there is room for. The buffers grow by other steps, as their values differ in size.
  var room: Int {
    min(min(lower.capacity, upper.capacity), min(impulses.capacity, touches.capacity)) - 16
  }

  /// Room for pairs, and for the overhang of writes in fours and of a mark behind the last.
  mutating func reserve(pairs count: Int) {
    let pairs = count + 16
    lower.reserve(pairs)
    upper.reserve(pairs)
    impulses.reserve(pairs)
    touches.reserve(pairs)
    assert(room >= count)
  }

  mutating func copy(_ other: borrowing NeighbourList) {
    count = other.count
    rows = other.rows
    assert(count >= 0 && rows >= 0 && (rows > 0 || count == 0))
    reserve(pairs: count)
    starts.copy(other.starts, count: rows + 1)
    lower.copy(other.lower, count: count)
    upper.copy(other.upper, count: count)
    impulses.copy(other.impulses, count: count)
    touches.copy(other.touches, count: count)
  }

  mutating func clear() {
    count = 0
    rows = 0
  }
}

/// Finds pairs in a list, fastest when they are asked for in the order of the list.
struct PairFinder {
  private let (starts, lower, upper):
    (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>)
  private let rows: Int
  private var next = 0

  init(_ list: borrowing NeighbourList) {
    (starts, lower, upper) = (list.starts.base, list.lower.base, list.upper.base)
    rows = list.rows
    // No pair is found past the last.
    list.lower[list.count] = -1
  }

  /// The place of a pair, the lower row first; −1 when it is not listed.
  @inline(__always)
  mutating func find(_ first: Int32, _ second: Int32) -> Int {
    assert(first < second, "the lower row comes first")
    var at = next
    if lower[at] != first || upper[at] != second {
      guard Int(first) < rows else { return -1 }
      at = Int(starts[Int(first)])
      let end = Int(starts[Int(first) + 1])
      while at < end && upper[at] != second { at += 1 }
      guard at < end else { return -1 }
    }
    next = at + 1
    return at
  }
}
