extension WorldStorage {
  /// Rows of removed bodies that may wait for the next lookup: without a limit, somebody who adds
  /// and removes bodies between two steps would let the rows grow for ever.
  static let mostEmptyRows = 4096

  func add(_ definition: BodyDefinition) -> BodyID {
    let slot = addShape(definition)
    if !definition.furtherShapes.isEmpty { addFurtherShapes(of: definition, to: slot) }
    return bodyID(ofSlot: slot)
  }

  /// Adds a body of one shape, or one of a body's shapes; returns its slot.
  func addShape(_ definition: BodyDefinition) -> Int {
    if bodies.rowCount - slots.bodyCount >= Self.mostEmptyRows { lookUpBetweenSteps() }
    assert(slots.bodyCount < configuration.capacity, "whoever adds has asked for room")
    var slot = 0
    while slot < slots.count && slots[slot].exists { slot += 1 }
    if slot == slots.count {
      slots.count += 1
      reserve(slots: (slots.count > bodies.rowCount ? slots.count : bodies.rowCount) + 8)
      slots[slot] = SlotRecord(generation: .max)
    }
    reserve(slots: bodies.rowCount + 8)
    let row = bodies.rowCount
    bodies.rowCount += 1
    slots[slot] = SlotRecord(row: Int32(row), generation: slots[slot].generation &+ 1)
    slots[slot].hasJumped = true
    slots.bodyCount += 1
    bodies.slots[row] = Int32(slot)
    assert(definition.position.isFinite && definition.velocity.isFinite)
    let turn = Rotation(angle: definition.angle)
    bodies.poses[row] = Lanes(
      definition.position.x, definition.position.y, turn.cosine, turn.sine)
    slots[slot].shape = shapeTable.take(definition.shape)
    take(definition.properties, slot: slot)
    slots.forces[slot] = .zero
    bodies.motions[2 * row] = Lanes(
      definition.velocity.x, definition.velocity.y, definition.angularVelocity, 0)
    bodies.motions[2 * row + 1] = .zero
    assert(row < bodies.rowCount && slots.bodyCount <= bodies.rowCount)
    refresh(slot)
    clampSpeed(row)
    restIdleRow()
    forgetLists()
    if definition.properties.kind != .dynamic { wakeAll() }
    return slot
  }

  func remove(slot: Int) {
    wake(slot: slot)
    let (known, mayTellTwice) = (pendingEnded.count, state.furtherShapes > 0)
    removeFurtherShapes(of: slot)
    removeShape(slot: slot)
    if mayTellTwice { netEnds(from: known) }
  }

  /// Removes a body of one shape, or one of a body's shapes, that is awake.
  func removeShape(slot: Int) {
    assert(slots[slot].exists && !slots[slot].isAsleep, "who goes has been woken")
    removeJoints(ofSlot: slot)
    let row = Int(slots[slot].row)
    endContacts(ofRow: row)
    dropProperties(slot: slot)
    shapeTable.drop(slots[slot].shape)
    bodies.slots[row] = -1
    bodies.motions[2 * row] = .zero
    slots[slot].row = -1
    slots.bodyCount -= 1
    assert(slots.bodyCount >= 0 && slots.bodyCount <= slots.count)
    grid.radiiAreStale = true
    forgetLists()
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
      let (slotA, slotB) = (Int(bodies.slots[Int(a)]), Int(bodies.slots[Int(b)]))
      if slotA >= 0 && slotB >= 0 { pendingEnded.append(ending(slotA, slotB)) }
    }
    for k in 0..<edgePairs.count where Int(edgePairs[k].row) == row {
      guard edgePairs[k].touch & 1 != 0 else { continue }
      edgePairs[k].touch = 0
      if siblingTouches(k, 1) { continue }
      pendingEnded.append(ending(Int(bodies.slots[row]), edge: Int(edgePairs[k].edge)))
    }
  }

  /// Gives a slot its properties, and keeps count of bodies that need more than the default's work.
  private func take(_ properties: BodyProperties, slot: Int) {
    var shared = properties
    shared.userData = 0
    slots[slot].properties = propertyTable.take(shared)
    slots[slot].userData = properties.userData
    state.demands.count(shared)
  }

  private func dropProperties(slot: Int) {
    state.demands.count(properties(ofSlot: slot), -1)
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
    let whole = measures(ofSlot: slot, shape)
    let mass = p.density * whole.area * 1e-4
    assert(mass > 0 && mass.isFinite && whole.boundingRadius > 0)
    let moves = p.kind == .dynamic
    let turns = moves && p.allowsRotation
    var motion = bodies.motions[2 * row]
    motion.w = moves ? 1 / mass : 0
    // Nothing can push what is kinematic, as it has no inverse mass; it keeps its velocity.
    if p.kind == .anchored { motion = .zero }
    if !p.allowsRotation { motion.z = 0 }
    bodies.motions[2 * row] = motion
    bodies.motions[2 * row + 1].w = turns ? 1 / (mass * whole.inertiaPerMass) : 0
    assert(bodies.motions[2 * row].w >= 0 && bodies.motions[2 * row + 1].w >= 0)
    let extents =
      shape.hasOwnCore ? BodyRows.extents(ofCorners: shape.core.count) : shape.halfExtents
    bodies.forms[row] = Lanes(extents.x, extents.y, shape.radius, whole.boundingRadius)
    bodies.materials[row] = SIMD2(p.friction.squareRoot(), p.restitution)
    grid.radiiAreStale = true
  }

  func state(ofSlot slot: Int) -> BodyState {
    let record = slots[slot]
    let row = Int(record.row)
    let pose = bodies.poses[row]
    let v = bodies.motions[2 * row]
    return BodyState(
      position: Vector2(pose.x, pose.y), rotation: Rotation(cosine: pose.z, sine: pose.w),
      velocity: Vector2(v.x, v.y), angularVelocity: v.z, isAsleep: record.isAsleep)
  }

  func setPosition(_ p: Vector2, slot: Int) {
    wake(slot: slot)
    let row = Int(slots[slot].row)
    assert(p.isFinite)
    bodies.poses[row].x = p.x
    bodies.poses[row].y = p.y
    slots[slot].hasJumped = true
    follow(slot)
    forgetLists()
  }

  func setRotation(_ r: Rotation, slot: Int) {
    wake(slot: slot)
    let row = Int(slots[slot].row)
    assert(magnitude(r.cosine * r.cosine + r.sine * r.sine - 1) < 1e-3)
    bodies.poses[row].z = r.cosine
    bodies.poses[row].w = r.sine
    if isCompound(slot) {
      // Turned, a shape of several may be elsewhere.
      slots[slot].hasJumped = true
      follow(slot)
      forgetLists()
    }
    state.sensorsAreStale = true
  }

  /// Changes a velocity (x, y, spin; the fourth is the inverse mass) and wakes the body.
  @inline(__always)
  func change(_ slot: Int, _ action: (inout Lanes, Float) -> Void) {
    wake(slot: slot)
    let row = Int(slots[slot].row)
    var motion = bodies.motions[2 * row]
    action(&motion, bodies.motions[2 * row + 1].w)
    assert(motion.w == bodies.motions[2 * row].w, "no push changes a mass")
    bodies.motions[2 * row] = motion
    clampSpeed(row)
    follow(slot)
  }

  /// Gives a kinematic body a velocity (x, y, spin). If that is another one than before, what it
  /// touches or is joined to wakes; what it will meet wakes when it gets there, and the rest of the
  /// world sleeps on.
  func drive(_ slot: Int, _ velocity: Lanes) {
    let row = Int(slots[slot].row)
    assert(properties(ofSlot: slot).kind == .kinematic && velocity.w == 0)
    guard velocity != bodies.motions[2 * row] else { return }
    wakeDriven(bySlot: slot)
    bodies.motions[2 * row] = velocity
    clampSpeed(row)
    follow(slot)
    // It may have become still, or no longer be so.
    state.splitIsStale = true
  }

  /// Forgets the lists of neighbours, and what sensors know of what rests: bodies, boundaries or
  /// what keeps them apart are others now, or elsewhere.
  func forgetLists() {
    state.listsAreValid = false
    state.sensorsAreStale = true
  }

  /// Whether a row has no velocity and nothing can give it one.
  @inline(__always)
  func isFixed(_ row: Int) -> Bool { bodies.motions[2 * row] == .zero }

  /// Takes notice of a new speed, so that the next step looks far enough, and keeps it within its
  /// limits.
  func clampSpeed(_ row: Int) {
    let v = bodies.motions[2 * row]
    let speed = v.x * v.x + v.y * v.y
    let limit = PhysicsWorld.speedLimit
    bodies.motions[2 * row].z = v.z.brought(within: PhysicsWorld.spinLimit)
    if !(speed <= limit * limit) {
      let slower = Vector2(v.x, v.y).shortened(to: limit)
      bodies.motions[2 * row].x = slower.x
      bodies.motions[2 * row].y = slower.y
      state.largestSpeed = limit * limit
    } else if speed > state.largestSpeed {
      state.largestSpeed = speed
    }
  }

  func setProperties(_ new: BodyProperties, slot: Int) {
    wake(slot: slot)
    forEachShape(ofBody: slot) { shape in
      dropProperties(slot: shape)
      take(new, slot: shape)
      refresh(shape)
    }
    forgetLists()
  }

  func setShape(_ shape: BodyShape, slot: Int) {
    wake(slot: slot)
    let (known, mayTellTwice) = (pendingEnded.count, state.furtherShapes > 0)
    removeFurtherShapes(of: slot)
    if mayTellTwice { netEnds(from: known) }
    shapeTable.drop(slots[slot].shape)
    slots[slot].shape = shapeTable.take(shape)
    refresh(slot)
    forgetLists()
  }

  func addForce(_ force: Vector2, torque: Float, slot: Int) {
    wake(slot: slot)
    assert(force.isFinite && torque.isFinite)
    let limit = Lanes(repeating: SnapshotLimit.force)
    let sum = slots.forces[slot] + Lanes(force.x, force.y, torque, 0)
    slots.forces[slot] = most(least(sum, limit), -limit)
    state.forcesAreSet = true
  }

}
