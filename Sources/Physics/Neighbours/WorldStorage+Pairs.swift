extension WorldStorage {
  /// Lists every pair whose bounding circles come within reach of each other. A row looks at the
  /// rest of its own line of cells and at the next line, so that each pair is found once; larger
  /// bodies are looked up in the cells of their own class. Leaves out those whose collision
  /// filters, or whose joint, keep them apart. Returns false, and no list, for more pairs than are
  /// allowed.
  func findPairs() -> Bool {
    neighbours.starts.reserve(bodies.rowCount + 2)
    neighbours.reserve(pairs: 12 * bodies.rowCount + 64)
    crowds.innersAreKnown = false
    let count = bodies.rowCount
    let (x, y, reach) = (grid.x.base, grid.y.base, grid.reach.base)
    let (middles, radii) = (bodies.sweepMiddles.base, bodies.sweepRadii.base)
    let forms = bodies.forms.base
    for row in 0..<count {
      x[row] = middles[row].x
      y[row] = middles[row].y
      reach[row] = forms[row].w + radii[row]
    }
    for row in count..<(count + 8) {
      x[row] = -1e9
      y[row] = -1e9
      reach[row] = 0
    }
    neighbours.count = count > 0 ? search() : 0
    guard neighbours.count <= mostPairs.ofBodies else { return false }
    neighbours.starts[count] = Int32(neighbours.count)
    neighbours.rows = count
    assert(neighbours.count <= neighbours.room)
    return true
  }

  /// Goes through the rows, whose cells ascend, and returns how many pairs there are, or
  /// were found before they were too many.
  private func search() -> Int {
    let (starts, pairStarts) = (grid.starts.base, neighbours.starts.base)
    let (cellOfRow, former, forms) = (grid.cellOfRow.base, grid.formerRow.base, bodies.forms.base)
    let motions = bodies.motions.base
    let margin = Lookup.margin + Lookup.skin
    let mixed = usedClasses() > 1
    let filters =
      state.demands.filtered > 0 || state.jointsThatMute > 0 || state.furtherShapes > 0
    if state.jointsThatMute > 0 { mutedPairs.list(joints, slots: slots.count) }
    let most = mostPairs.ofBodies
    // Each shape has those of all bodies about it.
    let mostOfCrowd =
      state.furtherShapes > 0 ? 16 * PhysicsLimit.crowdOfBody : PhysicsLimit.crowdOfBody
    var found = 0
    var (cell, room): (Int32, Int) = (-1, neighbours.room)
    var (own, below, belowEnd) = (0, 0, 0)
    for row in 0..<bodies.rowCount {
      let itsCell = cellOfRow[Int(former[row])]
      assert(itsCell >= cell, "rows lie in the order of their cells")
      if itsCell != cell {
        cell = itsCell
        let first = starts + Int(cell)
        let width = Int(grid.cells[Grid.sizeClass(forms[row].w)].width)
        own = Int(first[2])
        below = Int(first[width &- 1])
        belowEnd = Int(first[width &+ 2])
      }
      assert(own > row && below <= belowEnd, "a cell ends behind its rows")
      let before = found
      pairStarts[row] = Int32(truncatingIfNeeded: before)
      if found &+ own &+ belowEnd &- below > room {
        neighbours.reserve(pairs: found + own + belowEnd - below)
        room = neighbours.room
      }
      let isCrowded = !filters && own &+ belowEnd &- below &- row > Self.crowdedCells
      if isCrowded && motions[2 * row].w > 0 {
        found = scanCrowd(row, row + 1..<own, below..<belowEnd, margin, found)
      } else {
        found = scan(row, row + 1, own, margin, found)
        found = scan(row, below, belowEnd, margin, found)
      }
      if mixed {
        let k = Grid.sizeClass(forms[row].w)
        found = scanLargerClasses(row, above: k, margin, found)
        room = neighbours.room
      }
      if filters { found = filterPairs(of: row, from: before, to: found) }
      if found &- before > mostOfCrowd {
        found = keepNearestOfCrowd(of: row, from: before, to: found)
      }
      name(row, from: before, to: found)
      if found > most { break }
    }
    return found
  }

  /// Writes the lower row of the pairs that were found for it, in fours.
  @inline(__always)
  private func name(_ row: Int, from: Int, to: Int) {
    let lower = UnsafeMutableRawPointer(neighbours.lower.base)
    let names = IntLanes(repeating: Int32(truncatingIfNeeded: row))
    var k = from
    while k < to {
      lower.storeBytes(of: names, toByteOffset: 4 &* k, as: IntLanes.self)
      k &+= 4
    }
  }

  private func usedClasses() -> Int {
    var used = 0
    for k in 0..<Grid.classCount where grid.cells[k].isUsed { used += 1 }
    return used
  }

  /// Lists those of the rows `from`..<`to` that come within reach of `row`; returns the new count.
  @inline(__always)
  private func scan(_ row: Int, _ from: Int, _ to: Int, _ margin: Float, _ before: Int) -> Int {
    assert(from > row && to <= bodies.rowCount, "the lower row finds the pair")
    let x = UnsafeRawPointer(grid.x.base)
    let y = UnsafeRawPointer(grid.y.base)
    let reach = UnsafeRawPointer(grid.reach.base)
    let upper = neighbours.upper.base
    let px = Lanes(repeating: grid.x[row])
    let py = Lanes(repeating: grid.y[row])
    let r = Lanes(repeating: grid.reach[row] + margin)
    let lane = IntLanes(0, 1, 2, 3)
    let one = IntLanes(repeating: 1)
    let nothing = IntLanes(repeating: 0)
    var found = before
    var j = from
    while j < to {
      let dx = x.loadUnaligned(fromByteOffset: 4 * j, as: Lanes.self) - px
      let dy = y.loadUnaligned(fromByteOffset: 4 * j, as: Lanes.self) - py
      let q = reach.loadUnaligned(fromByteOffset: 4 * j, as: Lanes.self) + r
      let near = (dx * dx + dy * dy) .< (q * q)
      let hit = nothing.replacing(
        with: one, where: near .& (lane .< IntLanes(repeating: Int32(truncatingIfNeeded: to &- j))))
      let b = Int32(truncatingIfNeeded: j)
      upper[found] = b
      found &+= Int(hit.x)
      upper[found] = b &+ 1
      found &+= Int(hit.y)
      upper[found] = b &+ 2
      found &+= Int(hit.z)
      upper[found] = b &+ 3
      found &+= Int(hit.w)
      j &+= 4
    }
    return found
  }

  private func scanLargerClasses(
    _ row: Int, above k: Int, _ margin: Float, _ before: Int
  ) -> Int {
    var found = before
    for larger in (k + 1)..<(Grid.classCount + 1) where larger < Grid.classCount {
      let cells = grid.cells[larger]
      guard cells.isUsed else { continue }
      let d = grid.reach[row] + cells.largestRadius + Lookup.mostSweep + margin
      let (x, y) = (grid.x[row], grid.y[row])
      let places = cells.places(Lanes(x - d, y - d, x + d, y + d))
      assert(places.x <= places.z && places.y <= places.w)
      // From the first column to behind the last, in each line.
      var left = grid.starts.base + Int(cells.first &+ places.y &* cells.width &+ places.x)
      let columns = Int(places.z &- places.x) &+ 1
      for _ in places.y...places.w {
        let (first, end) = (Int(left[0]), Int(left[columns]))
        let needed = found &+ end &- first &+ 16
        if needed > neighbours.room { neighbours.reserve(pairs: needed) }
        found = scan(row, first, end, margin, found)
        left += Int(cells.width)
      }
    }
    return found
  }

  /// Leaves out those of a row's pairs that are kept apart; returns where they end then.
  private func filterPairs(of row: Int, from: Int, to: Int) -> Int {
    let upper = neighbours.upper.base
    var kept = from
    for k in from..<to {
      let other = upper[k]
      guard collides(Int(bodies.slots[row]), Int(bodies.slots[Int(other)])) else { continue }
      upper[kept] = other
      kept += 1
    }
    assert(kept <= to)
    return kept
  }

  /// Whether two shapes are not of one body, and neither collision filters nor a joint keep their
  /// bodies apart. Joints' pairs are those
  /// of the last `mutedPairs.list`.
  func collides(_ a: Int, _ b: Int) -> Bool {
    let (a, b) = (owner(ofSlot: a), owner(ofSlot: b))
    if a == b { return false }
    let pa = properties(ofSlot: a)
    let pb = properties(ofSlot: b)
    return pa.meets(pb) && !pa.isSensor && !pb.isSensor
      && !(state.jointsThatMute > 0 && mutedPairs.contains(a, b))
  }

  /// Carries over impulses and touching from the former list; what touched and is no neighbour any
  /// more has ended.
  func matchPairs() {
    let count = neighbours.count
    let (impulses, touches) = (neighbours.impulses.base, neighbours.touches.base)
    guard state.listsAreValid || formerNeighbours.count > 0 else {
      impulses.update(repeating: .zero, count: count)
      touches.update(repeating: 0, count: count)
      return
    }
    assert(formerNeighbours.rows <= formerBodies.rowCount)
    let formerRow = grid.formerRow.base
    let (lower, upper) = (neighbours.lower.base, neighbours.upper.base)
    let (oldImpulses, oldTouches) = (formerNeighbours.impulses.base, formerNeighbours.touches.base)
    var former = PairFinder(formerNeighbours)
    for k in 0..<count {
      let a = formerRow[Int(lower[k])]
      let b = formerRow[Int(upper[k])]
      assert(a != b, "no row came from two")
      let at = former.find(a < b ? a : b, a < b ? b : a)
      guard at >= 0 else {
        impulses[k] = .zero
        touches[k] = 0
        continue
      }
      assert(at < formerNeighbours.count)
      let old = oldImpulses[at]
      // Points are sorted along the tangent, which turns round with the order of the pair.
      let swaps = a > b && keepsTwoPoints(Int(lower[k]), Int(upper[k]))
      impulses[k] = swaps ? Lanes(old.z, old.w, old.x, old.y) : old
      touches[k] = oldTouches[at]
      oldTouches[at] = 0
    }
    endLostPairs()
  }

  @inline(__always)
  private func keepsTwoPoints(_ a: Int, _ b: Int) -> Bool {
    !isDisc(bodies.forms[a].x) && !isDisc(bodies.forms[b].x)
  }

  @inline(__always)
  private func isDisc(_ extent: Float) -> Bool { extent == 0 || extent == BodyRows.discBeside }

  /// What touched before, or began to by a blow in this part of the tick.
  private func endLostPairs() {
    let touches = formerNeighbours.touches.base
    for k in 0..<formerNeighbours.count where touches[k] != 0 {
      let a = formerSlot(ofRow: Int(formerNeighbours.lower[k]))
      let b = formerSlot(ofRow: Int(formerNeighbours.upper[k]))
      guard a >= 0 && b >= 0 else { continue }
      if state.furtherShapes > 0 && stillTouches(k, a, b) { continue }
      reportEnd(slots: a, b)
    }
  }

  /// The former list names rows of before the sort; their slots lie in the spare memory now.
  func formerSlot(ofRow row: Int) -> Int { Int(formerBodies.slots[row]) }

  /// Deals the neighbours out by the kinds of their shapes.
  func splitPairs() {
    state.splitIsStale = false
    classifyRows()
    if zone.isOn { markZone() }
    let room = 4 * bodies.rowCount
    pairLists.reserve(max(neighbours.count, 2 * room) + 4)
    pairLists.deal(neighbours, grid.kind.base, idleRow: bodies.rowCount, zone: &zone.pairs)
    zone.noteDealing()
    if zone.isOn { dealZone() }
    let (circles, mixed) = (pairLists.circles.count, pairLists.boxesAndCircles.count)
    let (boxes, polygons) = (pairLists.boxes.count, pairLists.polygons.count)
    assert(circles + mixed + boxes + polygons <= neighbours.count, "a pair is of one kind")
    contacts.reserve(one: max(circles + mixed + polygons, room), two: max(boxes + polygons, room))
  }

  private func classifyRows() {
    let kind = grid.kind.base
    state.activeRows = 0
    let (forms, motions) = (bodies.forms.base, bodies.motions.base)
    state.hasAnchoredRows = false
    for row in 0..<bodies.rowCount {
      let extent = forms[row].x
      var k = extent > 0 ? RowKind.box : extent < 0 ? RowKind.polygon : RowKind.circle
      assert(bodies.slots[row] >= 0, "lists that are valid know of no empty rows")
      let isAnchored = motions[2 * row].w == 0
      let isStill = (isAnchored && isFixed(row)) || (state.sleeperCount > 0 && isAsleep(row))
      state.hasAnchoredRows = state.hasAnchoredRows || isAnchored
      k |= isStill ? RowKind.still : 0
      kind[row] = k
      state.activeRows &+= isStill ? 0 : 1
    }
  }

  @inline(__always)
  private func isAsleep(_ row: Int) -> Bool { slots[Int(bodies.slots[row])].isAsleep }
}
