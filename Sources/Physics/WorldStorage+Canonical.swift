extension WorldStorage {
  /// Brings everything that a snapshot would have to carry besides the bodies into a form that
  /// follows from the bodies: rows in the order that a lookup gives from slots, impulses forgotten.
  func dropCaches() {
    neighbours.impulses.base.update(repeating: .zero, count: neighbours.count)
    for k in 0..<edgePairs.count { edgePairs[k].impulse = .zero }
    if bodies.rowCount == 0 { return }
    lookUpBetweenSteps(inOrderOfSlots: true)
    now.isCanonical = true
  }

  /// A lookup outside a step. Contacts that it finds ended are for the next step to report: whoever
  /// reads the events of the last one may have done so already.
  func lookUpBetweenSteps(inOrderOfSlots: Bool = false) {
    now.span = PhysicsWorld.tickLength
    now.lookupSpan = PhysicsWorld.tickLength
    let reported = events.ended.count
    lookUpNeighbours(inOrderOfSlots: inOrderOfSlots)
    pendingEnded.append(contentsOf: events.ended[reported...])
    events.ended.removeLast(events.ended.count - reported)
  }
}
