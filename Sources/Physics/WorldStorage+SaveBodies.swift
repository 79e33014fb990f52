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
  func saveBodies(_ out: inout SnapshotWriter) {
    let (slots, rowSlots, motions) = (slots.base, rowSlots.base, motions.base)
    out.put(UInt32(slotCount))
    out.put(forcesAreSet)
    for slot in 0..<slotCount { out.put(slots[slot].generation) }
    for slot in 0..<slotCount {
      let record = slots[slot]
      out.put(
        (record.exists ? SlotFlag.exists : 0) | (record.isAsleep ? SlotFlag.isAsleep : 0)
          | (record.hasJumped ? SlotFlag.hasJumped : 0))
    }
    out.put(UInt32(rowCount))
    for row in 0..<rowCount { out.put(UInt16(truncatingIfNeeded: rowSlots[row])) }
    out.put(poses.base, count: rowCount)
    for row in 0..<rowCount {
      out.put(motions[2 * row].lowHalf)
      out.put(motions[2 * row].z)
    }
    for row in 0..<rowCount where rowSlots[row] >= 0 {
      let record = slots[Int(rowSlots[row])]
      out.put(record.restTicks)
      out.put(record.shape)
      out.put(record.properties)
      out.put(record.userData)
      if forcesAreSet { out.put(forces[Int(rowSlots[row])]) }
      if record.isAsleep { out.put(record.islandNext) }
    }
  }
}
