/// Cells that sort the bodies, one set of cells for each class of sizes.
struct Grid: ~Copyable {
  /// Classes by bounding radius: up to 9, 15, 29, 58, 145 pt, and beyond. Within a class no two
  /// bodies differ so much that the smaller ones crowd the cells of the larger.
  static let classCount = 6
  /// Farthest place that is told apart, in points; what lies beyond shares the outermost cells. The
  /// sum of as many such places as there may be bodies fits 32 bits.
  static let horizon: Float = 65_536

  /// One set of cells. The outermost ring stays empty, so that neighbours need no bounds checks.
  struct Cells: BitwiseCopyable {
    /// Corner of the window (x, y, x, y), cells a point, and the last column and line in use.
    var origin = Lanes.zero
    var inverse = Lanes(repeating: 1)
    var top = Lanes.zero
    var largestRadius: Float = 0
    var width: Int32 = 0
    var height: Int32 = 0
    /// Place of the first cell among the starts of all classes.
    var first: Int32 = 0

    var isUsed: Bool { largestRadius > 0 }

    /// The cell of a place; of one that is outside, the outermost.
    @inline(__always)
    func cell(_ p: SIMD2<Float>) -> Int32 {
      let place = places(Lanes(p.x, p.y, p.x, p.y))
      assert(place.x > 0 && place.x < width - 1, "the outermost ring stays empty")
      assert(place.y > 0 && place.y < height - 1, "the outermost ring stays empty")
      return first &+ place.y &* width &+ place.x
    }

    /// Column and line of two places (x, y, x, y), in the same order.
    @inline(__always)
    func places(_ p: Lanes) -> IntLanes {
      let c = (p - origin) * inverse + Lanes(repeating: 1)
      return whole(least(most(c, Lanes(repeating: 1)), top))
    }
  }

  /// Cells of all classes together.
  var cellCount = 0
  var cells = Buffer(capacity: Grid.classCount, blank: Cells())
  /// Largest bounding radius in each class; 0 where it has no bodies.
  var largestRadii = Buffer(capacity: Grid.classCount, blank: Float(0))
  /// Whether bodies came, went or changed their shape since those were found.
  var radiiAreStale = true
  /// First row of each cell of each class, and one past the last.
  var starts = Buffer(capacity: 64, blank: Int32(0))
  var cellOfRow = Buffer(capacity: 72, blank: Int32(0))
  /// The row that a body had before it was sorted.
  var formerRow = Buffer(capacity: 72, blank: Int32(0))
  /// x, y, reach and kind by row, apart from each other for the search.
  var x = Buffer(capacity: 72, blank: Float(0))
  var y = Buffer(capacity: 72, blank: Float(0))
  var reach = Buffer(capacity: 72, blank: Float(0))
  var kind = Buffer(capacity: 72, blank: Int32(0))

  mutating func reserve(rows: Int) {
    cellOfRow.reserve(rows + 8)
    formerRow.reserve(rows + 8)
    x.reserve(rows + 16)
    y.reserve(rows + 16)
    reach.reserve(rows + 16)
    kind.reserve(rows + 8)
  }

  @inline(__always)
  static func sizeClass(_ boundingRadius: Float) -> Int {
    boundingRadius <= 29
      ? (boundingRadius <= 9 ? 0 : boundingRadius <= 15 ? 1 : 2)
      : (boundingRadius <= 58 ? 3 : boundingRadius <= 145 ? 4 : 5)
  }
}
