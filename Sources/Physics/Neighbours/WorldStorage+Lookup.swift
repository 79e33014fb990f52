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
}
