extension WorldStorage {
  /// Marks the beginning of a snapshot and the version of its layout.
  static let snapshotMark: UInt32 = 0x5350_0005

  /// At most this many bytes are written by `save`, and touched behind them.
  var savedSizeLimit: Int {
    let tables = shapeTable.count * Shape.savedSize + propertyTable.count * BodyProperties.savedSize
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

  private func saveJoints<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(UInt32(joints.count))
    for place in 0..<joints.count {
      let joint = joints[place]
      out.put(joint.exists)
      out.put(joint.generation)
      guard joint.exists else { continue }
      out.put(joint.kind.rawValue)
      out.put(joint.collides)
      out.put(JointFlag.flags(of: joint))
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
      out.put(joint.anchorTravel)
      out.put(joint.isBlocked)
      if joint.motorSpeed != 0 { out.put(joint.motorSpeed) }
      if joint.breakingForce < .infinity { out.put(joint.breakingForce) }
      if joint.breakingTorque < .infinity { out.put(joint.breakingTorque) }
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

  /// Neighbours with their impulses, and where they were looked up.
  private func saveCaches<Sink: SnapshotSink>(_ out: inout Sink) {
    out.put(state.listsAreValid)
    out.put(state.listedSweep)
    out.put(bodies.sweepMiddles.base, count: bodies.rowCount)
    out.put(bodies.sweepRadii.base, count: bodies.rowCount)
    saveNeighbours(&out)
    out.put(UInt32(edgePairs.count))
    for k in 0..<edgePairs.count {
      out.put(UInt16(edgePairs[k].row))
      let touch = edgePairs[k].touch | (edgePairs[k].side < 0 ? 8 : 0)
      saveMemory(&out, UInt16(edgePairs[k].edge), touch, edgePairs[k].impulse)
    }
  }

  private func saveNeighbours<Sink: SnapshotSink>(_ out: inout Sink) {
    let (starts, count) = (neighbours.starts.base, neighbours.count)
    assert(neighboursAreInOrder)
    let impulses = neighbours.impulses.base
    out.put(UInt32(neighbours.rows))
    out.put(UInt32(count))
    let (upper, touches) = (neighbours.upper.base, neighbours.touches.base)
    // In a variable of its own the sink stays in registers.
    var sink = out
    for row in 0..<neighbours.rows {
      sink.put(UInt16(truncatingIfNeeded: starts[row + 1] &- starts[row]))
    }
    for k in 0..<count { sink.put(UInt16(truncatingIfNeeded: upper[k])) }
    for k in 0..<count { sink.put(touches[k] | SavedImpulse.code(impulses[k])) }
    out = sink
    out.put(impulses: impulses, count: count)
  }

  /// A pair's other side, whether it touches, and as many impulses as it has.
  private func saveMemory<Sink: SnapshotSink>(
    _ out: inout Sink, _ other: UInt16, _ touch: UInt8, _ impulse: Lanes
  ) {
    let code = SavedImpulse.code(impulse)
    out.put(other)
    out.put(touch | code)
    out.put(impulse: impulse, code)
  }

  /// What pairs remember, in the order of the lookup that both sides do: first all that touch, then
  /// the impulses.
  private func saveTouches<Sink: SnapshotSink>(_ out: inout Sink) {
    assert(bodies.rowCount == slots.bodyCount, "a lookup finds the rows again")
    let impulses = neighbours.impulses.base
    out.put(UInt32(neighbours.count))
    for k in 0..<neighbours.count {
      out.put(neighbours.touches[k] & 1 | SavedImpulse.code(impulses[k]))
    }
    out.put(UInt32(edgePairs.count))
    for k in 0..<edgePairs.count {
      let side: UInt8 = edgePairs[k].side < 0 ? 8 : 0
      out.put(edgePairs[k].touch | side | SavedImpulse.code(edgePairs[k].impulse))
    }
    for k in 0..<neighbours.count { putShort(&out, impulses[k]) }
    for k in 0..<edgePairs.count { putShort(&out, edgePairs[k].impulse) }
  }

  /// As many impulses as a pair has, of which `dropCaches` has left the high halves.
  @inline(__always)
  private func putShort<Sink: SnapshotSink>(_ out: inout Sink, _ impulse: Lanes) {
    let words = bits(impulse)
    for i in 0..<Int(SavedImpulse.code(impulse)) { out.put(UInt16(words[i] >> 16)) }
  }
}

/// What a snapshot says of a joint in a bit each. What a joint doesn't have takes no bytes, so that
/// worlds which use none of it have the snapshots and hashes that they had before it came.
enum JointFlag {
  static let hasLimits: UInt8 = 1
  static let motor: UInt8 = 2
  static let breaksByForce: UInt8 = 4
  static let breaksByTorque: UInt8 = 8

  static func flags(of joint: JointRecord) -> UInt8 {
    var flags: UInt8 = joint.hasLimits ? hasLimits : 0
    if joint.motorSpeed != 0 { flags |= motor }
    if joint.breakingForce < .infinity { flags |= breaksByForce }
    if joint.breakingTorque < .infinity { flags |= breaksByTorque }
    return flags
  }
}

/// How many impulses of a pair a snapshot holds: none, the two of one point, or four of two.
enum SavedImpulse {
  static let two: UInt8 = 2
  static let four: UInt8 = 4
  static let mask: UInt8 = 6

  @inline(__always)
  static func code(_ impulse: Lanes) -> UInt8 {
    let words = bits(impulse)
    return (words.z | words.w) != 0 ? four : (words.x | words.y) != 0 ? two : 0
  }

  /// Bytes that the impulses of a code take: 0, 8 or 16.
  @inline(__always)
  static func size(_ code: UInt8) -> Int { 4 &* Int(code & mask) }

  /// What of four impulses a code of 0, 2 or 4 lets through.
  @inline(__always)
  static func part(_ code: UInt8, of impulse: Lanes) -> Lanes {
    let second = 0 &- (UInt32(code) >> 2 & 1)
    let first = second | 0 &- (UInt32(code) >> 1 & 1)
    return lanes(bits(impulse) & SIMD4(first, first, second, second))
  }
}
