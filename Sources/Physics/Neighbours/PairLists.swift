/// What the neighbour lists need to know of a row.
enum RowKind {
  static let circle: Int32 = 0
  static let box: Int32 = 1
  static let polygon: Int32 = 2
  /// Anchored or asleep: two such rows make no contact.
  static let still: Int32 = 4
  /// Fast, and fast or near something fast (`FastZone`); and what else has pairs with such.
  static let fast: Int32 = 8
  static let zone: Int32 = 16
  static let besideZone: Int32 = 32
}

/// The neighbour list dealt out by kinds of shapes, one list a narrow-phase kernel. Each ends in
/// filling entries up to a multiple of four.
struct PairLists: ~Copyable {
  var circles = List()
  /// The first row is the box.
  var boxesAndCircles = List()
  var boxes = List()
  var polygons = List()

  mutating func reserve(_ pairs: Int) {
    circles.reserve(pairs)
    boxesAndCircles.reserve(pairs)
    boxes.reserve(pairs)
    polygons.reserve(pairs)
  }

  /// Deals pairs out by the kinds of their rows; those of two rows that are still are left out, and
  /// those of the zone about fast bodies go to `zone`.
  ///
  /// A pair p of circles and boxes is written behind the end of all three lists, and only the end
  /// of the right one moves on; the next pair overwrites the others:
  ///
  ///     circles          c c c c[p]      two circles: the end moves on
  ///     boxesAndCircles  m m[p]          one of each: the end moves on; the box is put first
  ///     boxes            b b b[p]        two boxes: the end moves on
  mutating func deal(
    _ neighbours: borrowing NeighbourList, _ kind: UnsafeMutablePointer<Int32>, idleRow: Int,
    zone: inout NumberList
  ) {
    assert(idleRow >= neighbours.rows, "the idle row is behind all others")
    let (lower, upper) = (neighbours.lower.base, neighbours.upper.base)
    zone.removeAll()
    let (ca, cb, cp) = circles.columns
    let (ma, mb, mp) = boxesAndCircles.columns
    let (ba, bb, bp) = boxes.columns
    var (circleCount, mixedCount, boxCount, polygonCount) = (0, 0, 0, 0)
    for k in 0..<neighbours.count {
      let (a, b) = (lower[k], upper[k])
      var (ka, kb) = (kind[Int(a)], kind[Int(b)])
      let pair = Int32(truncatingIfNeeded: k)
      if (ka | kb) & (RowKind.still | RowKind.polygon | RowKind.zone) != 0 {
        if ka & kb & RowKind.still != 0 { continue }
        if (ka | kb) & RowKind.zone != 0 {
          zone.append(k)
          continue
        }
        if (ka | kb) & RowKind.polygon != 0 {
          polygons.set(polygonCount, a, b, pair)
          polygonCount += 1
          continue
        }
        ka &= RowKind.box
        kb &= RowKind.box
      }
      // Without branches: write to all three lists, advance the right one.
      (ca[circleCount], cb[circleCount], cp[circleCount]) = (a, b, pair)
      circleCount &+= Int((ka | kb) ^ 1)
      let swap = (a ^ b) & (ka &- 1)
      (ma[mixedCount], mb[mixedCount], mp[mixedCount]) = (a ^ swap, b ^ swap, pair)
      mixedCount &+= Int(ka ^ kb)
      (ba[boxCount], bb[boxCount], bp[boxCount]) = (a, b, pair)
      boxCount &+= Int(ka & kb)
    }
    circles.close(circleCount, idleRow: idleRow)
    boxesAndCircles.close(mixedCount, idleRow: idleRow)
    boxes.close(boxCount, idleRow: idleRow)
    polygons.close(polygonCount, idleRow: idleRow)
  }

  struct List: ~Copyable {
    var a = Buffer(capacity: 64, blank: Int32(0))
    var b = Buffer(capacity: 64, blank: Int32(0))
    var pair = Buffer(capacity: 64, blank: Int32(-1))
    var count = 0

    var columns:
      (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>)
    {
      (a.base, b.base, pair.base)
    }

    mutating func reserve(_ pairs: Int) {
      a.reserve(pairs + 4)
      b.reserve(pairs + 4)
      pair.reserve(pairs + 4)
    }

    func set(_ k: Int, _ a: Int32, _ b: Int32, _ pair: Int32) {
      self.a[k] = a
      self.b[k] = b
      self.pair[k] = pair
    }

    /// Fills up with the row that nothing happens to.
    mutating func close(_ count: Int, idleRow: Int) {
      assert(count >= 0 && count < a.capacity)
      self.count = count
      for k in count..<(count + 3) & ~3 { set(k, Int32(idleRow), Int32(idleRow), -1) }
    }
  }
}

/// How many pairs a lookup may find. While a snapshot is restored that says how many there are, a
/// lookup that finds more breaks off, so that a forged one can't ask for more memory than its own
/// size makes good for.
struct PairCounts {
  var ofBodies: Int
  var ofEdges: Int

  /// As many as there are.
  static let any = PairCounts(ofBodies: .max, ofEdges: .max)
}
