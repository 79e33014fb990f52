/// How near bodies must be to become neighbours, in points.
enum Lookup {
  /// Gap up to which a pair is listed, besides what the circles about its bodies' paths cover: room
  /// for a speed that a body only gets within the step.
  static let margin: Float = 4
  /// Largest radius of the circle about a body's path. What is faster leaves its circle in every
  /// tick, and is met by the next tick's lookup.
  static let mostSweep: Float = 8
  /// Lists stay until something has left its circle by half of this.
  static let skin: Float = 4
  /// How much farther bodies may leave their circles half-way through a tick.
  static let tolerance: Float = 6
  /// Gap up to which a contact takes part in the solve, besides what its approach closes.
  static let speculation: Float = 4
  /// Gap beyond which no listed pair takes part, however it approaches.
  static let reach = margin + 2 * mostSweep
}

extension WorldStorage {
  /// Sorts the rows by cell and lists the neighbours anew, carrying over what pairs remember.
  ///
  /// Bodies of one cell stay in the order that they had, or are put in the order of their slots.
  /// Without `split` the next step deals the pairs out. Returns false, and leaves half a world, for
  /// more pairs than `mostPairs`.
  @discardableResult
  func lookUpNeighbours(inOrderOfSlots: Bool = false, split: Bool = true) -> Bool {
    assert(state.lookupSpan > 0 && state.lookupSpan <= PhysicsWorld.tickLength)
    swap(&neighbours, &formerNeighbours)
    swap(&edgePairs, &formerEdgePairs)
    state.pairsLeftOut = 0
    measureCells()
    computeSweeps()
    countCells()
    sortRows(inOrderOfSlots: inOrderOfSlots)
    guard findPairs() else { return false }
    matchPairs()
    guard findEdgePairs() else { return false }
    if split { splitPairs() } else { state.splitIsStale = true }
    for row in 0..<bodies.rowCount { slots[Int(bodies.slots[row])].hasJumped = false }
    state.listsAreValid = true
    assert(bodies.rowCount == slots.bodyCount, "rows without bodies have dropped out")
    assert(neighboursAreInOrder)
    assert(edgePairsAreSound)
    return true
  }

  /// Radius of the circle about the path of a body of this speed (`computeSweeps`), in points.
  @inline(__always)
  func sweepRadius(_ speed: Float) -> Float {
    let way = (0.5 * speed + state.hiddenSpeed) * state.lookupSpan
    assert(way >= 0)
    return way < Lookup.mostSweep ? way : Lookup.mostSweep
  }

  /// Encloses each body's predicted path until the next lookup in a circle centred half-way. Two
  /// bodies are neighbours if their circles come near; the lists stay valid while bodies remain
  /// inside.
  ///
  ///        . - ~ - .
  ///      '           '       x  where the centre is at the lookup
  ///     x------m------>      m  half-way: the middle of the circle
  ///      '           '       >  where it is at the next lookup, if nothing stops it
  ///        ' - _ - '
  ///
  /// The radius is half of the path, and what pushes may add that nobody sees yet.
  func computeSweeps() {
    let (poses, motions) = (bodies.poses.base, bodies.motions.base)
    let (middles, radii) = (bodies.sweepMiddles.base, bodies.sweepRadii.base)
    let half = Lanes(repeating: 0.5 * state.lookupSpan)
    let hidden = Lanes(repeating: state.hiddenSpeed * state.lookupSpan)
    let limit = Lanes(repeating: Lookup.mostSweep)
    var row = 0
    while row < bodies.rowCount {
      let (x, y, _, _) = transpose(poses[row], poses[row + 1], poses[row + 2], poses[row + 3])
      let v = motions + 2 * row
      let (vx, vy, _, _) = transpose(v[0], v[2], v[4], v[6])
      let speed = (vx * vx + vy * vy).squareRoot()
      let time = least(speed * half, limit) / most(speed, Lanes(repeating: 1e-3))
      let radius = least(speed * half + hidden, limit)
      let (middleX, middleY) = (x + vx * time, y + vy * time)
      assert(all(radius .>= 0) && all(time .>= 0))
      for lane in 0..<4 {
        middles[row + lane] = SIMD2(middleX[lane], middleY[lane])
        radii[row + lane] = radius[lane]
      }
      row &+= 4
    }
  }

  /// Whether a body's path through the coming part leads out of its circle by more than is allowed.
  ///
  /// Half-way through a tick more is allowed, and anything to what is too fast for its circle: what
  /// is missed there for half a tick the next tick finds.
  func someLeaveTheirSweeps(halfWay: Bool) -> Bool {
    let (poses, motions) = (bodies.poses.base, bodies.motions.base)
    let (middles, radii) = (bodies.sweepMiddles.base, UnsafeRawPointer(bodies.sweepRadii.base))
    let half = Lanes(repeating: 0.5 * state.span)
    let slack = Lanes(repeating: 0.5 * Lookup.skin + (halfWay ? Lookup.tolerance : 0))
    let tooFast = Lanes(repeating: halfWay ? Lookup.mostSweep : .infinity)
    var row = 0
    while row < bodies.rowCount {
      let (x, y, _, _) = transpose(poses[row], poses[row + 1], poses[row + 2], poses[row + 3])
      let v = motions + 2 * row
      let (vx, vy, _, _) = transpose(v[0], v[2], v[4], v[6])
      let (middleX, middleY) = columns(middles + row)
      let radius = radii.loadUnaligned(fromByteOffset: 4 * row, as: Lanes.self)
      let (dx, dy) = (x + vx * half - middleX, y + vy * half - middleY)
      let end = (dx * dx + dy * dy).squareRoot() + (vx * vx + vy * vy).squareRoot() * half
      let leaves = (end .> (radius + slack)) .& (radius .< tooFast)
      let mask = moveMask(leaves) & tailMask(row, bodies.rowCount)
      if mask != 0 && !areFast(mask, row) { return true }
      row &+= 4
    }
    return false
  }

  /// Whether all rows of a mask are fast: what those reach is listed apart.
  private func areFast(_ mask: Int32, _ row: Int) -> Bool {
    guard zone.isOn else { return false }
    var all = true
    for lane in 0..<4 where mask & (1 << Int32(lane)) != 0 { all = all && isFast(row + lane) }
    return all
  }

  /// The x and the y of four places.
  @inline(__always)
  private func columns(_ places: UnsafeMutablePointer<SIMD2<Float>>) -> (Lanes, Lanes) {
    let (p, q, r, s) = (places[0], places[1], places[2], places[3])
    return (Lanes(p.x, q.x, r.x, s.x), Lanes(p.y, q.y, r.y, s.y))
  }
}

extension WorldStorage {
  /// Brings everything that a snapshot would have to carry besides the bodies into a form that
  /// follows from the bodies: rows in the order that a lookup gives from slots. Of the impulses the
  /// leading bits stay: without any, a pile at rest shivers for a second.
  func dropCaches() {
    for k in 0..<neighbours.count { neighbours.impulses[k] = shortened(neighbours.impulses[k]) }
    for k in 0..<edgePairs.count { edgePairs[k].impulse = shortened(edgePairs[k].impulse) }
    if bodies.rowCount == 0 { return }
    lookUpBetweenSteps(inOrderOfSlots: true)
    assert(bodies.rowCount == slots.bodyCount && state.listsAreValid)
    state.isCanonical = true
  }

  /// A lookup outside a step. Contacts that it finds ended are for the next step to report: whoever
  /// reads the events of the last one may have done so already.
  func lookUpBetweenSteps(inOrderOfSlots: Bool = false) {
    state.span = PhysicsWorld.tickLength
    state.lookupSpan = PhysicsWorld.tickLength
    let reported = events.ended.count
    lookUpNeighbours(inOrderOfSlots: inOrderOfSlots)
    assert(events.ended.count >= reported, "a lookup forgets no events")
    pendingEnded.append(contentsOf: events.ended[reported...])
    events.ended.removeLast(events.ended.count - reported)
  }

  /// Each impulse to the nearest one of 8 significant bits.
  private func shortened(_ impulse: Lanes) -> Lanes {
    lanes((bits(impulse) &+ SIMD4(repeating: 0x8000)) & SIMD4(repeating: 0xFFFF_0000))
  }
}
