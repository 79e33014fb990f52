/// The boundaries of a snapshot: the solver, their owners and the behaviours say the same of them.
/// Otherwise one would belong to nobody, and could neither be taken out nor make room for others.
extension Animator {
  mutating func linkBoundaries() throws(DynamicsError) {
    notes.pieces.resize(to: boundaryOwners.count, 0)
    guard world.countPieces(ofBoundaries: &notes.pieces) else { throw .malformedSnapshot }
    let listed = try numberBoundaries()
    var owned = 0
    for number in 0..<boundaryOwners.count {
      let pieces = Int(notes.pieces[number])
      guard boundaryOwners[number].life == .alive else {
        guard pieces == 0 else { throw .malformedSnapshot }
        continue
      }
      try link(boundaryOwners[number], pieces)
      owned += 1
    }
    // None is owned twice, so if they are as many, each is owned.
    guard owned == listed else { throw .malformedSnapshot }
  }

  /// Gives each behaviour's boundaries, and its reference bounds after them, marks of their own,
  /// none of which is set. Returns how many boundaries the behaviours list.
  private mutating func numberBoundaries() throws(DynamicsError) -> Int {
    notes.firstBoundaries.resize(to: behaviorRecords.count, 0)
    var (listed, marks) = (0, 0)
    for slot in order {
      guard case .collision(let value) = behaviorRecords[Int(slot)].value else { continue }
      notes.firstBoundaries[Int(slot)] = Int32(truncatingIfNeeded: marks)
      listed += value.entries.count + (value.referenceInsets == nil ? 0 : 1)
      marks += value.entries.count + 1
    }
    // Each has a piece at least.
    guard listed <= PhysicsLimit.boundaryPieces else { throw .malformedSnapshot }
    notes.clearMarks(marks)
    return listed
  }

  /// The behaviour lists the boundary, which has as many pieces there as in the solver and is met
  /// for the first time.
  private mutating func link(_ owner: BoundaryOwner, _ pieces: Int) throws(DynamicsError) {
    let slot = try place(owner.behavior)
    guard case .collision(let value) = behaviorRecords[slot].value else { throw .malformedSnapshot }
    var (place, listed) = (value.entries.count, value.referenceInsets == nil ? 0 : 4)
    if let id = owner.id {
      guard let found = value.place(of: id) else { throw .malformedSnapshot }
      (place, listed) = (found, value.entries[found].path.pieceCount)
    }
    let mark = Int(notes.firstBoundaries[slot]) + place
    guard listed > 0, pieces == listed, notes.marks[mark] == 0 else { throw .malformedSnapshot }
    notes.marks[mark] = 1
  }
}
