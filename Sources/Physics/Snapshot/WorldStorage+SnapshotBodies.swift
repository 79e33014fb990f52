// The bodies in a snapshot, one property after the other:
//
//     slots:  count, whether forces are set, generation of each, flags of each
//     rows:   count, slot of each (0xFFFF: its body is gone), pose of each, velocity of each
//     bodies: ticks at rest, shape, properties, number of each row's body; force if set;
//             the next of its sleeping group if asleep; the slot that names it if it is one of
//             several shapes

/// What a snapshot says of a slot in a bit each.
enum SlotFlag {
  static let exists: UInt8 = 1
  static let isAsleep: UInt8 = 2
  static let hasJumped: UInt8 = 4
  static let isOfSeveral: UInt8 = 8
  static let noSlot: UInt16 = 0xFFFF
}

extension WorldStorage {
  func saveBodies<Sink: SnapshotSink>(_ out: inout Sink) {
    let (records, rowSlots, motions) = (slots.records.base, bodies.slots.base, bodies.motions.base)
    let (forces, forcesAreSet) = (slots.forces.base, state.forcesAreSet)
    let (slotCount, rowCount) = (slots.count, bodies.rowCount)
    // In a variable of its own the sink stays in registers.
    var sink = out
    sink.put(UInt32(slotCount))
    sink.put(forcesAreSet)
    for slot in 0..<slotCount { sink.put(records[slot].generation) }
    for slot in 0..<slotCount {
      let record = records[slot]
      sink.put(
        (record.exists ? SlotFlag.exists : 0) | (record.isAsleep ? SlotFlag.isAsleep : 0)
          | (record.hasJumped ? SlotFlag.hasJumped : 0)
          | (record.owner != SlotRecord.nobody ? SlotFlag.isOfSeveral : 0))
    }
    sink.put(UInt32(rowCount))
    for row in 0..<rowCount { sink.put(UInt16(truncatingIfNeeded: rowSlots[row])) }
    sink.put(bodies.poses.base, count: rowCount)
    for row in 0..<rowCount {
      sink.put(motions[2 * row].lowHalf)
      sink.put(motions[2 * row].z)
    }
    for row in 0..<rowCount where rowSlots[row] >= 0 {
      let record = records[Int(rowSlots[row])]
      sink.put(record.restTicks)
      sink.put(record.shape)
      sink.put(record.properties)
      sink.put(record.userData)
      if forcesAreSet { sink.put(forces[Int(rowSlots[row])]) }
      if record.isAsleep { sink.put(record.islandNext) }
      if record.owner != SlotRecord.nobody { sink.put(record.owner) }
    }
    out = sink
  }

  /// Slots and rows as `saveBodies` wrote them.
  func restoreBodies(
    _ input: inout SnapshotReader, _ leavesOutShapes: Bool, _ shapeOf: (UInt32) -> BodyShape?
  ) throws(PhysicsError) {
    slots.count = try input.count(ofSize: 3, limit: WorldConfiguration.hardCapacity)
    state.forcesAreSet = try input.flag()
    try input.require(3 * slots.count)
    let generations = input.block(of: UInt16.self, count: slots.count)
    let flags = input.block(of: UInt8.self, count: slots.count)
    bodies.rowCount = try input.count(
      ofSize: 30, limit: WorldConfiguration.hardCapacity + Self.mostEmptyRows)
    reserve(slots: (bodies.rowCount > slots.count ? bodies.rowCount : slots.count) + 8)
    let owners = input.block(of: UInt16.self, count: bodies.rowCount)
    try restoreNames(generations, flags, owners)
    assert(rowsMatchSlots)
    try restoreMotion(&input)
    try restoreRecords(&input, leavesOutShapes, shapeOf)
    guard !leavesOutShapes || shapeTable.hasAllValues else { throw .malformedSnapshot }
  }

  private func restoreNames(
    _ generations: SnapshotBlock<UInt16>, _ flags: SnapshotBlock<UInt8>,
    _ owners: SnapshotBlock<UInt16>
  ) throws(PhysicsError) {
    let (records, count) = (slots.records.base, slots.count)
    var (expected, found) = (0, 0)
    var used: UInt8 = 0
    for slot in 0..<count {
      let flag = flags[slot]
      var record = SlotRecord(generation: generations[slot])
      record.isAsleep = flag & SlotFlag.isAsleep != 0
      record.hasJumped = flag & SlotFlag.hasJumped != 0
      // Which slot it is is read with the rest of the record.
      if flag & SlotFlag.isOfSeveral != 0 { record.owner = 0 }
      records[slot] = record
      expected &+= Int(flag & SlotFlag.exists)
      used |= flag
    }
    let rowSlots = bodies.slots.base
    for row in 0..<bodies.rowCount {
      let slot = Int(owners[row])
      rowSlots[row] = -1
      guard owners[row] != SlotFlag.noSlot else { continue }
      guard slot < count, !records[slot].exists, flags[slot] & SlotFlag.exists != 0 else {
        throw .malformedSnapshot
      }
      records[slot].row = Int32(truncatingIfNeeded: row)
      rowSlots[row] = Int32(truncatingIfNeeded: slot)
      found &+= 1
    }
    guard used < 16, expected == found, found <= configuration.capacity else {
      throw .malformedSnapshot
    }
    slots.bodyCount = found
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

  private func restoreRecords(
    _ input: inout SnapshotReader, _ leavesOutShapes: Bool, _ shapeOf: (UInt32) -> BodyShape?
  ) throws(PhysicsError) {
    let (records, rowSlots) = (slots.records.base, bodies.slots.base)
    let (shapes, properties) = (shapeTable.count, propertyTable.count)
    let (shapeUses, propertyUses) = (shapeTable.uses.base, propertyTable.uses.base)
    // For each shape the row that had it last, and its properties: the next one with the same
    // properties is its twin.
    groups.reserve(shapes)
    let (twins, likes) = (groups.parents.base, groups.tails.base)
    twins.update(repeating: -1, count: shapes)
    likes.update(repeating: -1, count: shapes)
    slots.forces.base.update(repeating: .zero, count: slots.count)
    state.lightest = 0
    // In a variable of its own the reader stays in registers.
    var reader = input
    for row in 0..<bodies.rowCount where rowSlots[row] >= 0 {
      let slot = Int(rowSlots[row])
      try reader.require(9)
      records[slot].restTicks = reader.next(UInt8.self)
      records[slot].shape = reader.next(UInt16.self)
      records[slot].properties = reader.next(UInt16.self)
      records[slot].userData = reader.next(UInt32.self)
      let (shape, like) = (Int(records[slot].shape), Int(records[slot].properties))
      guard shape < shapes, like < properties else { throw .malformedSnapshot }
      if state.forcesAreSet { slots.forces[slot] = try reader.push() }
      if records[slot].isAsleep {
        records[slot].islandNext = try reader.take(UInt16.self)
        state.sleeperCount += 1
      }
      if records[slot].owner != SlotRecord.nobody {
        records[slot].owner = try reader.take(UInt16.self)
        state.furtherShapes += Int(records[slot].owner) == slot ? 0 : 1
      }
      if leavesOutShapes, shapeUses[shape] < 1 {
        // The first body with this shape, so it was left out.
        guard shapeTable.awaitsValue(at: shape), let known = shapeOf(records[slot].userData) else {
          throw .malformedSnapshot
        }
        shapeTable.setValue(known, at: shape)
      }
      shapeUses[shape] &+= 1
      propertyUses[like] &+= 1
      // What has several shapes is weighed when all of them are known.
      if isCompound(slot) { continue }
      if likes[shape] == Int32(truncatingIfNeeded: like) {
        resemble(row, Int(twins[shape]))
      } else {
        refresh(slot)
        weigh(row)
        // `resemble` would clear a kinematic body's velocity: the next one like it is refreshed
        // instead, too.
        let isKinematic = propertyTable.values[like].kind == .kinematic
        likes[shape] = isKinematic ? -1 : Int32(truncatingIfNeeded: like)
      }
      twins[shape] = Int32(truncatingIfNeeded: row)
    }
    input = reader
    if state.furtherShapes > 0 || hasOwners { try restoreOwners() }
    for number in 0..<properties {
      state.demands.count(propertyTable.values[number], Int(propertyUses[number]))
    }
  }

  /// Notes how light a row is.
  func weigh(_ row: Int) {
    let (mass, inertia) = (bodies.motions[2 * row].w, bodies.motions[2 * row + 1].w)
    state.lightest = mass > state.lightest ? mass : state.lightest
    state.lightest = inertia > state.lightest ? inertia : state.lightest
  }

  /// Gives a row the mass, form and material of one with the same shape and properties.
  @inline(__always)
  private func resemble(_ row: Int, _ twin: Int) {
    assert(twin < row && bodies.slots[twin] >= 0)
    let (motions, forms) = (bodies.motions.base, bodies.forms.base)
    let (mass, inertia) = (motions[2 * twin].w, motions[2 * twin + 1].w)
    var motion = motions[2 * row]
    motion.w = mass
    if inertia == 0 { motion.z = 0 }
    motions[2 * row] = mass == 0 ? .zero : motion
    motions[2 * row + 1].w = inertia
    forms[row] = forms[twin]
    bodies.materials[row] = bodies.materials[twin]
  }
}

// What sensors overlap is state: without it a restored world would report everything as new. It
// takes no bytes where nothing is overlapped.

extension WorldStorage {
  func saveSensorOverlaps<Sink: SnapshotSink>(_ out: inout Sink) {
    guard !sensorOverlaps.isEmpty else { return }
    out.put(UInt32(sensorOverlaps.count))
    for overlap in sensorOverlaps {
      out.put(overlap.sensor.slot)
      out.put(overlap.sensor.generation)
      overlap.other.save(&out)
    }
  }

  func restoreSensorOverlaps(_ input: inout SnapshotReader) throws(PhysicsError) {
    let count = try input.count(ofSize: 9, limit: PhysicsLimit.sensorOverlaps)
    // None takes no bytes.
    guard count > 0 else { throw .malformedSnapshot }
    for _ in 0..<count {
      let slot = try input.take(UInt16.self)
      let sensor = BodyID(slot: slot, generation: try input.take(UInt16.self))
      guard slot < slots.count else { throw .malformedSnapshot }
      sensorOverlaps.append(
        SensorEvent(sensor: sensor, other: try ContactPartner(&input, slots: slots.count)))
    }
    guard sensorOverlapsAreInOrder else { throw .malformedSnapshot }
  }
}

extension ContactPartner {
  func save<Sink: SnapshotSink>(_ out: inout Sink) {
    switch self {
    case .body(let id):
      out.put(UInt8(0))
      out.put(id.slot)
      out.put(id.generation)
    case .boundary(let id):
      out.put(UInt8(1))
      out.put(id.value)
    }
  }

  init(_ input: inout SnapshotReader, slots: Int) throws(PhysicsError) {
    if try input.flag() {
      self = .boundary(BoundaryID(try input.take(Int32.self)))
    } else {
      let slot = try input.take(UInt16.self)
      guard slot < slots else { throw .malformedSnapshot }
      self = .body(BodyID(slot: slot, generation: try input.take(UInt16.self)))
    }
  }
}
