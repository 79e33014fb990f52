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
