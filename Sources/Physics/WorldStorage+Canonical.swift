extension WorldStorage {
  /// Brings everything that a snapshot would have to carry besides the bodies into a form that
  /// follows from the bodies: rows in the order that a lookup gives from slots, impulses forgotten.
  func dropCaches() {
    neighbours.impulses.base.update(repeating: .zero, count: neighbours.count)
    edgePairs.impulses.base.update(repeating: .zero, count: edgePairs.count)
    if rowCount == 0 { return }
    span = PhysicsWorld.tickLength
    lookUpNeighbours(inOrderOfSlots: true)
    isCanonical = true
  }
}
