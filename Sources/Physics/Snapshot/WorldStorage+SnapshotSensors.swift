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
