extension WorldStorage {
  /// Slots and rows as `saveBodies` wrote them.
  func restoreBodies(_ input: inout SnapshotReader) throws(PhysicsError) {
    slots.count = try input.count(ofSize: 3, limit: WorldConfiguration.hardCapacity)
    now.forcesAreSet = try input.flag()
    try input.require(3 * slots.count)
    let generations = input.block(of: UInt16.self, count: slots.count)
    let flags = input.block(of: UInt8.self, count: slots.count)
    bodies.rowCount = try input.count(
      ofSize: 30, limit: WorldConfiguration.hardCapacity + Self.mostEmptyRows)
    reserve(slots: (bodies.rowCount > slots.count ? bodies.rowCount : slots.count) + 8)
    for slot in 0..<slots.count {
      slots[slot] = SlotRecord(generation: generations[slot])
      guard flags[slot] < 8 else { throw .malformedSnapshot }
      slots[slot].isAsleep = flags[slot] & SlotFlag.isAsleep != 0
      slots[slot].hasJumped = flags[slot] & SlotFlag.hasJumped != 0
    }
    let owners = input.block(of: UInt16.self, count: bodies.rowCount)
    for row in 0..<bodies.rowCount {
      let slot = Int(owners[row])
      bodies.slots[row] = -1
      guard owners[row] != SlotFlag.noSlot else { continue }
      guard slot < slots.count, !slots[slot].exists, flags[slot] & SlotFlag.exists != 0 else {
        throw .malformedSnapshot
      }
      slots[slot].row = Int32(row)
      bodies.slots[row] = Int32(slot)
      slots.bodyCount += 1
    }
    var expected = 0
    for slot in 0..<slots.count { expected += Int(flags[slot] & SlotFlag.exists) }
    guard expected == slots.bodyCount, slots.bodyCount <= configuration.capacity else {
      throw .malformedSnapshot
    }
    assert(rowsMatchSlots)
    try restoreMotion(&input)
    try restoreRecords(&input)
  }

  private func restoreMotion(_ input: inout SnapshotReader) throws(PhysicsError) {
    let poses = bodies.poses.base
    input.copy(to: poses, count: bodies.rowCount)
    let velocities = input.block(of: Float.self, count: 3 * bodies.rowCount)
    let motions = bodies.motions.base
    var isWild = false
    for row in 0..<bodies.rowCount {
      let (x, y, spin) = (velocities[3 * row], velocities[3 * row + 1], velocities[3 * row + 2])
      motions[2 * row] = Lanes(x, y, spin, 0)
      motions[2 * row + 1] = .zero
      let pose = poses[row]
      let isTame =
        x * x + y * y <= SnapshotLimit.speed * SnapshotLimit.speed
        && magnitude(spin) <= PhysicsWorld.spinLimit && magnitude(pose.x) <= SnapshotLimit.place
        && magnitude(pose.y) <= SnapshotLimit.place
        && magnitude(pose.z * pose.z + pose.w * pose.w - 1) <= SnapshotLimit.skew
      isWild = isWild || !isTame
    }
    if isWild { throw .malformedSnapshot }
  }

  private func restoreRecords(_ input: inout SnapshotReader) throws(PhysicsError) {
    // For each shape the row that had it last: the next one with the same properties is its twin.
    groups.parents.reserve(shapeTable.count)
    let twins = groups.parents.base
    twins.update(repeating: -1, count: shapeTable.count)
    now.lightest = 0
    for row in 0..<bodies.rowCount where bodies.slots[row] >= 0 {
      let slot = Int(bodies.slots[row])
      try input.require(9)
      var record = slots[slot]
      record.restTicks = input.next(UInt8.self)
      record.shape = input.next(UInt16.self)
      record.properties = input.next(UInt16.self)
      record.userData = input.next(UInt32.self)
      let shape = Int(record.shape)
      guard shape < shapeTable.count, Int(record.properties) < propertyTable.count else {
        throw .malformedSnapshot
      }
      slots.forces[slot] = .zero
      if now.forcesAreSet { slots.forces[slot] = try input.push() }
      if record.isAsleep {
        record.islandNext = try input.take(UInt16.self)
        now.sleeperCount += 1
      }
      slots[slot] = record
      let twin = Int(twins[shape])
      if twin >= 0 && slots[Int(bodies.slots[twin])].properties == record.properties {
        resemble(row, twin)
      } else {
        refresh(slot)
      }
      twins[shape] = Int32(row)
      count(record)
    }
  }

  /// Counts a body's use of its shape and properties, and whether it needs more than the default's
  /// work.
  private func count(_ record: SlotRecord) {
    shapeTable.use(record.shape)
    propertyTable.use(record.properties)
    now.demands.count(properties(ofSlot: Int(bodies.slots[Int(record.row)])))
    let row = Int(record.row)
    now.lightest =
      bodies.motions[2 * row].w > now.lightest ? bodies.motions[2 * row].w : now.lightest
    now.lightest =
      bodies.motions[2 * row + 1].w > now.lightest ? bodies.motions[2 * row + 1].w : now.lightest
  }

  /// Gives a row the mass, form and material of one with the same shape and properties.
  private func resemble(_ row: Int, _ twin: Int) {
    assert(twin < row && bodies.slots[twin] >= 0)
    let mass = bodies.motions[2 * twin].w
    if mass == 0 { bodies.motions[2 * row] = .zero }
    bodies.motions[2 * row].w = mass
    bodies.motions[2 * row + 1].w = bodies.motions[2 * twin + 1].w
    if bodies.motions[2 * row + 1].w == 0 { bodies.motions[2 * row].z = 0 }
    bodies.forms[row] = bodies.forms[twin]
    bodies.materials[row] = bodies.materials[twin]
  }

}
