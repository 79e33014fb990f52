/// The order in which bodies are coded, and what a body can know of its neighbours.
///
/// Cells of 44 pt in rows from the top left, bodies of a cell by slot. A body sees those neighbours
/// that come before it in this order: what they did in this very frame is already known.
struct NeighbourGrid {
  /// Slots in coding order.
  let slots: UnsafeMutablePointer<UInt16>
  private(set) var count = 0

  private let columns: Int
  private let rows: Int
  private let cellsPerStep: Double
  private let cellOfSlot: UnsafeMutablePointer<Int32>
  /// Where each cell begins in coding order; one more than there are cells.
  private let starts: UnsafeMutablePointer<Int32>
  private let cursors: UnsafeMutablePointer<Int32>
  /// Place, reach, and what was coded for each body, in coding order.
  private let x: UnsafeMutablePointer<Double>
  private let y: UnsafeMutablePointer<Double>
  private let reach: UnsafeMutablePointer<Double>
  private let sizes: UnsafeMutablePointer<SIMD4<Int32>>
  private let motions: UnsafeMutablePointer<SIMD4<Double>>

  /// Edge of a cell in points: a sticker of 40 pt finds all it touches in the cells around.
  private static let cell = 44.0
  /// Cells a side at most; what lies beyond counts as lying in the last.
  private static let mostCells = 128

  init(slots capacity: Int, width: Double, height: Double, stepsPerPoint: Double) {
    columns = NeighbourGrid.cells(width)
    rows = NeighbourGrid.cells(height)
    cellsPerStep = 1 / (NeighbourGrid.cell * stepsPerPoint)
    slots = .allocate(capacity: capacity)
    cellOfSlot = .allocate(capacity: capacity)
    starts = .allocate(capacity: columns * rows + 1)
    cursors = .allocate(capacity: columns * rows + 1)
    x = .allocate(capacity: capacity)
    y = .allocate(capacity: capacity)
    reach = .allocate(capacity: capacity)
    sizes = .allocate(capacity: capacity)
    motions = .allocate(capacity: capacity)
  }

  func deallocate() {
    slots.deallocate()
    cellOfSlot.deallocate()
    starts.deallocate()
    cursors.deallocate()
    x.deallocate()
    y.deallocate()
    reach.deallocate()
    sizes.deallocate()
    motions.deallocate()
  }

  private static func cells(_ length: Double) -> Int {
    let count = Int(length / cell) + 2
    return count < mostCells ? count : mostCells
  }

  /// Sorts the bodies that are present by where they are.
  mutating func sort(
    slotEnd: Int, looks: UnsafePointer<StreamLooks>, axes: UnsafePointer<AxisPredictor>,
    stepsPerPoint: Double
  ) {
    let cells = columns &* rows
    starts.initialize(repeating: 0, count: cells &+ 1)
    for slot in 0..<slotEnd where looks[slot].isPresent {
      let cell = cell(axes[slot &* 3].position, axes[slot &* 3 &+ 1].position)
      assert(cell >= 0 && cell < cells)
      cellOfSlot[slot] = Int32(truncatingIfNeeded: cell)
      starts[cell &+ 1] &+= 1
    }
    for cell in 0..<cells {
      starts[cell &+ 1] &+= starts[cell]
      cursors[cell] = starts[cell]
    }
    for slot in 0..<slotEnd where looks[slot].isPresent {
      let cell = Int(cellOfSlot[slot])
      let place = Int(cursors[cell])
      cursors[cell] &+= 1
      assert(place < Int(starts[cell &+ 1]), "a cell ends where the next one begins")
      slots[place] = UInt16(truncatingIfNeeded: slot)
      x[place] = axes[slot &* 3].position
      y[place] = axes[slot &* 3 &+ 1].position
      reach[place] = looks[slot].reach * stepsPerPoint
    }
    count = Int(starts[cells])
    assert(count <= slotEnd)
  }

  private func cell(_ x: Double, _ y: Double) -> Int {
    let column = NeighbourGrid.clamp(Int(floorInt(x * cellsPerStep)), below: columns)
    return NeighbourGrid.clamp(Int(floorInt(y * cellsPerStep)), below: rows) &* columns &+ column
  }

  @inline(__always)
  private static func clamp(_ value: Int, below limit: Int) -> Int {
    value < 0 ? 0 : value < limit ? value : limit &- 1
  }

  /// Remembers what was coded for the body at `place`: the sizes of its residuals, and its
  /// acceleration or velocity.
  @inline(__always)
  func note(_ place: Int, sizes size: SIMD4<Int32>, motion: SIMD4<Double>) {
    assert(place >= 0 && place < count)
    sizes[place] = size
    motions[place] = motion
  }

  /// What the neighbours before `place` did, in coding order: the row above, then the own row.
  @inline(__always)
  func neighbours(of place: Int) -> Neighbours {
    assert(place >= 0 && place < count)
    let cell = Int(cellOfSlot[Int(slots[place])])
    let row = cell / columns
    let column = cell &- row &* columns
    let left = column > 0 ? cell &- 1 : cell
    let right = column &+ 1 < columns ? cell &+ 1 : cell
    let above = row > 0 ? Int(starts[left &- columns]) : 0
    let aboveEnd = row > 0 ? Int(starts[right &- columns &+ 1]) : 0
    return near(place, above: above, aboveCount: aboveEnd &- above, own: Int(starts[left]))
  }

  /// Adds up those near `place` among the `aboveCount` bodies from `above` on, and those from `own`
  /// on to `place`. In one loop: when a short one ends can't be foreseen, and two end twice.
  @inline(__always)
  private func near(_ place: Int, above: Int, aboveCount: Int, own: Int) -> Neighbours {
    var result = Neighbours()
    let count = aboveCount &+ place &- own
    assert(aboveCount >= 0 && own <= place, "only who comes before is looked at")
    var index = 0
    while index < count {
      let other = index &+ (index < aboveCount ? above : own &- aboveCount)
      let dx = x[place] - x[other]
      let dy = y[place] - y[other]
      let limit = reach[place] + reach[other]
      // Without a branch: half of the candidates are near enough, and which is anybody's guess.
      let near: Int32 = dx * dx + dy * dy < limit * limit ? -1 : 0
      result.count &-= near
      result.sizes = result.sizes &+ (sizes[other] & SIMD4(repeating: near))
      let bits = unsafeBitCast(motions[other], to: SIMD4<Int64>.self)
      result.motion += unsafeBitCast(
        bits & SIMD4(repeating: Int64(near)), to: SIMD4<Double>.self)
      index &+= 1
    }
    return result
  }
}

/// Sums over the neighbours of a body that were coded before it.
struct Neighbours {
  var count: Int32 = 0
  /// Sizes of their residuals on each axis.
  var sizes = SIMD4<Int32>(repeating: 0)
  /// Their accelerations, or velocities.
  var motion = SIMD4<Double>(repeating: 0)

  /// 1 / count, or 0.
  @inline(__always)
  var share: Double { count > 0 ? 1 / Double(count) : 0 }

  /// How surprising they were, 0…4: none there, all as expected, less than a step each, less than
  /// four, more.
  @inline(__always)
  var surprise: Int {
    let total = sizes[0] &+ sizes[1] &+ sizes[2]
    let reached = countTrue(total > 0, total >= count, total >= 4 &* count)
    return count == 0 ? 0 : 1 &+ reached
  }
}
