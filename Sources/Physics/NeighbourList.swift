/// Pairs of rows that are near enough to touch before the next lookup, with what they remember.
struct NeighbourList {
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

  /// Pairs that there is room for.
  var room: Int { min(impulses.capacity, touches.capacity) - 16 }

  /// Room for pairs, and for the overhang of writes in fours and of a mark behind the last.
  mutating func reserve(pairs count: Int) {
    let pairs = count + 16
    guard pairs > impulses.capacity || pairs > touches.capacity else { return }
    lower.reserve(pairs)
    upper.reserve(pairs)
    impulses.reserve(pairs)
    touches.reserve(pairs)
  }

  func write(into other: inout NeighbourList) {
    other.count = count
    other.rows = rows
    other.reserve(pairs: count)
    starts.write(into: &other.starts, count: rows + 1)
    lower.write(into: &other.lower, count: count)
    upper.write(into: &other.upper, count: count)
    impulses.write(into: &other.impulses, count: count)
    touches.write(into: &other.touches, count: count)
  }

  func free() {
    starts.free()
    lower.free()
    upper.free()
    impulses.free()
    touches.free()
  }
}

/// The neighbour list dealt out by kinds of shapes, one list a narrow-phase kernel. Each ends in
/// filling entries up to a multiple of four.
struct PairLists {
  var circles = List()
  /// The first row is the box.
  var boxesAndCircles = List()
  var boxes = List()
  var polygons = List()

  struct List {
    var a = Buffer(capacity: 64, blank: Int32(0))
    var b = Buffer(capacity: 64, blank: Int32(0))
    var pair = Buffer(capacity: 64, blank: Int32(-1))
    var count = 0

    mutating func reserve(_ pairs: Int) {
      a.reserve(pairs + 4)
      b.reserve(pairs + 4)
      pair.reserve(pairs + 4)
    }

    /// Fills up with the row that nothing happens to.
    mutating func close(_ count: Int, idleRow: Int) {
      self.count = count
      for k in count..<(count + 3) & ~3 {
        a[k] = Int32(idleRow)
        b[k] = Int32(idleRow)
        pair[k] = -1
      }
    }

    func free() {
      a.free()
      b.free()
      pair.free()
    }
  }

  mutating func reserve(_ pairs: Int) {
    circles.reserve(pairs)
    boxesAndCircles.reserve(pairs)
    boxes.reserve(pairs)
    polygons.reserve(pairs)
  }

  func free() {
    circles.free()
    boxesAndCircles.free()
    boxes.free()
    polygons.free()
  }
}
