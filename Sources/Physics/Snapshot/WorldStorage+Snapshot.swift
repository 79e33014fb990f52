extension WorldStorage {
  /// Marks the beginning of a snapshot and the version of its layout.
  static let snapshotMark: UInt32 = 0x5350_0005

  /// Bits of the byte behind the mark.
  private enum HeadFlag {
    static let isCanonical: UInt8 = 1
    static let hasSensorOverlaps: UInt8 = 2
    /// Shapes that bodies have are left out, because they follow from the bodies' numbers.
    static let leavesOutShapes: UInt8 = 4
  }

  /// At most this many bytes are written by `save`, and touched behind them.
  var savedSizeLimit: Int {
    let tables =
      shapeTable.count * BodyShape.savedSize + propertyTable.count * BodyProperties.savedSize
    let places = slots.count * (state.forcesAreSet ? 32 : 16) + bodies.rowCount * 44
    let pairs = neighbours.count * 20 + neighbours.rows * 4 + edgePairs.count * 24
    return 256 + tables + places + pairs + edges.count * 76 + joints.count * 140
      + pendingEnded.count * 32 + sensorOverlaps.count * 12
  }

  /// The whole state. After `dropCaches` the neighbours can be looked up again instead of saved.
  /// - Parameter leavesOutShapes: whether who restores can tell each body's shape, of which it has
  ///   one, from its number.
  func save<Sink: SnapshotSink>(_ out: inout Sink, leavesOutShapes: Bool = false) {
    assert(rowsMatchSlots)
    assert(!leavesOutShapes || state.furtherShapes == 0, "a number tells one shape")
    out.put(Self.snapshotMark)
    out.put(
      (state.isCanonical ? HeadFlag.isCanonical : 0)
        | (sensorOverlaps.isEmpty ? 0 : HeadFlag.hasSensorOverlaps)
        | (leavesOutShapes ? HeadFlag.leavesOutShapes : 0))
    configuration.save(&out)
    out.put(state.tick)
    out.put(state.gravity)
    out.put(state.largestSpeed)
    saveShapes(&out, leavesOut: leavesOutShapes)
    out.put(UInt32(propertyTable.count))
    for k in 0..<propertyTable.count { propertyTable.values[k].save(&out) }
    saveBodies(&out)
    saveEdges(&out)
    saveJoints(&out)
    saveEvents(&out)
    saveSensorOverlaps(&out)
    if state.isCanonical { saveTouches(&out) } else { saveCaches(&out) }
  }

  /// The shapes by number. Those that bodies have may be left out; those that they had are not.
  private func saveShapes<Sink: SnapshotSink>(_ out: inout Sink, leavesOut: Bool) {
    out.put(UInt32(shapeTable.count))
    for k in 0..<shapeTable.count {
      if leavesOut {
        out.put(shapeTable.uses[k] > 0)
        if shapeTable.uses[k] > 0 { continue }
      }
      shapeTable.values[k].save(&out)
    }
  }

  private func saveEdges<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(UInt32(edges.count))
    for e in 0..<edges.count {
      let edge = edges[e]
      let joints: UInt8 = (edge.isJoinedAtA ? 4 : 0) | (edge.isJoinedAtB ? 8 : 0)
      let kind: UInt8 = (edge.isHalfPlane ? 2 : 0) | (edge.hasSiblings ? 16 : 0)
      let nature: UInt8 = (edge.hasMaterial ? 32 : 0) | (edge.isOneWay ? 64 : 0)
      out.put((edge.exists ? 1 : 0) | kind | joints | nature)
      guard edge.exists else { continue }
      out.put(edge.id.value)
      out.put(edge.collisionGroup)
      out.put(edge.a)
      out.put(edge.b)
      out.put(edge.normal)
      out.put(edge.length)
      if edge.isJoinedAtA { out.put(edge.beforeA) }
      if edge.isJoinedAtB { out.put(edge.afterB) }
      if edge.hasMaterial {
        out.put(edge.friction)
        out.put(edge.restitution)
      }
    }
  }

  private func saveEvents<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(UInt32(pendingEnded.count))
    for event in pendingEnded {
      out.put(event.body.slot)
      out.put(event.body.generation)
      event.other.save(&out)
      out.put(event.point)
      out.put(event.normal)
    }
  }
}

extension WorldStorage {
  /// Becomes the world that `save` wrote, in the memory that is there. Everything is checked on the
  /// way in: indices against counts, numbers against their ranges, lengths against the bytes that
  /// are there. Half a world is left behind where that fails.
  /// - Parameters:
  ///   - leavesOutShapes: as `save` was told.
  ///   - shapeOf: the shape of a body of this number, where shapes were left out; nil for a number
  ///     that no body can have.
  func restore(
    _ input: inout SnapshotReader, leavesOutShapes: Bool = false,
    shapeOf: (UInt32) -> BodyShape? = { _ in nil }
  ) throws(PhysicsError) {
    guard try input.take(UInt32.self) == Self.snapshotMark else { throw .malformedSnapshot }
    let flags = try input.take(UInt8.self)
    guard flags < 8, (flags & HeadFlag.leavesOutShapes != 0) == leavesOutShapes else {
      throw .malformedSnapshot
    }
    let canonical = flags & HeadFlag.isCanonical != 0
    clear()
    configuration = try WorldConfiguration(&input)
    state.tick = try input.take(UInt64.self)
    state.gravity = try input.vector()
    state.largestSpeed = try input.number()
    state.isRestored = true
    guard state.gravity.length <= PhysicsLimit.acceleration * 1.001, state.largestSpeed >= 0
    else { throw .malformedSnapshot }
    try restoreTables(&input, leavesOutShapes)
    try restoreBodies(&input, leavesOutShapes, shapeOf)
    try restoreEdges(&input)
    try restoreJoints(&input)
    try restoreEvents(&input)
    if flags & HeadFlag.hasSensorOverlaps != 0 { try restoreSensorOverlaps(&input) }
    if state.sleeperCount > 0 { try checkIslands() }
    guard state.furtherShapes == 0 || shapesSleepTogether else { throw .malformedSnapshot }
    if canonical {
      try restoreTouches(&input)
    } else {
      try restoreCaches(&input)
    }
    guard input.isAtEnd, state.furtherShapes == 0 || shapesAreApart else {
      throw .malformedSnapshot
    }
    assert(neighboursAreInOrder)
    assert(edgePairsAreSound)
    assert(sleepersAreCounted)
  }

  private func restoreTables(
    _ input: inout SnapshotReader, _ leavesOutShapes: Bool
  ) throws(PhysicsError) {
    let shapes = try input.count(ofSize: leavesOutShapes ? 1 : 14, limit: 65_536)
    for k in 0..<shapes {
      if leavesOutShapes, try input.flag() {
        shapeTable.awaitValue(at: k)
      } else {
        shapeTable.restore(try BodyShape(&input), at: k)
      }
    }
    let properties = try input.count(ofSize: 34, limit: 65_536)
    for k in 0..<properties { propertyTable.restore(try BodyProperties(&input), at: k) }
  }

  private func restoreEdges(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 1, limit: PhysicsLimit.boundaryPieces)
    edges.reserve(count)
    for _ in 0..<count {
      let flags = try input.take(UInt8.self)
      guard flags < 128 else { throw .malformedSnapshot }
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
        edge.isOneWay = flags & 64 != 0
        if flags & 32 != 0 {
          edge.friction = try input.number()
          edge.restitution = try input.number()
          guard edge.hasMaterial, edge.isMaterialInOrder else { throw .malformedSnapshot }
        }
        guard edge.isSound else { throw .malformedSnapshot }
        state.edgesWithMaterial += edge.hasMaterial ? 1 : 0
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
      let other = try ContactPartner(&input, slots: slots.count)
      let point = try input.vector()
      pendingEnded.append(
        ContactEvent(body: id, other: other, point: point, normal: try input.vector()))
    }
  }

  private func restoreCaches(_ input: inout SnapshotReader) throws(PhysicsError) {
    state.listsAreValid = try input.flag()
    state.listedSweep = try input.number()
    guard !state.listsAreValid || bodies.rowCount == slots.bodyCount, state.listedSweep >= 0,
      state.listedSweep <= Self.longestSweep
    else {
      throw .malformedSnapshot
    }
    try restoreSweeps(&input)
    try restoreNeighbours(&input)
    try restoreEdgePairs(&input)
    restIdleRow()
    state.splitIsStale = state.listsAreValid
  }

  private func restoreSweeps(_ input: inout SnapshotReader) throws(PhysicsError) {
    let (middles, radii) = (bodies.sweepMiddles.base, bodies.sweepRadii.base)
    try input.require(12 * bodies.rowCount)
    input.copy(to: middles, count: bodies.rowCount)
    input.copy(to: radii, count: bodies.rowCount)
    var isSound = true
    for row in 0..<bodies.rowCount {
      let isNear =
        magnitude(middles[row].x) <= SnapshotLimit.place
        && magnitude(middles[row].y) <= SnapshotLimit.place
      let isSmall = radii[row] >= 0 && radii[row] <= Lookup.mostSweep
      isSound = isSound && isNear && isSmall
    }
    guard isSound else { throw .malformedSnapshot }
  }

  private func restoreEdgePairs(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 5, limit: 1 << 24)
    let (records, edgeCount, rows) = (edges.base, edges.count, neighbours.rows)
    var check = ImpulseCheck()
    // In a variable of its own the reader stays in registers.
    var reader = input
    for _ in 0..<count {
      try reader.require(5)
      let row = Int(reader.next(UInt16.self))
      let edge = Int(reader.next(UInt16.self))
      let code = reader.next(UInt8.self)
      guard row < rows, edge < edgeCount, records[edge].exists, code < 16,
        code & SavedImpulse.mask != SavedImpulse.mask
      else { throw .malformedSnapshot }
      let impulse = try reader.impulse(code & SavedImpulse.mask)
      check.add(impulse)
      edgePairs.append(
        EdgePair(
          row: Int32(row), edge: Int32(edge), side: code & 8 != 0 ? -1 : 1, touch: code & 1,
          impulse: impulse))
    }
    input = reader
    guard check.passes(lightest: state.lightest) else { throw .malformedSnapshot }
    edgePairs.chain(rows: bodies.rowCount)
  }

  /// Looks the neighbours up as `dropCaches` did, and reads what they remember.
  private func restoreTouches(_ input: inout SnapshotReader) throws(PhysicsError) {
    guard bodies.rowCount == slots.bodyCount else { throw .malformedSnapshot }
    restIdleRow()
    let count = try input.count(ofSize: 1, limit: 1 << 24)
    let codes = input.block(of: UInt8.self, count: count)
    let edgeCount = try input.count(ofSize: 1, limit: 1 << 24)
    let edgeCodes = input.block(of: UInt8.self, count: edgeCount)
    if bodies.rowCount > 0 {
      mostPairs = PairCounts(ofBodies: count, ofEdges: edgeCount)
      defer { mostPairs = .any }
      guard lookUpNeighbours(inOrderOfSlots: true, split: false) else { throw .malformedSnapshot }
    }
    guard count == neighbours.count, edgeCount == edgePairs.count else { throw .malformedSnapshot }
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
    guard check.passes(lightest: state.lightest) else { throw .malformedSnapshot }
    state.isCanonical = true
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

/// Whether impulses are numbers, none pulls bodies together, and none would throw the lightest body
/// out of what numbers can tell.
struct ImpulseCheck {
  private var largest = Lanes.zero
  private var smallest = Lanes.zero
  private var doubt = Lanes.zero

  @inline(__always)
  mutating func add(_ impulse: Lanes) {
    // Nothing but a number is 0 times itself.
    doubt += impulse - impulse
    largest = most(largest, magnitude(impulse))
    smallest = least(smallest, impulse)
  }

  func passes(lightest: Float) -> Bool {
    let worst = most(largest, Lanes(largest.z, largest.w, largest.x, largest.y))
    let push = (worst.x > worst.y ? worst.x : worst.y) * lightest
    // Those along the normal; those across it have either sign.
    let pulls = smallest.x < 0 || smallest.z < 0
    return doubt == .zero && !pulls && push <= SnapshotLimit.push
  }
}
