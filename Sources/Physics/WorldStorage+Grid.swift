/// How near bodies must be to become neighbours.
enum Lookup {
  /// Gap up to which a pair is listed; half a step's approach at the speed where a tick is halved.
  static let margin: Float = 14
  /// Lists stay until something has moved half of this.
  static let skin: Float = 4
  /// Gap up to which a contact takes part in the solve.
  static let speculation: Float = 8
}

extension WorldStorage {
  /// Sorts the rows by cell and lists the neighbours anew, carrying over what pairs remember.
  ///
  /// Bodies of one cell stay in the order that they had, or are put in the order of their slots.
  func lookUpNeighbours(inOrderOfSlots: Bool = false) {
    swap(&neighbours, &formerNeighbours)
    swap(&edgePairs, &formerEdgePairs)
    formerRowCount = rowCount
    measureCells()
    countCells()
    sortRows(inOrderOfSlots: inOrderOfSlots)
    findPairs()
    filterPairs()
    matchPairs()
    findEdgePairs()
    splitPairs()
    for row in 0..<rowCount { slots[Int(rowSlots[row])].hasJumped = false }
    listsAreValid = true
    largestMove = 0
  }

  /// Chooses the cells of each class: as wide as its largest bodies reach, over the window where
  /// most bodies are. A body outside the window shares a rim cell, which is slower but right.
  private func measureCells() {
    grid.reserve(rows: rowCount)
    let largest = grid.largestRadii.base
    largest.update(repeating: 0, count: Grid.classCount)
    let (poses, forms, rowSlots) = (poses.base, forms.base, rowSlots.base)
    // Sums in whole eighths of a point, which do not depend on the order of the rows.
    var (count, sumX, sumY) = (Int64(0), Int64(0), Int64(0))
    for row in 0..<rowCount where rowSlots[row] >= 0 {
      let radius = forms[row].w
      let k = Grid.sizeClass(radius)
      largest[k] = radius > largest[k] ? radius : largest[k]
      sumX += eighths(poses[row].x)
      sumY += eighths(poses[row].y)
      count += 1
    }
    for k in 0..<Grid.classCount {
      grid.cells[k] = Grid.Cells()
      grid.cells[k].isUsed = largest[k] > 0
      grid.cells[k].largestRadius = largest[k]
    }
    guard count > 0 else { return }
    let mean = Vector2(Float(sumX / count) * 0.125, Float(sumY / count) * 0.125)
    (sumX, sumY) = (0, 0)
    var (low, high) = (mean, mean)
    for row in 0..<rowCount where rowSlots[row] >= 0 {
      let p = Vector2(poses[row].x, poses[row].y)
      low = Vector2(p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y)
      high = Vector2(p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y)
      sumX += eighths(magnitude(p.x - mean.x))
      sumY += eighths(magnitude(p.y - mean.y))
    }
    // Five mean distances hold every evenly filled world, and most of any other.
    let spread = Vector2(Float(sumX / count) * 0.625, Float(sumY / count) * 0.625)
    low = Vector2(
      low.x > mean.x - spread.x ? low.x : mean.x - spread.x,
      low.y > mean.y - spread.y ? low.y : mean.y - spread.y)
    high = Vector2(
      high.x < mean.x + spread.x ? high.x : mean.x + spread.x,
      high.y < mean.y + spread.y ? high.y : mean.y + spread.y)
    placeCells(low, high, bodies: Int(count))
  }

  private func eighths(_ x: Float) -> Int64 {
    let limit = Grid.horizon
    let bounded = x > -limit ? (x < limit ? x : limit) : -limit
    return Int64(bounded * 8)
  }

  private func placeCells(_ low: Vector2, _ high: Vector2, bodies: Int) {
    var first = 0
    let most = 4 * bodies + 1024
    for k in 0..<Grid.classCount where grid.cells[k].isUsed {
      var cells = grid.cells[k]
      var side = 2 * cells.largestRadius + Lookup.margin + Lookup.skin
      var wide = (high.x - low.x) / side + 3
      var tall = (high.y - low.y) / side + 3
      while !(wide * tall < Float(most)) && side < 1e9 {
        side *= 2
        wide = (high.x - low.x) / side + 3
        tall = (high.y - low.y) / side + 3
      }
      cells.originX = low.x
      cells.originY = low.y
      cells.inverse = 1 / side
      cells.width = Int(wide) + 1
      cells.height = Int(tall) + 1
      cells.first = first
      first += cells.width * cells.height
      grid.cells[k] = cells
    }
    grid.starts.reserve(first + 2)
    grid.starts.base.update(repeating: 0, count: first + 2)
    cellCount = first
  }

  /// Counts the bodies of each cell and turns the counts into first rows.
  private func countCells() {
    let starts = grid.starts.base
    let cellOfRow = grid.cellOfRow.base
    let poses = poses.base
    let forms = forms.base
    let table = grid.cells.base
    for row in 0..<rowCount where rowSlots[row] >= 0 {
      let pose = poses[row]
      let cells = table[Grid.sizeClass(forms[row].w)]
      let line = cells.line(pose.y)
      let cell = Int32(cells.first) + line * Int32(cells.width) + cells.column(pose.x)
      cellOfRow[row] = cell
      starts[Int(cell) + 1] += 1
    }
    var sum: Int32 = 0
    for cell in 0...cellCount {
      sum += starts[cell]
      starts[cell] = sum
    }
  }

  /// Moves every row to its place in the order of cells; rows without a body drop out.
  private func sortRows(inOrderOfSlots: Bool) {
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
      for slot in 0..<slotCount where slots[slot].exists { place(Int(slots[slot].row)) }
    } else {
      for row in 0..<rowCount where rowSlots[row] >= 0 { place(row) }
    }
    var cell = cellCount
    while cell > 0 {
      starts[cell] = starts[cell - 1]
      cell -= 1
    }
    starts[0] = 0
    rowCount = bodyCount
    permuteRows(former)
  }

  private func permuteRows(_ former: UnsafeMutablePointer<Int32>) {
    let count = rowCount
    let spare = spareLanes.base
    let poses = poses.base
    for row in 0..<count { spare[row] = poses[Int(former[row])] }
    swap(&self.poses, &spareLanes)
    permuteMotions(former)
    let spareForms = spareLanes.base
    let forms = forms.base
    for row in 0..<count { spareForms[row] = forms[Int(former[row])] }
    swap(&self.forms, &spareLanes)
    let spareMaterials = sparePairs.base
    let materials = materials.base
    for row in 0..<count { spareMaterials[row] = materials[Int(former[row])] }
    swap(&self.materials, &sparePairs)
    let spareSlots = spareSlots.base
    let rowSlots = rowSlots.base
    for row in 0..<count {
      let slot = rowSlots[Int(former[row])]
      spareSlots[row] = slot
      slots.base[Int(slot)].row = Int32(row)
    }
    swap(&self.rowSlots, &self.spareSlots)
    for row in 0..<count {
      let pose = self.poses[row]
      origins[row] = SIMD2(pose.x, pose.y)
    }
    restIdleRow()
  }

  private func permuteMotions(_ former: UnsafeMutablePointer<Int32>) {
    let spare = spareLanes.base
    let motions = motions.base
    for row in 0..<rowCount {
      let old = Int(former[row])
      spare[2 * row] = motions[2 * old]
      spare[2 * row + 1] = motions[2 * old + 1]
    }
    swap(&self.motions, &spareLanes)
  }

  /// The row past the last one takes the place of a missing body in groups of four: far away,
  /// without mass, and without effect.
  func restIdleRow() {
    let row = rowCount
    poses[row] = Lanes(-1e6, -1e6, 1, 0)
    motions[2 * row] = .zero
    motions[2 * row + 1] = .zero
    forms[row] = Lanes(1, 1, 0, 1)
    materials[row] = .zero
    rowSlots[row] = -1
    grid.reserve(rows: rowCount + 1)
  }
}
