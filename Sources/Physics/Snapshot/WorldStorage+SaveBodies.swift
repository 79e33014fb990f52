// The bodies in a snapshot, one property after the other:
//
//     slots:  count, whether forces are set, generation of each, flags of each
//     rows:   count, slot of each (0xFFFF: its body is gone), pose of each, velocity of each
//     bodies: ticks at rest, shape, properties, number of each row's body; force if set;
//             the next of its sleeping group if asleep

/// What a snapshot says of a slot in a bit each.
enum SlotFlag {
  static let exists: UInt8 = 1
  static let isAsleep: UInt8 = 2
  static let hasJumped: UInt8 = 4
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
          | (record.hasJumped ? SlotFlag.hasJumped : 0))
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
    }
    out = sink
  }

}
