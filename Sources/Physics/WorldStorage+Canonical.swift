extension WorldStorage {
  /// Brings everything that a snapshot would have to carry besides the bodies into a form that
  /// follows from the bodies: rows in the order that a lookup gives from slots, impulses forgotten.
  func dropCaches() {
    neighbours.impulses.base.update(repeating: .zero, count: neighbours.count)
    for k in 0..<edgePairs.count { edgePairs[k].impulse = .zero }
    if bodies.rowCount == 0 { return }
    now.span = PhysicsWorld.tickLength
    let told = events.ended.count
    lookUpNeighbours(inOrderOfSlots: true)
    // What is no neighbour any more has ended: the next step tells.
    pendingEnded.append(contentsOf: events.ended[told...])
    events.ended.removeLast(events.ended.count - told)
    now.isCanonical = true
  }

}
