/// Numbers that no world gets past by itself; beyond them a snapshot is forged, and a step could
/// run out of the numbers that there are.
enum SnapshotLimit {
  /// Places, in points: a year at the speed limit.
  static let place: Float = 1e12
  /// How far the length of a direction may be from 1.
  static let skew: Float = 0.1
  /// Speeds, in pt/s: the speed limit and its rounding.
  static let speed = PhysicsWorld.speedLimit * 1.001
  /// Impulses and forces by what they do to the lightest body, in pt/s and pt/s².
  static let push: Float = 1e12
}

extension WorldStorage {
  /// Slots and rows as `saveBodies` wrote them.
  func restoreBodies(_ input: inout SnapshotReader) throws(PhysicsError) {
    slotCount = try input.count(ofSize: 3, limit: WorldConfiguration.hardCapacity)
    forcesAreSet = try input.flag()
    try input.require(3 * slotCount)
    let generations = input.block(of: UInt16.self, count: slotCount)
    let flags = input.block(of: UInt8.self, count: slotCount)
    rowCount = try input.count(ofSize: 30, limit: 4 * WorldConfiguration.hardCapacity)
    reserve(slots: (rowCount > slotCount ? rowCount : slotCount) + 8)
    for slot in 0..<slotCount {
      slots[slot] = SlotRecord(generation: generations[slot])
      guard flags[slot] < 8 else { throw .malformedSnapshot }
      slots[slot].isAsleep = flags[slot] & SlotFlag.isAsleep != 0
      slots[slot].hasJumped = flags[slot] & SlotFlag.hasJumped != 0
    }
    let owners = input.block(of: UInt16.self, count: rowCount)
    for row in 0..<rowCount {
      let slot = Int(owners[row])
      rowSlots[row] = -1
      guard owners[row] != SlotFlag.noSlot else { continue }
      guard slot < slotCount, !slots[slot].exists, flags[slot] & SlotFlag.exists != 0 else {
        throw .malformedSnapshot
      }
      slots[slot].row = Int32(row)
      rowSlots[row] = Int32(slot)
      bodyCount += 1
    }
    var expected = 0
    for slot in 0..<slotCount { expected += Int(flags[slot] & SlotFlag.exists) }
    guard expected == bodyCount, bodyCount <= configuration.capacity else {
      throw .malformedSnapshot
    }
    try restoreMotion(&input)
    try restoreRecords(&input)
  }

  private func restoreMotion(_ input: inout SnapshotReader) throws(PhysicsError) {
    let poses = poses.base
    input.copy(to: poses, count: rowCount)
    let velocities = input.block(of: Float.self, count: 3 * rowCount)
    let motions = motions.base
    var isWild = false
    for row in 0..<rowCount {
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
    groups.reserve(shapeTable.count)
    let twins = groups.base
    twins.update(repeating: -1, count: shapeTable.count)
    lightest = 0
    for row in 0..<rowCount where rowSlots[row] >= 0 {
      let slot = Int(rowSlots[row])
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
      forces[slot] = .zero
      if forcesAreSet { forces[slot] = try input.push() }
      if record.isAsleep {
        record.islandNext = try input.take(UInt16.self)
        sleeperCount += 1
      }
      slots[slot] = record
      let twin = Int(twins[shape])
      if twin >= 0 && slots[Int(rowSlots[twin])].properties == record.properties {
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
    let p = propertyTable.values.base + Int(record.properties)
    dampedCount += p.pointee.isDamped ? 1 : 0
    scaledCount += p.pointee.isScaled ? 1 : 0
    filteredCount += p.pointee.isFiltered ? 1 : 0
    elasticCount += p.pointee.restitution >= BodyProperties.elastic ? 1 : 0
    let row = Int(record.row)
    lightest = motions[2 * row].w > lightest ? motions[2 * row].w : lightest
    lightest = motions[2 * row + 1].w > lightest ? motions[2 * row + 1].w : lightest
  }

  /// Gives a row the mass, form and material of one with the same shape and properties.
  private func resemble(_ row: Int, _ twin: Int) {
    let mass = motions[2 * twin].w
    if mass == 0 { motions[2 * row] = .zero }
    motions[2 * row].w = mass
    motions[2 * row + 1].w = motions[2 * twin + 1].w
    if motions[2 * row + 1].w == 0 { motions[2 * row].z = 0 }
    forms[row] = forms[twin]
    materials[row] = materials[twin]
  }
}
