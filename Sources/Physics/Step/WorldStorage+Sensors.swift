// Sensors are left out of the pairs that are solved. At the end of a step each is held against all
// bodies and boundaries: there are few of them, and worlds without any don't get here.

extension WorldStorage {
  /// Finds what sensors overlap now, and reports what differs from before.
  func watchSensors() {
    if state.jointsThatMute > 0 { mutedPairs.list(joints, slots: slots.count) }
    var overlaps: [SensorEvent] = []
    overlaps.reserveCapacity(sensorOverlaps.count)
    for slot in 0..<slots.count where slots[slot].exists {
      if properties(ofSlot: slot).isSensor { listOverlaps(ofSensor: slot, &overlaps) }
    }
    reportChanges(to: overlaps)
    sensorOverlaps = overlaps
    assert(sensorOverlapsAreInOrder)
  }

  /// Appends what a sensor overlaps, in order.
  private func listOverlaps(ofSensor sensor: Int, _ overlaps: inout [SensorEvent]) {
    let (id, own) = (bodyID(ofSlot: sensor), properties(ofSlot: sensor))
    let row = Int(slots[sensor].row)
    let (core, center, form) = (placedCore(row: row), position(ofRow: row), bodies.forms[row])
    for slot in 0..<slots.count where slots[slot].exists && slot != sensor {
      let other = Int(slots[slot].row)
      let reach = form.w + bodies.forms[other].w
      guard (position(ofRow: other) - center).lengthSquared <= reach * reach else { continue }
      let properties = properties(ofSlot: slot)
      guard !properties.isSensor, own.meets(properties),
        !(state.jointsThatMute > 0 && mutedPairs.contains(sensor, slot)),
        ConvexDistance(core, placedCore(row: other)).distance <= form.z + bodies.forms[other].z
      else { continue }
      overlaps.append(SensorEvent(sensor: id, other: .body(bodyID(ofSlot: slot))))
    }
    let first = overlaps.count
    for e in 0..<edges.count
    where edges[e].exists && edges[e].collisionGroup & own.collisionMask != 0 {
      guard edges[e].isNear(center, reach: form.w * 1.001 + Touch.release),
        edges[e].gap(to: core, radius: form.z).gap <= 0
      else { continue }
      let event = SensorEvent(sensor: id, other: .boundary(edges[e].id))
      if !overlaps[first...].contains(event) { overlaps.append(event) }
    }
    if overlaps.count > first + 1 { overlaps[first...].sort { $0.comes(before: $1) } }
  }

  /// Goes through the old and the new list side by side: both are in the same order.
  private func reportChanges(to overlaps: [SensorEvent]) {
    assert(sensorOverlapsAreInOrder)
    var (old, new) = (0, 0)
    while old < sensorOverlaps.count || new < overlaps.count {
      if old == sensorOverlaps.count
        || (new < overlaps.count && overlaps[new].comes(before: sensorOverlaps[old]))
      {
        sensorEvents.entered.append(overlaps[new])
        new += 1
      } else if new == overlaps.count || sensorOverlaps[old].comes(before: overlaps[new]) {
        sensorEvents.left.append(sensorOverlaps[old])
        old += 1
      } else {
        (old, new) = (old + 1, new + 1)
      }
    }
  }

  /// Whether each overlap comes before the next one.
  var sensorOverlapsAreInOrder: Bool {
    for k in sensorOverlaps.indices.dropFirst()
    where !sensorOverlaps[k - 1].comes(before: sensorOverlaps[k]) {
      return false
    }
    return true
  }
}
