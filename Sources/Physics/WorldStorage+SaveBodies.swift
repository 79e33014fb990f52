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
    out.put(UInt32(slots.count))
    out.put(now.forcesAreSet)
    for slot in 0..<slots.count { out.put(records[slot].generation) }
    for slot in 0..<slots.count {
      let record = records[slot]
      out.put(
        (record.exists ? SlotFlag.exists : 0) | (record.isAsleep ? SlotFlag.isAsleep : 0)
          | (record.hasJumped ? SlotFlag.hasJumped : 0))
    }
    out.put(UInt32(bodies.rowCount))
    for row in 0..<bodies.rowCount { out.put(UInt16(truncatingIfNeeded: rowSlots[row])) }
    out.put(bodies.poses.base, count: bodies.rowCount)
    for row in 0..<bodies.rowCount {
      out.put(motions[2 * row].lowHalf)
      out.put(motions[2 * row].z)
    }
    for row in 0..<bodies.rowCount where rowSlots[row] >= 0 {
      let record = records[Int(rowSlots[row])]
      out.put(record.restTicks)
      out.put(record.shape)
      out.put(record.properties)
      out.put(record.userData)
      if now.forcesAreSet { out.put(slots.forces[Int(rowSlots[row])]) }
      if record.isAsleep { out.put(record.islandNext) }
    }
  }

}
