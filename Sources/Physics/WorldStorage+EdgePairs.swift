extension WorldStorage {
  /// A little more than a body moves in a sub-step at the speed limit, the longest way between two
  /// looks at that speed.
  static let longestSweep: Float = 60

  /// How far a body may get in this part of a tick, for boundaries to look out for it: as far as
  /// the fastest, and twice as far when a tick is solved sub-step by sub-step, because a heavy body
  /// drives a light one on to twice its own speed.
  var outlook: Float {
    let way = largestSpeed.squareRoot() * span
    let far = span < 1.5 / 360 ? 2 * way : way
    return far < Self.longestSweep ? far : Self.longestSweep
  }

  /// Lists the bodies near each piece of a boundary and carries over what the pairs remember.
  func findEdgePairs() {
    listedSweep = outlook
    edgePairs.count = 0
    for e in 0..<edgeCount where edges[e].exists {
      if edges[e].isHalfPlane { findBodiesBehind(e) } else { findBodiesAlong(e) }
    }
    edgePairs.chain(rows: rowCount)
    for k in 0..<edgePairs.count { remember(k) }
    for k in 0..<formerEdgePairs.count where formerEdgePairs.touches[k] & 1 != 0 {
      let slot = Int(spareSlots[Int(formerEdgePairs.rows[k])])
      if slot >= 0 { endForgotten(k, slot) }
    }
  }

  /// Reports the end of a contact whose pair is no longer near, unless another piece of the same
  /// boundary still touches.
  private func endForgotten(_ k: Int, _ slot: Int) {
    let e = formerEdgePairs.edges[k]
    let goesOn = edgePairs.hasOther(than: -1, row: Int(slots[slot].row)) {
      edgePairs.touches[$0] & 1 != 0 && isSameBoundary(edgePairs.edges[$0], e)
    }
    let isReported = formerEdgePairs.hasOther(than: k, row: Int(formerEdgePairs.rows[k])) {
      $0 < k && formerEdgePairs.touches[$0] & 1 != 0
        && isSameBoundary(formerEdgePairs.edges[$0], e)
    }
    if !goesOn && !isReported { reportEnd(slot: slot, edge: Int(e)) }
  }

  /// Of a half-plane all bodies count that are near or behind, however deep.
  private func findBodiesBehind(_ e: Int) {
    let edge = edges[e]
    let nx = Lanes(repeating: edge.normal.x)
    let ny = Lanes(repeating: edge.normal.y)
    let limit = Lanes(
      repeating: edge.normal.dot(edge.a) + Lookup.margin + Lookup.skin + listedSweep)
    let x = UnsafeRawPointer(grid.x.base)
    let y = UnsafeRawPointer(grid.y.base)
    let reach = UnsafeRawPointer(grid.reach.base)
    var row = 0
    while row < rowCount {
      let px = x.loadUnaligned(fromByteOffset: 4 * row, as: Lanes.self)
      let py = y.loadUnaligned(fromByteOffset: 4 * row, as: Lanes.self)
      let r = reach.loadUnaligned(fromByteOffset: 4 * row, as: Lanes.self)
      let hits = moveMask((px * nx + py * ny - r) .< limit)
      if hits != 0 {
        for lane in 0..<4 where hits & (1 << Int32(lane)) != 0 && row + lane < rowCount {
          listEdgePair(row + lane, e)
        }
      }
      row += 4
    }
  }

  /// Of a segment, the bodies in the cells that it runs through, grown by their reach.
  private func findBodiesAlong(_ e: Int) {
    let edge = edges[e]
    for k in 0..<Grid.classCount where grid.cells[k].isUsed {
      let cells = grid.cells[k]
      let d = cells.largestRadius + Lookup.margin + Lookup.skin + listedSweep
      let (top, bottom) = edge.a.y < edge.b.y ? (edge.a, edge.b) : (edge.b, edge.a)
      var line = cells.line(top.y - d)
      let last = cells.line(bottom.y + d)
      while line <= last {
        let (left, right) = extent(top, bottom, cells, line, d)
        let start = Int(cells.first + line * cells.width)
        let first = Int(grid.starts[start + Int(cells.column(left - d))])
        let end = Int(grid.starts[start + Int(cells.column(right + d)) + 1])
        for row in first..<end {
          let reach = forms[row].w + Lookup.margin + Lookup.skin + listedSweep
          if edge.isNear(position(ofRow: row), reach: reach) { listEdgePair(row, e) }
        }
        line += 1
      }
    }
  }

  /// The part of a segment, left to right, that comes within `d` of a line of cells.
  private func extent(
    _ top: Vector2, _ bottom: Vector2, _ cells: Grid.Cells, _ line: Int32, _ d: Float
  ) -> (Float, Float) {
    let side = 1 / cells.inverse.x
    let isFirst = line <= 1
    let isLast = line >= cells.height - 2
    let low = isFirst ? -Float.infinity : cells.origin.y + Float(line - 1) * side - d
    let high = isLast ? Float.infinity : cells.origin.y + Float(line) * side + d
    let tall = bottom.y - top.y
    guard tall > 1e-3 else {
      return top.x < bottom.x ? (top.x, bottom.x) : (bottom.x, top.x)
    }
    let slope = (bottom.x - top.x) / tall
    let from = top.y > low ? top.x : top.x + (low - top.y) * slope
    let to = bottom.y < high ? bottom.x : top.x + (high - top.y) * slope
    return from < to ? (from, to) : (to, from)
  }

  private func listEdgePair(_ row: Int, _ e: Int) {
    guard motions[2 * row].w > 0 else { return }
    if filteredCount > 0 || edges[e].collisionGroup == 0 {
      let mask = properties(ofSlot: Int(rowSlots[row])).collisionMask
      if mask & edges[e].collisionGroup == 0 { return }
    }
    let k = edgePairs.count
    edgePairs.reserve(k + 1)
    edgePairs.rows[k] = Int32(row)
    edgePairs.edges[k] = Int32(e)
    edgePairs.count = k + 1
  }

  private func remember(_ k: Int) {
    let row = Int(edgePairs.rows[k])
    let e = edgePairs.edges[k]
    let edge = edges[Int(e)]
    let across = (Vector2(poses[row].x, poses[row].y) - edge.a).dot(edge.normal)
    edgePairs.sides[k] = edge.isHalfPlane || across >= 0 ? 1 : -1
    edgePairs.impulses[k] = .zero
    edgePairs.touches[k] = 0
    let former = Int(grid.formerRow[row])
    guard former < formerRowCount else { return }
    let old = formerEdgePairs.find(row: former, edge: e)
    guard old >= 0 else { return }
    edgePairs.touches[k] = formerEdgePairs.touches[old]
    formerEdgePairs.touches[old] = 0
    if slots[Int(rowSlots[row])].hasJumped { return }
    edgePairs.sides[k] = formerEdgePairs.sides[old]
    edgePairs.impulses[k] = formerEdgePairs.impulses[old]
  }
}
