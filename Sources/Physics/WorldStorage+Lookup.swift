/// How near bodies must be to become neighbours, in points.
enum Lookup {
  /// Gap up to which a pair is listed, besides what the speeds of its bodies close: room for a
  /// speed that a body only gets within the step.
  static let margin: Float = 4
  /// Most that one body's speed adds. What is faster is met by the next lookup: it moves so far
  /// that there is one each time.
  static let mostSweep: Float = 5
  /// Lists stay until something has moved half of this.
  static let skin: Float = 4
  /// Gap up to which a contact takes part in the solve, besides what its approach closes.
  static let speculation: Float = 4
  /// Gap beyond which no listed pair takes part, however it approaches.
  static let reach = margin + 2 * mostSweep
}

extension WorldStorage {
  /// Sorts the rows by cell and lists the neighbours anew, carrying over what pairs remember.
  ///
  /// Bodies of one cell stay in the order that they had, or are put in the order of their slots.
  func lookUpNeighbours(inOrderOfSlots: Bool = false) {
    swap(&neighbours, &formerNeighbours)
    swap(&edgePairs, &formerEdgePairs)
    measureCells()
    countCells()
    sortRows(inOrderOfSlots: inOrderOfSlots)
    findPairs()
    filterPairs()
    matchPairs()
    findEdgePairs()
    splitPairs()
    for row in 0..<bodies.rowCount { slots[Int(bodies.slots[row])].hasJumped = false }
    now.listsAreValid = true
    now.largestMove = 0
  }
}
