extension WorldStorage {
  /// Becomes the world that `save` wrote, in the memory that is there. Everything is checked on the
  /// way in: indices against counts, numbers against their ranges, lengths against the bytes that
  /// are there. Half a world is left behind where that fails.
  func restore(_ input: inout SnapshotReader) throws(PhysicsError) {
    guard try input.take(UInt32.self) == Self.snapshotMark else { throw .malformedSnapshot }
    let canonical = try input.flag()
    clear()
    configuration = try WorldConfiguration(&input)
    tick = try input.take(UInt64.self)
    gravity = try input.vector()
    largestMove = try input.number()
    largestSpeed = try input.number()
    guard gravity.lengthSquared <= 1e18, largestMove >= 0, largestSpeed >= 0 else {
      throw .malformedSnapshot
    }
    try restoreTables(&input)
    try restoreBodies(&input)
    try restoreEdges(&input)
    try restoreJoints(&input)
    try restoreEvents(&input)
    if sleeperCount > 0 { try checkIslands() }
    if canonical {
      try restoreTouches(&input)
    } else {
      try restoreCaches(&input)
    }
    guard input.offset == input.bytes.count else { throw .malformedSnapshot }
  }

  /// Forgets everything but the memory.
  private func clear() {
    shapeTable.clear()
    propertyTable.clear()
    (slotCount, bodyCount, rowCount, edgeCount, jointCount) = (0, 0, 0, 0, 0)
    (dampedCount, scaledCount, filteredCount, elasticCount) = (0, 0, 0, 0)
    (sleeperCount, jointsThatMute) = (0, 0)
    (neighbours.count, neighbours.rows, formerNeighbours.count) = (0, 0, 0)
    (edgePairs.count, formerEdgePairs.count, formerRowCount) = (0, 0, 0)
    // Nothing may be found of the life that this memory had before.
    (edgePairs.chainedRows, formerEdgePairs.chainedRows) = (0, 0)
    (listsAreValid, splitIsStale, isCanonical, activeRows) = (false, false, false, 0)
    span = PhysicsWorld.tickLength
    grid.radiiAreStale = true
    events.began.removeAll(keepingCapacity: true)
    events.ended.removeAll(keepingCapacity: true)
    pendingEnded.removeAll(keepingCapacity: true)
  }

  private func restoreTables(_ input: inout SnapshotReader) throws(PhysicsError) {
    let shapes = try input.count(ofSize: 14, limit: 65_536)
    for k in 0..<shapes { shapeTable.restore(try Shape(&input), at: k) }
    let properties = try input.count(ofSize: 34, limit: 65_536)
    for k in 0..<properties { propertyTable.restore(try BodyProperties(&input), at: k) }
  }

  private func restoreEdges(_ input: inout SnapshotReader) throws(PhysicsError) {
    edgeCount = try input.count(ofSize: 1, limit: 65_535)
    edges.reserve(edgeCount)
    for e in 0..<edgeCount {
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
        guard edge.isSound else { throw .malformedSnapshot }
        if edge.isJoinedAtA { edge.beforeA = try input.vector() }
        if edge.isJoinedAtB { edge.afterB = try input.vector() }
      }
      edges[e] = edge
    }
  }

  private func restoreEvents(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 25, limit: 1 << 20)
    for _ in 0..<count {
      let slot = try input.take(UInt16.self)
      let id = BodyID(slot: slot, generation: try input.take(UInt16.self))
      let other: ContactPartner
      if try input.flag() {
        other = .boundary(BoundaryID(try input.take(Int32.self)))
      } else {
        let slot = try input.take(UInt16.self)
        other = .body(BodyID(slot: slot, generation: try input.take(UInt16.self)))
      }
      let point = try input.vector()
      pendingEnded.append(
        ContactEvent(body: id, other: other, point: point, normal: try input.vector()))
    }
  }

  private func restoreCaches(_ input: inout SnapshotReader) throws(PhysicsError) {
    listsAreValid = try input.flag()
    listedSweep = try input.number()
    guard !listsAreValid || rowCount == bodyCount, listedSweep >= 0, listedSweep <= 60 else {
      throw .malformedSnapshot
    }
    try input.require(8 * rowCount)
    input.copy(to: origins.base, count: rowCount)
    for row in 0..<rowCount {
      guard magnitude(origins[row].x) <= SnapshotLimit.place,
        magnitude(origins[row].y) <= SnapshotLimit.place
      else { throw .malformedSnapshot }
    }
    try restoreNeighbours(&input)
    try restoreEdgePairs(&input)
    restIdleRow()
    splitIsStale = listsAreValid
  }

  private func restoreNeighbours(_ input: inout SnapshotReader) throws(PhysicsError) {
    let rows = try input.count(ofSize: 2, limit: rowCount)
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
    guard isSound, k == count, areBearable(impulses, count) else { throw .malformedSnapshot }
  }

  /// Whether impulses are numbers, and none would throw the lightest body out of what numbers can
  /// tell.
  private func areBearable(_ impulses: UnsafeMutablePointer<Lanes>, _ count: Int) -> Bool {
    var largest = Lanes.zero
    var doubt = Lanes.zero
    for k in 0..<count {
      // Nothing but a number is 0 times itself.
      doubt += impulses[k] - impulses[k]
      largest = most(largest, magnitude(impulses[k]))
    }
    let worst = most(largest, Lanes(largest.z, largest.w, largest.x, largest.y))
    let push = (worst.x > worst.y ? worst.x : worst.y) * lightest
    return doubt == .zero && push <= SnapshotLimit.push
  }

  private func restoreEdgePairs(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 5, limit: 1 << 24)
    edgePairs.reserve(count)
    edgePairs.count = count
    for k in 0..<count {
      let row = Int(try input.take(UInt16.self))
      let (edge, touch, impulse) = try restoreMemory(&input)
      guard row < neighbours.rows, edge < edgeCount, edges[edge].exists else {
        throw .malformedSnapshot
      }
      edgePairs.rows[k] = Int32(row)
      edgePairs.edges[k] = Int32(edge)
      edgePairs.touches[k] = touch & 1
      edgePairs.sides[k] = touch & 8 != 0 ? -1 : 1
      edgePairs.impulses[k] = impulse
    }
    guard areBearable(edgePairs.impulses.base, count) else { throw .malformedSnapshot }
    edgePairs.chain(rows: rowCount)
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

  /// Looks the neighbours up as `dropCaches` did, and marks what touches.
  private func restoreTouches(_ input: inout SnapshotReader) throws(PhysicsError) {
    guard rowCount == bodyCount else { throw .malformedSnapshot }
    for row in 0..<rowCount { origins[row] = SIMD2(poses[row].x, poses[row].y) }
    restIdleRow()
    if rowCount > 0 { lookUpNeighbours(inOrderOfSlots: true) }
    let touching = try input.count(ofSize: 4, limit: 1 << 24)
    for _ in 0..<touching {
      let a = Int(input.next(UInt16.self))
      let b = Int(input.next(UInt16.self))
      guard a < slotCount, b < slotCount, slots[a].exists, slots[b].exists,
        markTouching(slots: a, b)
      else { throw .malformedSnapshot }
    }
    let count = try input.count(ofSize: 5, limit: 1 << 24)
    guard count == edgePairs.count else { throw .malformedSnapshot }
    for k in 0..<count {
      let slot = Int(input.next(UInt16.self))
      let edge = Int(input.next(UInt16.self))
      let touch = input.next(UInt8.self)
      guard slot == Int(rowSlots[Int(edgePairs.rows[k])]), edge == Int(edgePairs.edges[k]) else {
        throw .malformedSnapshot
      }
      edgePairs.touches[k] = touch & 1
      edgePairs.sides[k] = touch & 8 != 0 ? -1 : 1
      edgePairs.impulses[k] = .zero
    }
    isCanonical = true
  }

  private func markTouching(slots a: Int, _ b: Int) -> Bool {
    let (rowA, rowB) = (Int(slots[a].row), Int(slots[b].row))
    let (lower, upper) = rowA < rowB ? (rowA, rowB) : (rowB, rowA)
    for k in Int(neighbours.starts[lower])..<Int(neighbours.starts[lower + 1])
    where Int(neighbours.upper[k]) == upper {
      neighbours.touches[k] = 1
      return true
    }
    return false
  }

  /// Every sleeping group must be a circle of sleeping bodies.
  private func checkIslands() throws(PhysicsError) {
    groups.reserve(slotCount)
    let entered = groups.base
    entered.update(repeating: 0, count: slotCount)
    for slot in 0..<slotCount where slots[slot].exists && slots[slot].isAsleep {
      let next = Int(slots[slot].islandNext)
      guard next < slotCount, slots[next].exists, slots[next].isAsleep, entered[next] == 0 else {
        throw .malformedSnapshot
      }
      entered[next] = 1
    }
  }
}
