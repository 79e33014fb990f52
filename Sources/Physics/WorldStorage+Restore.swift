extension WorldStorage {
  /// The world that `save` wrote. Everything is checked on the way in: indices against counts,
  /// numbers against their ranges, lengths against the bytes that are there.
  static func restored(_ input: inout SnapshotReader) throws(PhysicsError) -> WorldStorage {
    guard try input.take(UInt32.self) == snapshotMark else { throw .malformedSnapshot }
    let canonical = try input.flag()
    let world = WorldStorage(try WorldConfiguration(&input))
    world.tick = try input.take(UInt64.self)
    world.gravity = try input.vector()
    world.largestMove = try input.number()
    world.largestSpeed = try input.number()
    try world.restoreTables(&input)
    try world.restoreSlots(&input)
    try world.restoreEdges(&input)
    try world.restoreJoints(&input)
    try world.restoreEvents(&input)
    if canonical {
      try world.restoreTouches(&input)
    } else {
      try world.restoreCaches(&input)
    }
    try world.checkIslands()
    guard input.offset == input.bytes.count else { throw .malformedSnapshot }
    return world
  }

  private func restoreTables(_ input: inout SnapshotReader) throws(PhysicsError) {
    let shapes = try input.count(ofSize: 14, limit: 65_536)
    for k in 0..<shapes { shapeTable.restore(try Shape(&input), at: k) }
    let properties = try input.count(ofSize: 34, limit: 65_536)
    for k in 0..<properties { propertyTable.restore(try BodyProperties(&input), at: k) }
  }

  /// Slots, with rows in the order of the slots for now.
  private func restoreSlots(_ input: inout SnapshotReader) throws(PhysicsError) {
    slotCount = try input.count(ofSize: 3, limit: WorldConfiguration.hardCapacity)
    forcesAreSet = try input.flag()
    reserve(slots: slotCount + 8)
    for slot in 0..<slotCount {
      try input.require(3)
      slots[slot] = SlotRecord(generation: input.next(UInt16.self))
      let flags = input.next(UInt8.self)
      guard flags < 8 else { throw .malformedSnapshot }
      if flags & 1 != 0 { try restoreBody(&input, slot, flags) }
    }
    guard bodyCount <= configuration.capacity else { throw .malformedSnapshot }
    restIdleRow()
  }

  private func restoreBody(
    _ input: inout SnapshotReader, _ slot: Int, _ flags: UInt8
  ) throws(PhysicsError) {
    let row = rowCount
    try input.require(9)
    var record = slots[slot]
    record.row = Int32(row)
    record.isAsleep = flags & 2 != 0
    record.hasJumped = flags & 4 != 0
    record.restTicks = input.next(UInt8.self)
    record.shape = input.next(UInt16.self)
    record.properties = input.next(UInt16.self)
    record.userData = input.next(UInt32.self)
    record.islandNext = record.isAsleep ? try input.take(UInt16.self) : 0
    guard Int(record.shape) < shapeTable.count, Int(record.properties) < propertyTable.count else {
      throw .malformedSnapshot
    }
    slots[slot] = record
    shapeTable.use(record.shape)
    propertyTable.use(record.properties)
    let p = properties(ofSlot: slot)
    dampedCount += p.isDamped ? 1 : 0
    scaledCount += p.isScaled ? 1 : 0
    filteredCount += p.isFiltered ? 1 : 0
    sleeperCount += record.isAsleep ? 1 : 0
    rowSlots[row] = Int32(slot)
    try input.require(28)
    poses[row] = input.next(Lanes.self)
    let (x, y, spin) = (input.next(Float.self), input.next(Float.self), input.next(Float.self))
    motions[2 * row] = Lanes(x, y, spin, 0)
    guard (poses[row] - poses[row] + motions[2 * row] - motions[2 * row]) == Lanes.zero else {
      throw .malformedSnapshot
    }
    origins[row] = SIMD2(poses[row].x, poses[row].y)
    motions[2 * row + 1] = .zero
    forces[slot] = .zero
    if forcesAreSet {
      for lane in 0..<4 { forces[slot][lane] = try input.number() }
    }
    rowCount += 1
    bodyCount += 1
    refresh(slot)
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
    try restoreRows(&input)
    neighbours.rows = try input.count(ofSize: 2, limit: rowCount)
    neighbours.count = try input.count(ofSize: 3, limit: 1 << 24)
    neighbours.reserve(pairs: neighbours.count)
    neighbours.starts.reserve(neighbours.rows + 2)
    neighbours.starts[0] = 0
    var k = 0
    for row in 0..<neighbours.rows {
      let end = k + Int(try input.take(UInt16.self))
      guard end <= neighbours.count else { throw .malformedSnapshot }
      while k < end {
        neighbours.lower[k] = Int32(row)
        k += 1
      }
      neighbours.starts[row + 1] = Int32(k)
    }
    guard k == neighbours.count else { throw .malformedSnapshot }
    for k in 0..<neighbours.count {
      let (other, touch, impulse) = try restoreMemory(&input)
      guard other < neighbours.rows, Int32(other) > neighbours.lower[k], touch < 2 else {
        throw .malformedSnapshot
      }
      neighbours.upper[k] = Int32(other)
      neighbours.touches[k] = touch
      neighbours.impulses[k] = impulse
    }
    try restoreEdgePairs(&input)
    restIdleRow()
    if listsAreValid { splitPairs() }
  }

  /// Puts the bodies into the rows that they had; −1 stands for one that was removed since.
  private func restoreRows(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 10, limit: 4 * WorldConfiguration.hardCapacity)
    guard count >= bodyCount, !listsAreValid || count == bodyCount else {
      throw .malformedSnapshot
    }
    reserve(slots: count + 8)
    rowCount = count
    for slot in 0..<slotCount where slots[slot].exists { slots[slot].row = -2 }
    let (savedPoses, savedMotions) = (poses.copy(), motions.copy())
    defer {
      savedPoses.free()
      savedMotions.free()
    }
    var bySlot = [Int](repeating: 0, count: slotCount)
    for row in 0..<bodyCount { bySlot[Int(rowSlots[row])] = row }
    var found = 0
    for row in 0..<count {
      let slot = Int(input.next(UInt16.self))
      let (x, y) = (input.next(Float.self), input.next(Float.self))
      guard x.isFinite, y.isFinite else { throw .malformedSnapshot }
      origins[row] = SIMD2(x, y)
      motions[2 * row] = .zero
      motions[2 * row + 1] = .zero
      spareSlots[row] = -1
      guard slot != 0xFFFF else { continue }
      guard slot < slotCount, slots[slot].row == -2 else { throw .malformedSnapshot }
      poses[row] = savedPoses[bySlot[slot]]
      motions[2 * row] = savedMotions[2 * bySlot[slot]]
      spareSlots[row] = Int32(slot)
      slots[slot].row = Int32(row)
      found += 1
    }
    guard found == bodyCount else { throw .malformedSnapshot }
    swap(&rowSlots, &spareSlots)
    for row in 0..<count where rowSlots[row] >= 0 { refresh(Int(rowSlots[row])) }
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
    edgePairs.chain(rows: rowCount)
  }

  @inline(__always)
  private func restoreMemory(
    _ input: inout SnapshotReader
  ) throws(PhysicsError) -> (other: Int, touch: UInt8, impulse: Lanes) {
    try input.require(3)
    let other = Int(input.next(UInt16.self))
    let code = input.next(UInt8.self)
    guard code < 16, code & 6 != 6 else { throw .malformedSnapshot }
    var impulse = Lanes.zero
    if code & 6 != 0 {
      impulse.x = try input.number()
      impulse.y = try input.number()
    }
    if code & 4 != 0 {
      impulse.z = try input.number()
      impulse.w = try input.number()
    }
    return (other, code & 9, impulse)
  }

  /// Looks the neighbours up as `dropCaches` did, and marks what touches.
  private func restoreTouches(_ input: inout SnapshotReader) throws(PhysicsError) {
    lookUpNeighbours()
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
    var entered = [Bool](repeating: false, count: slotCount)
    for slot in 0..<slotCount where slots[slot].exists && slots[slot].isAsleep {
      let next = Int(slots[slot].islandNext)
      guard next < slotCount, slots[next].exists, slots[next].isAsleep, !entered[next] else {
        throw .malformedSnapshot
      }
      entered[next] = true
    }
  }
}
