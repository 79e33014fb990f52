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
      self.count = count
      for k in count..<(count + 3) & ~3 { set(k, Int32(idleRow), Int32(idleRow), -1) }
    }
  }
}
