extension WorldStorage {
  /// Becomes the world that `save` wrote, in the memory that is there. Everything is checked on the
  /// way in: indices against counts, numbers against their ranges, lengths against the bytes that
  /// are there. Half a world is left behind where that fails.
  func restore(_ input: inout SnapshotReader) throws(PhysicsError) {
    guard try input.take(UInt32.self) == Self.snapshotMark else { throw .malformedSnapshot }
    let canonical = try input.flag()
    clear()
    configuration = try WorldConfiguration(&input)
    now.tick = try input.take(UInt64.self)
    now.gravity = try input.vector()
    now.largestSpeed = try input.number()
    now.isRestored = true
    guard now.gravity.length <= PhysicsLimit.acceleration * 1.001, now.largestSpeed >= 0
    else { throw .malformedSnapshot }
    try restoreTables(&input)
    try restoreBodies(&input)
    try restoreEdges(&input)
    try restoreJoints(&input)
    try restoreEvents(&input)
    if now.sleeperCount > 0 { try checkIslands() }
    if canonical {
      try restoreTouches(&input)
    } else {
      try restoreCaches(&input)
    }
    guard input.offset == input.bytes.count else { throw .malformedSnapshot }
    assert(neighboursAreInOrder)
    assert(edgePairsAreSound)
    assert(sleepersAreCounted)
  }

  private func restoreTables(_ input: inout SnapshotReader) throws(PhysicsError) {
    let shapes = try input.count(ofSize: 14, limit: 65_536)
    for k in 0..<shapes { shapeTable.restore(try Shape(&input), at: k) }
    let properties = try input.count(ofSize: 34, limit: 65_536)
    for k in 0..<properties { propertyTable.restore(try BodyProperties(&input), at: k) }
  }

  private func restoreEdges(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 1, limit: PhysicsLimit.boundaryPieces)
    edges.reserve(count)
    for _ in 0..<count {
      let flags = try input.take(UInt8.self)
      guard flags < 32 else { throw .malformedSnapshot }
      var edge = EdgeRecord()
      edge.exists = flags & 1 != 0
      if edge.exists {
        edge.isHalfPlane = flags & 2 != 0
        edge.isJoinedAtA = flags & 4 != 0
        edge.isJoinedAtB = flags & 8 != 0
        edge.hasSiblings = flags & 16 != 0
        edge.id = BoundaryID(try input.take(Int32.self))
        edge.collisionGroup = try input.take(UInt32.self)
        edge.a = try input.vector()
        edge.b = try input.vector()
        edge.normal = try input.vector()
        edge.length = try input.number()
        if edge.isJoinedAtA { edge.beforeA = try input.vector() }
        if edge.isJoinedAtB { edge.afterB = try input.vector() }
        guard edge.isSound else { throw .malformedSnapshot }
      }
      edges.append(edge)
    }
  }

  private func restoreEvents(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 25, limit: 1 << 20)
    for _ in 0..<count {
      let slot = try input.take(UInt16.self)
      guard slot < slots.count else { throw .malformedSnapshot }
      let id = BodyID(slot: slot, generation: try input.take(UInt16.self))
      let other: ContactPartner
      if try input.flag() {
        other = .boundary(BoundaryID(try input.take(Int32.self)))
      } else {
        let slot = try input.take(UInt16.self)
        guard slot < slots.count else { throw .malformedSnapshot }
        other = .body(BodyID(slot: slot, generation: try input.take(UInt16.self)))
      }
      let point = try input.vector()
      pendingEnded.append(
        ContactEvent(body: id, other: other, point: point, normal: try input.vector()))
    }
  }

  private func restoreCaches(_ input: inout SnapshotReader) throws(PhysicsError) {
    now.listsAreValid = try input.flag()
    now.listedSweep = try input.number()
    guard !now.listsAreValid || bodies.rowCount == slots.bodyCount, now.listedSweep >= 0,
      now.listedSweep <= Self.longestSweep
    else {
      throw .malformedSnapshot
    }
    try input.require(12 * bodies.rowCount)
    input.copy(to: bodies.wayMiddles.base, count: bodies.rowCount)
    input.copy(to: bodies.wayRadii.base, count: bodies.rowCount)
    for row in 0..<bodies.rowCount {
      guard magnitude(bodies.wayMiddles[row].x) <= SnapshotLimit.place,
        magnitude(bodies.wayMiddles[row].y) <= SnapshotLimit.place,
        bodies.wayRadii[row] >= 0, bodies.wayRadii[row] <= Lookup.mostSweep
      else { throw .malformedSnapshot }
    }
    try restoreNeighbours(&input)
    try restoreEdgePairs(&input)
    restIdleRow()
    now.splitIsStale = now.listsAreValid
  }

  private func restoreNeighbours(_ input: inout SnapshotReader) throws(PhysicsError) {
    let rows = try input.count(ofSize: 2, limit: bodies.rowCount)
    let count = try input.count(ofSize: 3, limit: 1 << 24)
    try input.require(2 * rows + 3 * count)
    neighbours.rows = rows
    neighbours.count = count
    neighbours.reserve(pairs: count)
    neighbours.starts.reserve(rows + 2)
    let lengths = input.block(of: UInt16.self, count: rows)
    let others = input.block(of: UInt16.self, count: count)
    let codes = input.block(of: UInt8.self, count: count)
    let (lower, upper) = (neighbours.lower.base, neighbours.upper.base)
    let (touches, impulses) = (neighbours.touches.base, neighbours.impulses.base)
    var k = 0
    var isSound = true
    for row in 0..<rows {
      neighbours.starts[row] = Int32(k)
      let end = k + Int(lengths[row])
      guard end <= count else { throw .malformedSnapshot }
      while k < end {
        let (other, code) = (Int(others[k]), codes[k])
        isSound = isSound && other > row && other < rows && code < 6
        lower[k] = Int32(row)
        upper[k] = Int32(other)
        touches[k] = code & 1
        impulses[k] = try input.impulse(code)
        k += 1
      }
    }
    neighbours.starts[rows] = Int32(k)
    guard isSound, k == count else { throw .malformedSnapshot }
    var check = ImpulseCheck()
    for k in 0..<count { check.add(impulses[k]) }
    guard check.passes(lightest: now.lightest) else { throw .malformedSnapshot }
  }

  private func restoreEdgePairs(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 5, limit: 1 << 24)
    var check = ImpulseCheck()
    for _ in 0..<count {
      let row = Int(try input.take(UInt16.self))
      let (edge, touch, impulse) = try restoreMemory(&input)
      guard row < neighbours.rows, edge < edges.count, edges[edge].exists else {
        throw .malformedSnapshot
      }
      check.add(impulse)
      edgePairs.append(
        EdgePair(
          row: Int32(row), edge: Int32(edge), side: touch & 8 != 0 ? -1 : 1, touch: touch & 1,
          impulse: impulse))
    }
    guard check.passes(lightest: now.lightest) else { throw .malformedSnapshot }
    edgePairs.chain(rows: bodies.rowCount)
  }

  private func restoreMemory(
    _ input: inout SnapshotReader
  ) throws(PhysicsError) -> (other: Int, touch: UInt8, impulse: Lanes) {
    try input.require(3)
    let other = Int(input.next(UInt16.self))
    let code = input.next(UInt8.self)
    guard code < 16, code & SavedImpulse.mask != SavedImpulse.mask else {
      throw .malformedSnapshot
    }
    return (other, code & 9, try input.impulse(code & SavedImpulse.mask))
  }

  /// Looks the neighbours up as `dropCaches` did, and reads what they remember.
  private func restoreTouches(_ input: inout SnapshotReader) throws(PhysicsError) {
    guard bodies.rowCount == slots.bodyCount else { throw .malformedSnapshot }
    restIdleRow()
    if bodies.rowCount > 0 { lookUpNeighbours(inOrderOfSlots: true) }
    let count = try input.count(ofSize: 1, limit: 1 << 24)
    guard count == neighbours.count else { throw .malformedSnapshot }
    let codes = input.block(of: UInt8.self, count: count)
    let edgeCount = try input.count(ofSize: 1, limit: 1 << 24)
    guard edgeCount == edgePairs.count else { throw .malformedSnapshot }
    let edgeCodes = input.block(of: UInt8.self, count: edgeCount)
    var check = ImpulseCheck()
    for k in 0..<count {
      guard codes[k] < 6 else { throw .malformedSnapshot }
      neighbours.touches[k] = codes[k] & 1
      neighbours.impulses[k] = try input.shortImpulse(codes[k] & SavedImpulse.mask)
      check.add(neighbours.impulses[k])
    }
    for k in 0..<edgeCount {
      let code = edgeCodes[k] & SavedImpulse.mask
      guard edgeCodes[k] < 16, code != SavedImpulse.mask else { throw .malformedSnapshot }
      edgePairs[k].touch = edgeCodes[k] & 1
      edgePairs[k].side = edgeCodes[k] & 8 != 0 ? -1 : 1
      edgePairs[k].impulse = try input.shortImpulse(code)
      check.add(edgePairs[k].impulse)
    }
    guard check.passes(lightest: now.lightest) else { throw .malformedSnapshot }
    now.isCanonical = true
  }

  /// Every sleeping group must be a circle of sleeping bodies.
  private func checkIslands() throws(PhysicsError) {
    groups.parents.reserve(slots.count)
    let entered = groups.parents.base
    entered.update(repeating: 0, count: slots.count)
    for slot in 0..<slots.count where slots[slot].exists && slots[slot].isAsleep {
      let next = Int(slots[slot].islandNext)
      guard next < slots.count, slots[next].exists, slots[next].isAsleep, entered[next] == 0 else {
        throw .malformedSnapshot
      }
      entered[next] = 1
    }
  }

}

/// Whether impulses are numbers, and none would throw the lightest body out of what numbers can
/// tell.
private struct ImpulseCheck {
  private var largest = Lanes.zero
  private var doubt = Lanes.zero

  @inline(__always)
  mutating func add(_ impulse: Lanes) {
    // Nothing but a number is 0 times itself.
    doubt += impulse - impulse
    largest = most(largest, magnitude(impulse))
  }

  func passes(lightest: Float) -> Bool {
    let worst = most(largest, Lanes(largest.z, largest.w, largest.x, largest.y))
    let push = (worst.x > worst.y ? worst.x : worst.y) * lightest
    return doubt == .zero && push <= SnapshotLimit.push
  }
}
