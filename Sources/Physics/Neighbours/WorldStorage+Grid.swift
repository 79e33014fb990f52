extension WorldStorage {
  /// Chooses the cells of each class: as wide as its largest bodies reach, over the window where
  /// most bodies are. A body outside the window shares a rim cell, which is slower but right.
  func measureCells() {
    grid.reserve(rows: bodies.rowCount)
    if grid.radiiAreStale { measureRadii() }
    guard slots.bodyCount > 0 else { return clearCells() }
    assert(slots.bodyCount <= bodies.rowCount)
    let (poses, rowSlots) = (bodies.poses.base, bodies.slots.base)
    // Sums in whole points, which do not depend on the order of the rows.
    var sum = IntLanes.zero
    for row in 0..<bodies.rowCount where rowSlots[row] >= 0 { sum = sum &+ nearby(poses[row]) }
    let share = Lanes(repeating: 1 / Float(slots.bodyCount))
    let mean = Lanes(sum) * share
    var (low, high, distances) = (mean, mean, IntLanes.zero)
    for row in 0..<bodies.rowCount where rowSlots[row] >= 0 {
      low = least(low, poses[row])
      high = most(high, poses[row])
      distances = distances &+ nearby(magnitude(poses[row] - mean))
    }
    // Five mean distances hold every evenly filled world, and most of any other.
    let spread = Lanes(distances) * share * Lanes(repeating: 5) + Lanes(repeating: 1)
    placeCells(most(low, mean - spread), least(high, mean + spread))
  }

  @inline(__always)
  private func nearby(_ p: Lanes) -> IntLanes {
    let limit = Lanes(repeating: Grid.horizon)
    return whole(least(most(p, -limit), limit))
  }

  /// No cells for no bodies.
  private func clearCells() {
    for k in 0..<Grid.classCount { grid.cells[k] = Grid.Cells() }
    grid.starts.base.update(repeating: 0, count: 2)
    grid.cellCount = 0
  }

  /// Finds the largest bounding radius of each class.
  private func measureRadii() {
    grid.radiiAreStale = false
    let largest = grid.largestRadii.base
    largest.update(repeating: 0, count: Grid.classCount)
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 {
      let radius = bodies.forms[row].w
      let k = Grid.sizeClass(radius)
      largest[k] = radius > largest[k] ? radius : largest[k]
    }
  }

  /// Lays each class's cells over the window from `low` to `high` (x, y and whatever else).
  private func placeCells(_ low: Lanes, _ high: Lanes) {
    assert(low.x <= high.x && low.y <= high.y, "a window has no negative extent")
    let sweep = sweepRadius(state.largestSpeed.squareRoot())
    var first: Int32 = 0
    let most = Float(4 * slots.bodyCount + 1024)
    for k in 0..<Grid.classCount {
      var cells = Grid.Cells()
      cells.largestRadius = grid.largestRadii[k]
      if cells.isUsed {
        var side = 2 * (cells.largestRadius + sweep) + Lookup.margin + Lookup.skin
        var wide = (high.x - low.x) / side + 3
        var tall = (high.y - low.y) / side + 3
        while !(wide * tall < most) && side < 1e9 {
          side *= 2
          wide = (high.x - low.x) / side + 3
          tall = (high.y - low.y) / side + 3
        }
        cells.origin = Lanes(low.x, low.y, low.x, low.y)
        cells.inverse = Lanes(repeating: 1 / side)
        cells.width = Int32(wide) + 1
        cells.height = Int32(tall) + 1
        let (right, bottom) = (Float(cells.width - 2), Float(cells.height - 2))
        cells.top = Lanes(right, bottom, right, bottom)
        cells.first = first
        assert(cells.width > 3 && cells.height > 3, "a cell at least, and the ring about it")
        first += cells.width * cells.height
      }
      grid.cells[k] = cells
    }
    grid.cellCount = Int(first)
    grid.starts.reserve(grid.cellCount + 2)
    grid.starts.base.update(repeating: 0, count: grid.cellCount + 2)
  }

  /// Counts the bodies of each cell and turns the counts into first rows.
  func countCells() {
    let starts = grid.starts.base
    let cellOfRow = grid.cellOfRow.base
    let (middles, forms) = (bodies.sweepMiddles.base, bodies.forms.base)
    let rowSlots = bodies.slots.base
    let table = grid.cells.base
    for row in 0..<bodies.rowCount where rowSlots[row] >= 0 {
      let cell = table[Grid.sizeClass(forms[row].w)].cell(middles[row])
      cellOfRow[row] = cell
      assert(cell >= 0 && Int(cell) < grid.cellCount)
      starts[Int(cell) &+ 1] &+= 1
    }
    var sum: Int32 = 0
    for cell in 0...grid.cellCount {
      sum += starts[cell]
      starts[cell] = sum
    }
  }

  /// Moves every row to its place in the order of cells; rows without a body drop out.
  func sortRows(inOrderOfSlots: Bool) {
    let starts = grid.starts.base
    let cellOfRow = grid.cellOfRow.base
    let former = grid.formerRow.base
    @inline(__always) func place(_ row: Int) {
      let cell = Int(cellOfRow[row])
      let place = starts[cell]
      starts[cell] = place + 1
      former[Int(place)] = Int32(row)
    }
    if inOrderOfSlots {
      for slot in 0..<slots.count where slots[slot].exists { place(Int(slots[slot].row)) }
    } else {
      for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 { place(row) }
    }
    var cell = grid.cellCount
    while cell > 0 {
      starts[cell] = starts[cell - 1]
      cell -= 1
    }
    starts[0] = 0
    assert(Int(starts[grid.cellCount]) == slots.bodyCount, "the last cell ends with the rows")
    permuteRows(former)
  }

  private func permuteRows(_ former: UnsafeMutablePointer<Int32>) {
    swap(&bodies, &formerBodies)
    bodies.take(slots.bodyCount, of: formerBodies, in: former)
    for row in 0..<bodies.rowCount { slots.records.base[Int(bodies.slots[row])].row = Int32(row) }
    restIdleRow()
    assert(rowsMatchSlots)
  }

  /// The row past the last one takes the place of a missing body in groups of four: far away,
  /// without mass, and without effect. It and the three behind it rest where they are.
  func restIdleRow() {
    grid.reserve(rows: bodies.rowCount + 4)
    for row in bodies.rowCount..<(bodies.rowCount + 4) {
      bodies.poses[row] = Lanes(-1e6, -1e6, 1, 0)
      bodies.sweepMiddles[row] = SIMD2(-1e6, -1e6)
      bodies.sweepRadii[row] = 0
      bodies.motions[2 * row] = .zero
      bodies.motions[2 * row + 1] = .zero
      bodies.forms[row] = Lanes(1, 1, 0, 1)
      bodies.materials[row] = .zero
      bodies.slots[row] = -1
    }
  }

}
