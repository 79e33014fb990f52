// Sensors are left out of the pairs that are solved. At the end of a step each is held against all
// bodies and boundaries: there are few of them, and worlds without any don't get here. Of two that
// rest the last answer still holds.

extension WorldStorage {
  /// Finds what sensors overlap now, and reports what differs from before.
  func watchSensors() {
    defer { state.sensorsAreStale = false }
    guard state.demands.sensors > 0 || !sensorOverlaps.isEmpty else { return }
    if state.jointsThatMute > 0 { mutedPairs.list(joints, slots: slots.count) }
    // Of a full list nobody knows what was left out.
    let knowsFormer =
      !state.sensorsAreStale && sensorOverlaps.count < PhysicsLimit.sensorOverlaps
    var (overlaps, former): ([SensorEvent], Int) = ([], 0)
    overlaps.reserveCapacity(sensorOverlaps.count)
    for slot in 0..<slots.count
    where isBody(slot) && overlaps.count < PhysicsLimit.sensorOverlaps {
      guard properties(ofSlot: slot).isSensor else { continue }
      listOverlaps(ofSensor: slot, &overlaps, knowsFormer: knowsFormer, &former)
    }
    let excess = overlaps.count - PhysicsLimit.sensorOverlaps
    if excess > 0 { overlaps.removeLast(excess) }
    reportChanges(to: overlaps)
    sensorOverlaps = overlaps
    for slot in 0..<slots.count where slots[slot].exists { slots[slot].hasSettled = rests(slot) }
    assert(sensorOverlapsAreInOrder)
  }

  /// Whether a body sleeps, or has no velocity and nothing can give it one.
  private func rests(_ slot: Int) -> Bool {
    slots[slot].isAsleep || isFixed(Int(slots[slot].row))
  }

  /// Whether a body has not moved since sensors were last looked at.
  private func hasRested(_ slot: Int) -> Bool { slots[slot].hasSettled && rests(slot) }

  /// Appends what a sensor overlaps, in order. `former` is a place in the list of the last look,
  /// which is in the same order, and goes on with it.
  private func listOverlaps(
    ofSensor sensor: Int, _ overlaps: inout [SensorEvent], knowsFormer: Bool, _ former: inout Int
  ) {
    let (id, own) = (bodyID(ofSlot: sensor), properties(ofSlot: sensor))
    let row = Int(slots[sensor].row)
    let (center, form) = (position(ofRow: row), bodies.forms[row])
    let isKnown = knowsFormer && hasRested(sensor)
    for slot in 0..<slots.count where isBody(slot) && slot != sensor {
      if isKnown && hasRested(slot) {
        let event = SensorEvent(sensor: id, other: .body(bodyID(ofSlot: slot)))
        if overlapped(event, &former) { overlaps.append(event) }
        continue
      }
      let other = Int(slots[slot].row)
      let reach = form.w + bodies.forms[other].w
      guard (position(ofRow: other) - center).lengthSquared <= reach * reach else { continue }
      let properties = properties(ofSlot: slot)
      guard !properties.isSensor, own.meets(properties),
        !(state.jointsThatMute > 0 && mutedPairs.contains(sensor, slot)),
        shapesOverlap(sensor, slot)
      else { continue }
      overlaps.append(SensorEvent(sensor: id, other: .body(bodyID(ofSlot: slot))))
    }
    if isKnown { return appendFormerBoundaries(of: id, to: &overlaps, &former) }
    let first = overlaps.count
    for e in 0..<edges.count
    where edges[e].exists && edges[e].collisionGroup & own.collisionMask != 0 {
      guard edges[e].isNear(center, reach: form.w * 1.001 + Touch.release),
        anyShape(
          ofBody: sensor,
          {
            edges[e].gap(to: placedCore(row: $0), radius: bodies.forms[$0].z).gap <= 0
          })
      else { continue }
      let event = SensorEvent(sensor: id, other: .boundary(edges[e].id))
      if !overlaps[first...].contains(event) { overlaps.append(event) }
    }
    if overlaps.count > first + 1 { overlaps[first...].sort { $0.comes(before: $1) } }
  }

  /// Whether an overlap was there at the last look. It must not come before one that was asked for
  /// earlier.
  private func overlapped(_ event: SensorEvent, _ former: inout Int) -> Bool {
    while former < sensorOverlaps.count && sensorOverlaps[former].comes(before: event) {
      former += 1
    }
    return former < sensorOverlaps.count && sensorOverlaps[former] == event
  }

  /// Boundaries don't move: those that a sensor overlapped at the last look, behind its bodies.
  private func appendFormerBoundaries(
    of sensor: BodyID, to overlaps: inout [SensorEvent], _ former: inout Int
  ) {
    while former < sensorOverlaps.count && sensorOverlaps[former].sensor.slot <= sensor.slot {
      let event = sensorOverlaps[former]
      if event.sensor == sensor, case .boundary = event.other { overlaps.append(event) }
      former += 1
    }
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
