extension WorldStorage {
  /// Puts each piece into the lowest free place.
  func add(_ pieces: [EdgeRecord]) {
    assert(!pieces.isEmpty && pieces.allSatisfy { $0.exists && $0.isSound })
    assert(pieces.allSatisfy { $0.id == pieces[0].id }, "pieces of one boundary")
    var place = 0
    for piece in pieces {
      while place < edges.count && edges[place].exists { place += 1 }
      if place == edges.count { edges.append(piece) } else { edges[place] = piece }
      state.edgesWithMaterial += piece.hasMaterial ? 1 : 0
    }
    assert(edges.count <= PhysicsLimit.boundaryPieces)
    forgetLists()
    for piece in pieces { wakeBodies(near: piece) }
  }

  func removeEdges(_ id: BoundaryID) {
    for k in 0..<edgePairs.count where edges[Int(edgePairs[k].edge)].id == id {
      let slot = Int(bodies.slots[Int(edgePairs[k].row)])
      guard edgePairs[k].touch & 1 != 0 && slot >= 0 else { continue }
      edgePairs[k].touch = 0
      if !siblingTouches(k, 1) {
        pendingEnded.append(ending(slot, edge: Int(edgePairs[k].edge)))
      }
    }
    edgePairs.remove { edges[Int($0)].id == id }
    assert(edgePairsAreSound)
    for e in 0..<edges.count where edges[e].exists && edges[e].id == id {
      wakeBodies(near: edges[e])
      state.edgesWithMaterial -= edges[e].hasMaterial ? 1 : 0
      assert(state.edgesWithMaterial >= 0, "what goes had come")
      edges[e] = EdgeRecord()
    }
    forgetLists()
  }

  /// Wakes the sleepers that a piece touches or comes as near as contacts are looked for, with
  /// their groups. The rest sleep on: nothing about them has changed.
  private func wakeBodies(near edge: EdgeRecord) {
    guard state.sleeperCount > 0 else { return }
    for slot in 0..<slots.count where slots[slot].exists && slots[slot].isAsleep {
      let row = Int(slots[slot].row)
      guard edge.isNear(position(ofRow: row), reach: bodies.forms[row].w + Lookup.speculation),
        properties(ofSlot: slot).collisionMask & edge.collisionGroup != 0
      else { continue }
      wake(slot: slot)
    }
  }

}
