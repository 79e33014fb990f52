/// What touches a body now, and how firmly.
public struct TouchingPartner: Equatable, Sendable {
  /// What touches it.
  public var other: ContactPartner
  /// The force with which the two press on each other, in mass·pt/s², as at the end of the last
  /// step: a box of mass 1 rests with 1000 on the floor under a gravity of 1000. After
  /// `dropCaches` it is known to 8 bits.
  public var force: Float
}

extension PhysicsWorld {
  /// Puts what touches a body into `result`: other bodies in the order of their slots, then
  /// boundaries by their numbers, each once. Replaces what was there and keeps its memory. Empty
  /// for a name that nobody has (any more).
  ///
  /// It is what the contact events add up to: as the last step left it, without what was removed
  /// since. Restored worlds know it at once. Sensors touch nothing: they overlap.
  public func touching(_ id: BodyID, into result: inout [TouchingPartner]) {
    result.removeAll(keepingCapacity: true)
    guard contains(id) else { return }
    let row = Int(storage.slots[Int(id.slot)].row)
    storage.forEachTouchingPair(ofRow: row) { other, force in
      let known = result.firstIndex { $0.other == .body(other) }
      guard let known else {
        return result.append(TouchingPartner(other: .body(other), force: force))
      }
      result[known].force += force
    }
    storage.forEachTouchingEdge(ofRow: row) { boundary, force in
      let known = result.firstIndex { $0.other == .boundary(boundary) }
      guard let known else {
        return result.append(TouchingPartner(other: .boundary(boundary), force: force))
      }
      result[known].force += force
    }
    result.sort { $0.other.comes(before: $1.other) }
  }

  /// Whether a body touches something now: what `touching(_:into:)` lists.
  public func isTouching(_ id: BodyID, _ partner: ContactPartner) -> Bool {
    guard contains(id) else { return false }
    var found = false
    let row = Int(storage.slots[Int(id.slot)].row)
    switch partner {
    case .body(let body):
      storage.forEachTouchingPair(ofRow: row) { other, _ in found = found || other == body }
    case .boundary(let number):
      storage.forEachTouchingEdge(ofRow: row) { other, _ in found = found || other == number }
    }
    return found
  }
}

extension ContactPartner {
  /// Bodies in the order of their slots, then boundaries by their numbers.
  func comes(before other: ContactPartner) -> Bool {
    switch (self, other) {
    case (.body(let a), .body(let b)): a.slot < b.slot
    case (.boundary(let a), .boundary(let b)): a.value < b.value
    case (.body, .boundary): true
    case (.boundary, .body): false
    }
  }
}

extension WorldStorage {
  /// Sub-steps a second: an impulse of a sub-step times this is a force.
  private var stepsPerSecond: Float { Float(PhysicsWorld.subSteps) / PhysicsWorld.tickLength }

  /// Calls `action` for each body that touches a row, with the force between them. The pairs that a
  /// row is the upper one of lie among those of the rows before it.
  fileprivate func forEachTouchingPair(ofRow row: Int, _ action: (BodyID, Float) -> Void) {
    // A body that came since the last lookup has no neighbours yet.
    guard row < neighbours.rows else { return }
    let end = state.furtherShapes > 0 ? neighbours.count : Int(neighbours.starts[row + 1])
    for k in 0..<end where neighbours.touches[k] & 1 != 0 {
      let lower = ownerRow(Int(neighbours.lower[k]))
      let upper = ownerRow(Int(neighbours.upper[k]))
      guard lower == row || upper == row else { continue }
      let slot = Int(bodies.slots[lower == row ? upper : lower])
      guard slot >= 0 else { continue }
      action(bodyID(ofSlot: slot), force(neighbours.impulses[k]))
    }
  }

  /// Calls `action` for each piece of a boundary that touches a row, with the force between them.
  fileprivate func forEachTouchingEdge(ofRow row: Int, _ action: (BoundaryID, Float) -> Void) {
    for k in 0..<edgePairs.count
    where ownerRow(Int(edgePairs[k].row)) == row && edgePairs[k].touch & 1 != 0 {
      assert(edges[Int(edgePairs[k].edge)].exists, "pairs go with their boundaries")
      action(edges[Int(edgePairs[k].edge)].id, force(edgePairs[k].impulse))
    }
  }

  private func force(_ impulse: Lanes) -> Float { (impulse.x + impulse.z) * stepsPerSecond }
}
