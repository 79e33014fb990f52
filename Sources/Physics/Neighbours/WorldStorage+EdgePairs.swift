extension WorldStorage {
  /// Lists the bodies near each piece of a boundary and carries over what the pairs remember.
  /// Returns false, and no list, for more pairs than are allowed.
  func findEdgePairs() -> Bool {
    state.listedSweep = neededSweep
    assert(state.listedSweep >= 0 && state.listedSweep <= Self.longestSweep)
    edgePairs.removeAll()
    for e in 0..<edges.count where edges[e].exists {
      if edges[e].isHalfPlane { findBodiesBehind(e) } else { findBodiesAlong(e) }
      guard edgePairs.count <= mostPairs.ofEdges else { return false }
    }
    edgePairs.chain(rows: bodies.rowCount)
    for k in 0..<edgePairs.count { remember(k) }
    for k in 0..<formerEdgePairs.count where formerEdgePairs[k].touch & 1 != 0 {
      let slot = Int(formerBodies.slots[Int(formerEdgePairs[k].row)])
      assert(slot < 0 || slots[slot].exists, "a row that goes forgets its slot")
      if slot >= 0 { endForgotten(k, slot) }
    }
    return true
  }

  /// Reports the end of a contact whose pair is no longer near, unless another piece of the same
  /// boundary still touches.
  private func endForgotten(_ k: Int, _ slot: Int) {
    if isCompound(slot) { return endForgottenShape(k, slot) }
    let e = formerEdgePairs[k].edge
    let goesOn = edgePairs.hasOther(than: -1, row: Int(slots[slot].row)) {
      edgePairs[$0].touch & 1 != 0 && isSameBoundary(edgePairs[$0].edge, e)
    }
    let isReported = formerEdgePairs.hasOther(than: k, row: Int(formerEdgePairs[k].row)) {
      $0 < k && formerEdgePairs[$0].touch & 1 != 0
        && isSameBoundary(formerEdgePairs[$0].edge, e)
    }
    if !goesOn && !isReported { reportEnd(slot: slot, edge: Int(e)) }
  }

  /// Of a half-plane all bodies count that are near or behind, however deep.
  private func findBodiesBehind(_ e: Int) {
    let edge = edges[e]
    let nx = Lanes(repeating: edge.normal.x)
    let ny = Lanes(repeating: edge.normal.y)
    let limit = Lanes(
      repeating: edge.normal.dot(edge.a) + Lookup.margin + Lookup.skin + state.listedSweep)
    let x = UnsafeRawPointer(grid.x.base)
    let y = UnsafeRawPointer(grid.y.base)
    let reach = UnsafeRawPointer(grid.reach.base)
    var row = 0
    while row < bodies.rowCount {
      let px = x.loadUnaligned(fromByteOffset: 4 * row, as: Lanes.self)
      let py = y.loadUnaligned(fromByteOffset: 4 * row, as: Lanes.self)
      let r = reach.loadUnaligned(fromByteOffset: 4 * row, as: Lanes.self)
      let hits = moveMask((px * nx + py * ny - r) .< limit)
      if hits != 0 {
        for lane in 0..<4 where hits & (1 << Int32(lane)) != 0 && row + lane < bodies.rowCount {
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
      let reach = cells.largestRadius + Lookup.margin + Lookup.skin + state.listedSweep
      // A body lies in the cell of its sweep's middle.
      let d = reach + Lookup.mostSweep
      let (top, bottom) = edge.a.y < edge.b.y ? (edge.a, edge.b) : (edge.b, edge.a)
      let lines = cells.places(Lanes(0, top.y - d, 0, bottom.y + d))
      var line = lines.y
      while line <= lines.w {
        let (left, right) = extent(top, bottom, cells, line, d)
        let start = Int(cells.first + line * cells.width)
        let columns = cells.places(Lanes(left - d, 0, right + d, 0))
        let first = Int(grid.starts[start + Int(columns.x)])
        let end = Int(grid.starts[start + Int(columns.z) + 1])
        assert(first >= 0 && first <= end && end <= bodies.rowCount)
        for row in first..<end {
          let reach = bodies.forms[row].w + Lookup.margin + Lookup.skin + state.listedSweep
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

  func listEdgePair(_ row: Int, _ e: Int) {
    assert(row >= 0 && row < bodies.rowCount && edges[e].exists)
    guard bodies.motions[2 * row].w > 0 else { return }
    if state.demands.filtered > 0 || edges[e].collisionGroup == 0 {
      let own = properties(ofSlot: Int(bodies.slots[row]))
      if own.isSensor || own.collisionMask & edges[e].collisionGroup == 0 { return }
    }
    edgePairs.append(EdgePair(row: Int32(row), edge: Int32(e)))
  }

  /// The side of a piece of a boundary that a body is on.
  func side(of e: Int, _ row: Int) -> Float {
    edges[e].isHalfPlane ? 1 : side(of: edges[e], row)
  }

  /// The side of a segment that a body is on. A one-way segment is passed by all of a body or not
  /// at all, and so what is only partly through is still on the side that it came from.
  func side(of edge: EdgeRecord, _ row: Int) -> Float {
    if edge.isOneWay { return isBeyond(edge, row: row) ? 1 : -1 }
    return edge.side(of: center(ofRow: row))
  }

  /// Gives a pair the side that its body is on, and what it remembers of the former list.
  private func remember(_ k: Int) {
    var pair = edgePairs[k]
    let row = Int(pair.row)
    pair.side = side(of: Int(pair.edge), row)
    let former = Int(grid.formerRow[row])
    let old =
      former < formerBodies.rowCount ? formerEdgePairs.find(row: former, edge: pair.edge) : -1
    if old >= 0 {
      let memory = formerEdgePairs[old]
      assert(memory.edge == pair.edge && Int(memory.row) == former)
      pair.touch = memory.touch
      formerEdgePairs[old].touch = 0
      if !slots[Int(bodies.slots[row])].hasJumped {
        pair.side = memory.side
        pair.impulse = memory.impulse
      }
    }
    edgePairs[k] = pair
  }
}
