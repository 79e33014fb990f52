extension WorldStorage {
  /// Marks the beginning of a snapshot and the version of its layout.
  static let snapshotMark: UInt32 = 0x5350_0004

  /// At most this many bytes are written by `save`.
  var savedSizeLimit: Int {
    let tables = shapeTable.count * Shape.savedSize + propertyTable.count * BodyProperties.savedSize
    let bodies = slotCount * 32 + rowCount * 48
    let pairs = neighbours.count * 20 + neighbours.rows * 4 + edgePairs.count * 24
    return 256 + tables + bodies + pairs + edgeCount * 68 + jointCount * 128
      + pendingEnded.count * 32
  }

  /// The whole state. After `dropCaches` the neighbours can be looked up again instead of saved.
  func save(_ out: inout SnapshotWriter) {
    out.put(Self.snapshotMark)
    out.put(isCanonical)
    configuration.save(&out)
    out.put(tick)
    out.put(gravity)
    out.put(largestMove)
    out.put(largestSpeed)
    saveTables(&out)
    saveSlots(&out)
    saveEdges(&out)
    saveJoints(&out)
    saveEvents(&out)
    if isCanonical { saveTouches(&out) } else { saveCaches(&out) }
  }

  private func saveTables(_ out: inout SnapshotWriter) {
    out.put(UInt32(shapeTable.count))
    for k in 0..<shapeTable.count { shapeTable.values[k].save(&out) }
    out.put(UInt32(propertyTable.count))
    for k in 0..<propertyTable.count { propertyTable.values[k].save(&out) }
  }

  private func saveSlots(_ out: inout SnapshotWriter) {
    out.put(UInt32(slotCount))
    out.put(forcesAreSet)
    for slot in 0..<slotCount {
      let record = slots[slot]
      let flags: UInt8 =
        (record.exists ? 1 : 0) | (record.isAsleep ? 2 : 0) | (record.hasJumped ? 4 : 0)
      out.put(record.generation)
      out.put(flags)
      guard record.exists else { continue }
      let row = Int(record.row)
      out.put(record.restTicks)
      out.put(record.shape)
      out.put(record.properties)
      out.put(record.userData)
      if record.isAsleep { out.put(record.islandNext) }
      out.put(poses[row])
      let v = motions[2 * row]
      out.put(v.x)
      out.put(v.y)
      out.put(v.z)
      if forcesAreSet { out.put(forces[slot]) }
    }
  }

  private func saveEdges(_ out: inout SnapshotWriter) {
    out.put(UInt32(edgeCount))
    for e in 0..<edgeCount {
      let edge = edges[e]
      let joints: UInt8 = (edge.isJoinedAtA ? 4 : 0) | (edge.isJoinedAtB ? 8 : 0)
      let kind: UInt8 = (edge.isHalfPlane ? 2 : 0) | (edge.hasSiblings ? 16 : 0)
      out.put((edge.exists ? 1 : 0) | kind | joints)
      guard edge.exists else { continue }
      out.put(edge.id.value)
      out.put(edge.collisionGroup)
      out.put(edge.a)
      out.put(edge.b)
      out.put(edge.normal)
      out.put(edge.length)
      if edge.isJoinedAtA { out.put(edge.beforeA) }
      if edge.isJoinedAtB { out.put(edge.afterB) }
    }
  }

  private func saveJoints(_ out: inout SnapshotWriter) {
    out.put(UInt32(jointCount))
    for place in 0..<jointCount {
      let joint = joints[place]
      out.put(joint.exists)
      out.put(joint.generation)
      guard joint.exists else { continue }
      out.put(joint.kind.rawValue)
      out.put(joint.collides)
      out.put(joint.hasLimits)
      out.put(joint.slotA)
      out.put(joint.slotB)
      out.put(joint.anchorA)
      out.put(joint.anchorB)
      out.put(joint.axis)
      out.put(joint.length)
      out.put(joint.angle)
      out.put(joint.offset)
      out.put(joint.frequency)
      out.put(joint.dampingRatio)
      out.put(joint.lower)
      out.put(joint.upper)
      out.put(joint.frictionTorque)
      for i in 0..<6 { out.put(joint.impulses[i]) }
      out.put(joint.lag)
      out.put(joint.isBlocked)
    }
  }

  private func saveEvents(_ out: inout SnapshotWriter) {
    out.put(UInt32(pendingEnded.count))
    for event in pendingEnded {
      out.put(event.body.slot)
      out.put(event.body.generation)
      switch event.other {
      case .body(let id):
        out.put(UInt8(0))
        out.put(id.slot)
        out.put(id.generation)
      case .boundary(let id):
        out.put(UInt8(1))
        out.put(id.value)
      }
      out.put(event.point)
      out.put(event.normal)
    }
  }

  /// Order of the rows, neighbours with their impulses, and where they were looked up.
  private func saveCaches(_ out: inout SnapshotWriter) {
    out.put(listsAreValid)
    out.put(listedSweep)
    out.put(UInt32(rowCount))
    for row in 0..<rowCount {
      out.put(UInt16(truncatingIfNeeded: rowSlots[row]))
      out.put(origins[row])
    }
    out.put(UInt32(neighbours.rows))
    out.put(UInt32(neighbours.count))
    for row in 0..<neighbours.rows {
      out.put(UInt16(neighbours.starts[row + 1] - neighbours.starts[row]))
    }
    for k in 0..<neighbours.count {
      saveMemory(&out, UInt16(neighbours.upper[k]), neighbours.touches[k], neighbours.impulses[k])
    }
    out.put(UInt32(edgePairs.count))
    for k in 0..<edgePairs.count {
      out.put(UInt16(edgePairs.rows[k]))
      let touch = edgePairs.touches[k] | (edgePairs.sides[k] < 0 ? 8 : 0)
      saveMemory(&out, UInt16(edgePairs.edges[k]), touch, edgePairs.impulses[k])
    }
  }

  /// A pair's other side, whether it touches, and as many impulses as it has: none, two or four.
  @inline(__always)
  private func saveMemory(
    _ out: inout SnapshotWriter, _ other: UInt16, _ touch: UInt8, _ impulse: Lanes
  ) {
    let words = bits(impulse)
    let code: UInt8 = (words.z | words.w) != 0 ? 4 : (words.x | words.y) != 0 ? 2 : 0
    out.put(other)
    out.put(touch | code)
    if code != 0 {
      out.put(impulse.x)
      out.put(impulse.y)
    }
    if code == 4 {
      out.put(impulse.z)
      out.put(impulse.w)
    }
  }

  /// What touches, by slots; the rows are in the order of the grid that both sides look up.
  private func saveTouches(_ out: inout SnapshotWriter) {
    var touching: UInt32 = 0
    for k in 0..<neighbours.count { touching += UInt32(neighbours.touches[k] & 1) }
    out.put(touching)
    for k in 0..<neighbours.count where neighbours.touches[k] & 1 != 0 {
      out.put(UInt16(rowSlots[Int(neighbours.lower[k])]))
      out.put(UInt16(rowSlots[Int(neighbours.upper[k])]))
    }
    out.put(UInt32(edgePairs.count))
    for k in 0..<edgePairs.count {
      out.put(UInt16(rowSlots[Int(edgePairs.rows[k])]))
      out.put(UInt16(edgePairs.edges[k]))
      out.put(edgePairs.touches[k] | (edgePairs.sides[k] < 0 ? 8 : 0))
    }
  }
}
