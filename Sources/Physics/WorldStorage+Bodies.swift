extension WorldStorage {
  func add(_ definition: BodyDefinition) -> BodyID {
    var slot = 0
    while slot < slotCount && slots[slot].exists { slot += 1 }
    if slot == slotCount {
      slotCount += 1
      reserve(slots: (slotCount > rowCount ? slotCount : rowCount) + 8)
      slots[slot] = SlotRecord(generation: .max)
    }
    reserve(slots: rowCount + 8)
    let row = rowCount
    rowCount += 1
    slots[slot] = SlotRecord(row: Int32(row), generation: slots[slot].generation &+ 1)
    slots[slot].hasJumped = true
    bodyCount += 1
    rowSlots[row] = Int32(slot)
    let turn = Rotation(angle: definition.angle)
    poses[row] = Lanes(
      definition.position.x, definition.position.y, turn.cosine, turn.sine)
    origins[row] = SIMD2(definition.position.x, definition.position.y)
    slots[slot].shape = shapeTable.take(definition.shape)
    take(definition.properties, slot: slot)
    forces[slot] = .zero
    motions[2 * row] = Lanes(
      definition.velocity.x, definition.velocity.y, definition.angularVelocity, 0)
    motions[2 * row + 1] = .zero
    refresh(slot)
    hasten(row)
    restIdleRow()
    listsAreValid = false
    if definition.properties.kind == .anchored { wakeAll() }
    return bodyID(ofSlot: slot)
  }

  func remove(slot: Int) {
    wake(slot: slot)
    removeJoints(ofSlot: slot)
    let row = Int(slots[slot].row)
    endContacts(ofRow: row)
    dropProperties(slot: slot)
    shapeTable.drop(slots[slot].shape)
    rowSlots[row] = -1
    motions[2 * row] = .zero
    slots[slot].row = -1
    bodyCount -= 1
    grid.radiiAreStale = true
    listsAreValid = false
  }

  /// Reports the contacts of a row that is about to go, for the next step.
  private func endContacts(ofRow row: Int) {
    let touches = neighbours.touches.base
    for k in 0..<neighbours.count
    where touches[k] & 1 != 0
      && (Int(neighbours.lower[k]) == row || Int(neighbours.upper[k]) == row)
    {
      touches[k] = 0
      let (a, b) = (neighbours.lower[k], neighbours.upper[k])
      let (slotA, slotB) = (Int(rowSlots[Int(a)]), Int(rowSlots[Int(b)]))
      if slotA >= 0 && slotB >= 0 { pendingEnded.append(ending(slotA, slotB)) }
    }
    for k in 0..<edgePairs.count where Int(edgePairs.rows[k]) == row {
      guard edgePairs.touches[k] & 1 != 0 else { continue }
      edgePairs.touches[k] = 0
      if siblingTouches(k, 1) { continue }
      pendingEnded.append(ending(Int(rowSlots[row]), edge: Int(edgePairs.edges[k])))
    }
  }

  /// Gives a slot its properties, and keeps count of bodies that need more than the default's work.
  private func take(_ properties: BodyProperties, slot: Int) {
    var shared = properties
    shared.userData = 0
    slots[slot].properties = propertyTable.take(shared)
    slots[slot].userData = properties.userData
    dampedCount += shared.isDamped ? 1 : 0
    scaledCount += shared.isScaled ? 1 : 0
    filteredCount += shared.isFiltered ? 1 : 0
    elasticCount += shared.restitution >= BodyProperties.elastic ? 1 : 0
  }

  private func dropProperties(slot: Int) {
    let old = properties(ofSlot: slot)
    dampedCount -= old.isDamped ? 1 : 0
    scaledCount -= old.isScaled ? 1 : 0
    filteredCount -= old.isFiltered ? 1 : 0
    elasticCount -= old.restitution >= BodyProperties.elastic ? 1 : 0
    propertyTable.drop(slots[slot].properties)
  }

  func fullProperties(ofSlot slot: Int) -> BodyProperties {
    var p = properties(ofSlot: slot)
    p.userData = slots[slot].userData
    return p
  }

  /// Brings a row up to date with its shape and properties.
  func refresh(_ slot: Int) {
    let row = Int(slots[slot].row)
    let shape = shape(ofSlot: slot)
    let p = properties(ofSlot: slot)
    let mass = p.density * shape.area * 1e-4
    let moves = p.kind == .dynamic
    let turns = moves && p.allowsRotation
    var motion = motions[2 * row]
    motion.w = moves ? 1 / mass : 0
    if !moves { motion = .zero }
    if !turns { motion.z = 0 }
    motions[2 * row] = motion
    motions[2 * row + 1].w = turns ? 1 / (mass * shape.inertiaPerMass) : 0
    let extents = shape.kind == .polygon ? Vector2(-1, -1) : shape.halfExtents
    forms[row] = Lanes(extents.x, extents.y, shape.radius, shape.boundingRadius)
    materials[row] = SIMD2(p.friction.squareRoot(), p.restitution)
    grid.radiiAreStale = true
  }

  func state(ofSlot slot: Int) -> BodyState {
    let record = slots[slot]
    let row = Int(record.row)
    let pose = poses[row]
    let v = motions[2 * row]
    return BodyState(
      position: Vector2(pose.x, pose.y), rotation: Rotation(cosine: pose.z, sine: pose.w),
      velocity: Vector2(v.x, v.y), angularVelocity: v.z, isAsleep: record.isAsleep)
  }

  func setPosition(_ p: Vector2, slot: Int) {
    wake(slot: slot)
    let row = Int(slots[slot].row)
    poses[row].x = p.x
    poses[row].y = p.y
    slots[slot].hasJumped = true
    listsAreValid = false
  }

  func setRotation(_ r: Rotation, slot: Int) {
    wake(slot: slot)
    let row = Int(slots[slot].row)
    poses[row].z = r.cosine
    poses[row].w = r.sine
  }

  /// Changes a velocity (x, y, spin; the fourth is the inverse mass) and wakes the body.
  @inline(__always)
  func change(_ slot: Int, _ action: (inout Lanes, Float) -> Void) {
    wake(slot: slot)
    let row = Int(slots[slot].row)
    var motion = motions[2 * row]
    action(&motion, motions[2 * row + 1].w)
    motions[2 * row] = motion
    hasten(row)
  }

  /// Takes notice of a new speed, so that the next step looks far enough, and keeps it within its
  /// limits.
  func hasten(_ row: Int) {
    let v = motions[2 * row]
    let speed = v.x * v.x + v.y * v.y
    let limit = PhysicsWorld.speedLimit
    let spin = PhysicsWorld.spinLimit
    if !(magnitude(v.z) <= spin) { motions[2 * row].z = v.z > 0 ? spin : -spin }
    if !(speed <= limit * limit) {
      let scale = limit / speed.squareRoot()
      motions[2 * row].x *= scale
      motions[2 * row].y *= scale
      largestSpeed = limit * limit
    } else if speed > largestSpeed {
      largestSpeed = speed
    }
  }

  func setProperties(_ new: BodyProperties, slot: Int) {
    wake(slot: slot)
    dropProperties(slot: slot)
    take(new, slot: slot)
    refresh(slot)
    listsAreValid = false
  }

  func setShape(_ shape: Shape, slot: Int) {
    wake(slot: slot)
    shapeTable.drop(slots[slot].shape)
    slots[slot].shape = shapeTable.take(shape)
    refresh(slot)
    listsAreValid = false
  }

  func addForce(_ force: Vector2, torque: Float, slot: Int) {
    wake(slot: slot)
    forces[slot] += Lanes(force.x, force.y, torque, 0)
    forcesAreSet = true
  }
}

extension BodyProperties {
  var isScaled: Bool { gravityScale != 1 }
  var isDamped: Bool { linearDamping > 0 || angularDamping > 0 }
  var isFiltered: Bool { collisionGroup != 1 || collisionMask != .max }
}
