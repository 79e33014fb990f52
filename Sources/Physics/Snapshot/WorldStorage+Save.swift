extension WorldStorage {
  /// Marks the beginning of a snapshot and the version of its layout.
  static let snapshotMark: UInt32 = 0x5350_0005

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
  func save<Sink: SnapshotSink>(_ out: inout Sink) {
    assert(rowsMatchSlots)
    out.put(Self.snapshotMark)
    out.put((state.isCanonical ? 1 : 0) | (sensorOverlaps.isEmpty ? 0 : 2) as UInt8)
    configuration.save(&out)
    out.put(state.tick)
    out.put(state.gravity)
    out.put(state.largestSpeed)
    saveTables(&out)
    saveBodies(&out)
    saveEdges(&out)
    saveJoints(&out)
    saveEvents(&out)
    saveSensorOverlaps(&out)
    if state.isCanonical { saveTouches(&out) } else { saveCaches(&out) }
  }

  private func saveTables<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(UInt32(shapeTable.count))
    for k in 0..<shapeTable.count { shapeTable.values[k].save(&out) }
    out.put(UInt32(propertyTable.count))
    for k in 0..<propertyTable.count { propertyTable.values[k].save(&out) }
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
